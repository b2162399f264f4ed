//! Archives as strangers make them.

use super::*;
use proptest::prelude::*;
use std::io::Write;
use tar::{EntryType, Header};
use zip::write::SimpleFileOptions;

fn member(tar: &mut Vec<u8>, name: &[u8], kind: EntryType, content: &[u8]) {
    let mut header = Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_cksum();
    tar.extend_from_slice(header.as_bytes());
    tar.extend_from_slice(content);
    tar.resize(tar.len().next_multiple_of(512), 0);
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (name, content) in files {
        member(&mut tar, name.as_bytes(), EntryType::Regular, content);
    }
    ended(tar)
}

fn ended(mut tar: Vec<u8>) -> Vec<u8> {
    tar.resize(tar.len() + 1024, 0);
    tar
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn open_within(bytes: &[u8], limits: &Limits) -> Result<Archive, SourceError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Archive::open(file.path(), limits, &|path| !path.ends_with(".md"))
}

fn open(bytes: &[u8]) -> Archive {
    open_within(bytes, &Limits::default()).unwrap()
}

fn reason(bytes: &[u8]) -> &'static str {
    open_within(bytes, &Limits::default()).err().map_or("opened", |error| error.reason())
}

fn paths(archive: &Archive) -> Vec<&str> {
    archive.listing().files.iter().map(|file| file.path.as_str()).collect()
}

fn left_out(archive: &Archive) -> Vec<(&str, Reason)> {
    archive.listing().left_out.iter().map(|row| (row.path.as_str(), row.reason)).collect()
}

fn file(archive: &mut Archive, index: usize) -> Vec<u8> {
    let Reading::File(bytes) = archive.read(index).unwrap() else { panic!("left out") };
    bytes
}

#[test]
fn every_packing_gives_the_same_files() {
    let files: [(&str, &[u8]); 3] = [("x-1/b.py", b"b"), ("x-1/a/c.py", b"c"), ("x-1/n.md", b"n")];
    let plain = tar(&files);
    // Two gzip members in a row are one stream.
    let two = [gz(&plain[..700]), gz(&plain[700..])].concat();
    for bytes in [gz(&plain), two, xz(&plain), zip(&files), plain] {
        let mut archive = open(&bytes);
        assert_eq!(paths(&archive), ["a/c.py", "b.py"]);
        assert_eq!(archive.listing().unwanted, 1);
        assert_eq!(archive.listing().files[1].blob, BlobId::of(b"b"));
        assert_eq!((file(&mut archive, 1), file(&mut archive, 0)), (b"b".to_vec(), b"c".to_vec()));
        assert_eq!(archive.read(0).unwrap_err().reason(), "read_failed");
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(archive.pin().commit, format!("sha256:{digest}"));
    }
}

#[test]
fn only_a_directory_above_everything_is_taken_off() {
    type Case<'a> = (&'a [(&'a str, &'a [u8])], &'a [&'a str]);
    let cases: [Case<'_>; 4] = [
        (&[("a/x.py", b""), ("b/x.py", b"")], &["a/x.py", "b/x.py"]),
        (&[("a/x.py", b""), ("x.py", b"")], &["a/x.py", "x.py"]),
        (&[("x.py", b"")], &["x.py"]),
        (&[("./a/x.py", b""), ("./a/y.py", b"")], &["x.py", "y.py"]),
    ];
    for (files, expected) in cases {
        assert_eq!(paths(&open(&tar(files))), expected);
        if !files[0].0.starts_with('.') {
            assert_eq!(paths(&open(&zip(files))), expected);
        }
    }
}

#[test]
fn hostile_tar_members_are_left_out() {
    let mut bytes = Vec::new();
    for name in ["../a.py", "/b.py", "C:/c.py", "d\\d.py", "x/../../e.py", "x/.git/config"] {
        member(&mut bytes, name.as_bytes(), EntryType::Regular, b"x");
    }
    member(&mut bytes, b"\xff.py", EntryType::Regular, b"x");
    member(&mut bytes, b"link.py", EntryType::Symlink, b"");
    member(&mut bytes, b"hard.py", EntryType::Link, b"");
    member(&mut bytes, b"dev.py", EntryType::Char, b"");
    member(&mut bytes, b"twice.py", EntryType::Regular, b"first");
    member(&mut bytes, b"twice.py", EntryType::Regular, b"last");
    member(&mut bytes, b"lfs.py", EntryType::Regular, b"version https://git-lfs.github.com/spec/v1\n");
    member(&mut bytes, b"large.py", EntryType::Regular, &[b'x'; 101]);
    let limits = Limits { max_file_bytes: 100, ..Limits::default() };
    let mut archive = open_within(&ended(bytes), &limits).unwrap();
    let expected = [
        ("../a.py", Reason::UnsafePath),
        ("/b.py", Reason::UnsafePath),
        ("C:/c.py", Reason::UnsafePath),
        ("d\\d.py", Reason::UnsafePath),
        ("dev.py", Reason::NotARegularFile),
        ("hard.py", Reason::HardLink),
        ("large.py", Reason::FileTooLarge),
        ("link.py", Reason::Symlink),
        ("twice.py", Reason::Shadowed),
        ("x/../../e.py", Reason::UnsafePath),
        ("x/.git/config", Reason::UnsafePath),
        ("\u{fffd}.py", Reason::PathNotUtf8),
    ];
    assert_eq!(left_out(&archive), expected);
    assert_eq!(paths(&archive), ["lfs.py", "twice.py"]);
    assert!(matches!(archive.read(0).unwrap(), Reading::LeftOut(row) if row.reason == Reason::LfsPointer));
    assert_eq!(file(&mut archive, 1), b"last");
}

