//! Where training data goes: into a folder, or into object storage. It is put together elsewhere first.

use anyhow::{Context, Result, bail};
use std::path::Path;
use trefoil_shards::{digest_of_file, temporary};
use trefoil_storage::{Access, Local, Place, Store, Uploaded};

/// Makes the data beside `output` and renames it; `make` takes a folder and a name, and answers what to print.
pub fn into_folder(output: &Path, make: impl Fn(&Path, &str) -> Result<String>) -> Result<()> {
    if output.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{} is not empty; choose another folder or remove it", output.display());
    }
    let beside = temporary(output);
    let text = make(&beside, &output.file_name().unwrap_or_default().to_string_lossy())?;
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    std::fs::create_dir_all(parent.unwrap_or(Path::new(".")))
        .and_then(|()| std::fs::rename(&beside, output))
        .with_context(|| format!("cannot create {}", output.display()))?;
    print!("{text}");
    println!("training data: {}", output.display());
    Ok(())
}

/// Makes the data among the temporary files and sends it. The place is reached first, so that nothing is made in vain;
/// the card and then the manifest come when all data are there, so that nobody reads half of it.
pub fn into_storage(
    address: &str,
    endpoint: Option<&str>,
    make: impl Fn(&Path, &str) -> Result<String>,
) -> Result<()> {
    let place = Place::parse(address)?;
    let store =
        Store::open(place.clone(), Access::from_environment(endpoint, |name| std::env::var(name).ok())?)?;
    let folder = temporary(&std::env::temp_dir().join(format!("trefoil-export-{}", place.name())));
    let sent = make(&folder, place.name()).and_then(|text| Ok((text, store.upload(&files(&folder)?)?)));
    let _ = std::fs::remove_dir_all(&folder);
    let (text, Uploaded { sent, known, bytes }) = sent?;
    print!("{text}");
    println!("sent: {sent} files, {bytes} bytes; there already: {known} files");
    println!("training data: {place}");
    Ok(())
}

/// All files, data first, then what describes them, the card and the manifest last.
fn files(folder: &Path) -> Result<Vec<Local>> {
    let mut files = Vec::new();
    for inside in ["data", ""] {
        let place = folder.join(inside);
        let entries = place.read_dir().with_context(|| format!("cannot read {}", place.display()))?;
        for entry in entries {
            let path = entry.with_context(|| format!("cannot read {}", place.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_file() {
                let (sha256, bytes) = digest_of_file(&path)?;
                let name = if inside.is_empty() { name } else { format!("{inside}/{name}") };
                files.push(Local { name, path, bytes, sha256 });
            }
        }
    }
    let rank = |name: &str| match name {
        "manifest.json" => 3,
        "README.md" => 2,
        _ => u8::from(!name.starts_with("data/")),
    };
    files.sort_by(|a, b| (rank(&a.name), &a.name).cmp(&(rank(&b.name), &b.name)));
    Ok(files)
}
