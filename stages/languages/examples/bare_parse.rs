//! What parsing costs at the least: tree-sitter alone, one thread, over the files below the directories given.
//!
//!     cargo run -p trefoil-languages --example bare_parse -- DIRECTORY...
//!
//! Files are read beforehand and outside the measurement; those that the pipeline would leave out (too large,
//! binary, not UTF-8) are left out here too. Prints one line of JSON: files, bytes, nodes, and CPU and wall
//! seconds of the parses. `scripts/bench` holds the pipeline's own figures against it.

use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::time::Instant;
use trefoil_languages::{Guards, Language};

type Source = (PathBuf, &'static Language, String);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sources = Vec::new();
    for directory in std::env::args_os().skip(1) {
        read(Path::new(&directory), &mut sources)?;
    }
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    #[expect(clippy::disallowed_methods, reason = "the library as it comes, with the memory of the system")]
    let mut parser = tree_sitter::Parser::new();
    let (mut bytes, mut nodes) = (0, 0);
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    for (path, language, text) in &sources {
        parser.set_language(&(language.grammar)(&path.to_string_lossy()))?;
        let tree = parser.parse(text, None).ok_or_else(|| format!("no tree for {}", path.display()))?;
        bytes += text.len();
        nodes += tree.root_node().descendant_count();
    }
    let (cpu, wall) = (cpu_seconds() - cpu, wall.elapsed().as_secs_f64());
    let files = sources.len();
    println!(
        "{{\"files\": {files}, \"bytes\": {bytes}, \"nodes\": {nodes}, \
         \"cpu_seconds\": {cpu:.3}, \"wall_seconds\": {wall:.3}}}"
    );
    Ok(())
}

fn read(directory: &Path, sources: &mut Vec<Source>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            read(&path, sources)?;
        } else if kind.is_file()
            && let Some(language) = path.to_str().and_then(trefoil_languages::of_path)
            && entry.metadata()?.len() <= Guards::default().max_file_bytes
            && let Ok(text) = String::from_utf8(std::fs::read(&path)?)
            && !text.contains('\0')
        {
            sources.push((path, language, text));
        }
    }
    Ok(())
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