#[test]
fn long_names_of_both_kinds_are_understood() {
    let long = format!("{}/a.py", "d".repeat(150));
    let mut bytes = Vec::new();
    member(&mut bytes, b"././@LongLink", EntryType::GNULongName, format!("{long}\0").as_bytes());
    member(&mut bytes, b"short", EntryType::Regular, b"1");
    let attribute = "23 path=from attribute\n";
    member(&mut bytes, b"pax", EntryType::XHeader, attribute.as_bytes());
    member(&mut bytes, b"short", EntryType::Regular, b"2");
    assert_eq!(paths(&open(&ended(bytes))), [long.as_str(), "from attribute"]);
}

#[test]
fn hostile_zip_members_are_left_out() {
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    writer.start_file("../a.py", SimpleFileOptions::default()).unwrap();
    writer.add_symlink("link.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    writer.start_file("one.py", SimpleFileOptions::default()).unwrap();
    writer.write_all(b"first").unwrap();
    writer.start_file("two.py", SimpleFileOptions::default()).unwrap();
    writer.write_all(b"last").unwrap();
    writer.start_file("key.py", SimpleFileOptions::default()).unwrap();
    writer.start_file("odd.py", SimpleFileOptions::default()).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    // What the writer refuses to make: a repeated name, an encrypted member, an unknown method.
    replace(&mut bytes, b"two.py", b"one.py");
    patch_directory(&mut bytes, b"key.py", 8, 1);
    patch_directory(&mut bytes, b"odd.py", 10, 97);
    let mut archive = open(&bytes);
    let expected = [
        ("../a.py", Reason::UnsafePath),
        ("key.py", Reason::Encrypted),
        ("link.py", Reason::Symlink),
        ("odd.py", Reason::UnsupportedCompression),
        ("one.py", Reason::Shadowed),
    ];
    assert_eq!(left_out(&archive), expected);
    assert_eq!(file(&mut archive, 0), b"last");
}

fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    for at in 0..=bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
}

/// Sets one byte of the directory's entry of this name; its header takes 46 bytes.
fn patch_directory(bytes: &mut [u8], name: &[u8], offset: usize, value: u8) {
    let at = (0..bytes.len()).rfind(|at| bytes[*at..].starts_with(name)).unwrap();
    bytes[at - 46 + offset] = value;
}

#[test]
fn bombs_end_at_the_limits() {
    let zeros = vec![0; 70 << 20];
    for bytes in [gz(&tar(&[("a.md", &zeros)])), zip(&[("a.md", &zeros)])] {
        assert_eq!(reason(&bytes), "archive_bomb");
        let generous = Limits { max_compression_ratio: 100_000, ..Limits::default() };
        assert!(open_within(&bytes, &generous).is_ok());
        let small = Limits { max_decompressed_bytes: 1 << 20, ..generous };
        assert_eq!(open_within(&bytes, &small).err().unwrap().reason(), "archive_bomb");
    }
    let files: [(&str, &[u8]); 3] = [("a.py", &[b'x'; 60]), ("b.py", &[b'x'; 60]), ("c.md", b"")];
    for bytes in [gz(&tar(&files)), zip(&files)] {
        let few = Limits { max_entries: 2, ..Limits::default() };
        assert_eq!(open_within(&bytes, &few).err().unwrap().reason(), "archive_bomb");
        let small = Limits { max_kept_bytes: 100, ..Limits::default() };
        assert_eq!(open_within(&bytes, &small).err().unwrap().reason(), "repository_too_large");
    }
}

#[test]
fn truncation_and_damage_are_told_apart() {
    let noise: Vec<u8> = (0..9_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let files: [(&str, &[u8]); 2] = [("a.py", &noise), ("b.py", b"b")];
    let plain = tar(&files);
    for bytes in [plain.clone(), gz(&plain), xz(&plain), zip(&files)] {
        assert_eq!(reason(&bytes[..bytes.len() / 2]), "archive_truncated");
    }
    for (mut bytes, at) in
        [(gz(&plain), 5_000), (xz(&plain), 5_000), (zip(&files), 5_000), (plain.clone(), 36_864)]
    {
        bytes[at] ^= 0x10;
        assert_eq!(reason(&bytes), "archive_corrupt", "at {at}");
    }
    assert_eq!(reason(&plain[..plain.len() - 1024]), "archive_truncated", "no end mark");
    for bytes in [b"hello".as_slice(), b"", b"BZh91AY", &gz(b"no tar inside"), &[0x28, 0xb5, 0x2f, 0xfd]] {
        assert_eq!(reason(bytes), "archive_unsupported");
    }
    let missing = Archive::open(Path::new("/nonexistent"), &Limits::default(), &|_| true).err().unwrap();
    assert_eq!(missing.reason(), "repository_missing");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(kind in 0..4_usize, body in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let magic: [&[u8]; 4] = [b"", b"\x1f\x8b\x08\0", b"\xfd7zXZ\0", b"PK\x03\x04"];
        let _ = open_within(&[magic[kind], &body].concat(), &Limits::default());
    }

    #[test]
    fn mutated_archives_never_panic(
        kind in 0..4_usize,
        mutations in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
    ) {
        let files: [(&str, &[u8]); 2] = [("x/a.py", b"def test(): pass"), ("x/b.py", &[b'x'; 600])];
        let plain = tar(&files);
        let mut bytes = match kind {
            0 => plain,
            1 => gz(&plain),
            2 => xz(&plain),
            _ => zip(&files),
        };
        for (at, value) in mutations {
            let at = at.index(bytes.len());
            bytes[at] ^= value;
        }
        if !whole {
            bytes.truncate(cut.index(bytes.len()));
        }
        let _ = open_within(&bytes, &Limits { max_decompressed_bytes: 64 << 20, ..Limits::default() });
    }
}
