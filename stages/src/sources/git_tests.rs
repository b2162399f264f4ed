//! Repositories as they should not be, each built from raw objects.

use super::*;
use crate::sources::{LeftOut, open};
use git2::Signature;
use tempfile::TempDir;

/// A bare repository that is filled object by object.
struct Fixture {
    directory: TempDir,
    repository: Repository,
}

impl Fixture {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let repository = Repository::init_bare(directory.path()).unwrap();
        Self { directory, repository }
    }

    fn blob(&self, content: &[u8]) -> Oid {
        self.repository.blob(content).unwrap()
    }

    /// Writes a tree byte by byte, so that names may be what no honest git writes.
    fn tree(&self, entries: &[(&str, &[u8], Oid)]) -> Oid {
        let mut raw = Vec::new();
        for (mode, name, id) in entries {
            raw.extend_from_slice(mode.as_bytes());
            raw.push(b' ');
            raw.extend_from_slice(name);
            raw.push(0);
            raw.extend_from_slice(id.as_bytes());
        }
        self.repository.odb().unwrap().write(ObjectType::Tree, &raw).unwrap()
    }

    fn commit(&self, reference: &str, tree: Oid) -> Oid {
        let raw = format!("tree {tree}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n");
        let id = self.repository.odb().unwrap().write(ObjectType::Commit, raw.as_bytes()).unwrap();
        self.repository.reference(reference, id, true, "").unwrap();
        id
    }

    fn open(&self, revision: Option<&str>) -> Result<Git, SourceError> {
        self.open_within(revision, &Limits::default())
    }

    fn open_within(&self, revision: Option<&str>, limits: &Limits) -> Result<Git, SourceError> {
        Git::open(self.directory.path(), revision, limits, &|_| true)
    }

    fn object_file(&self, id: Oid) -> std::path::PathBuf {
        let hex = id.to_string();
        self.directory.path().join("objects").join(&hex[..2]).join(&hex[2..])
    }
}

fn reason(result: Result<Git, SourceError>) -> &'static str {
    result.err().unwrap().reason()
}

fn left_out(git: &Git) -> Vec<(&str, Reason)> {
    git.listing().left_out.iter().map(|row| (row.path.as_str(), row.reason)).collect()
}

fn overwrite(path: &Path, bytes: &[u8]) {
    // Objects are written read-only.
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn files_come_in_byte_order_with_their_bytes() {
    let fixture = Fixture::new();
    let (a, b) = (fixture.blob(b"a"), fixture.blob(b"bb"));
    let inner = fixture.tree(&[("100644", b"x.py", b)]);
    let tree = fixture.tree(&[("40000", b"src", inner), ("100755", b"src-b.py", a), ("100644", b"a.md", a)]);
    let commit = fixture.commit("refs/heads/master", tree);
    let mut git =
        Git::open(fixture.directory.path(), None, &Limits::default(), &|path| path.ends_with(".py")).unwrap();
    assert_eq!(git.pin(), &Pin { kind: SourceKind::Git, commit: commit.to_string() });
    let paths: Vec<_> = git.listing().files.iter().map(|file| (file.path.as_str(), file.bytes)).collect();
    assert_eq!(paths, [("src-b.py", 1), ("src/x.py", 2)]);
    assert_eq!(git.listing().unwanted, 1);
    assert_eq!(git.listing().files[1].blob, BlobId::of(b"bb"));
    assert_eq!(git.read(1).unwrap(), Reading::File(b"bb".into()));
    assert_eq!(git.read(2).unwrap_err().reason(), "read_failed");
}

#[test]
fn hostile_entries_are_left_out_with_their_reasons() {
    let fixture = Fixture::new();
    let blob = fixture.blob(b"a");
    let inner = fixture.tree(&[("100644", b"x.py", blob)]);
    let tree = fixture.tree(&[
        ("40000", b"..", inner),
        ("40000", b".GIT", inner),
        ("40000", b".", inner),
        ("100644", b"a/b.py", blob),
        ("100644", b"a\\b.py", blob),
        ("100644", b"\xff.py", blob),
        ("120000", b"link.py", blob),
        ("160000", b"module", Oid::from_str(&"1".repeat(40)).unwrap()),
        ("100644", b"twice.py", blob),
        ("100644", b"twice.py", fixture.blob(b"last")),
    ]);
    fixture.commit("refs/heads/master", tree);
    let mut git = fixture.open(None).unwrap();
    let expected = [
        (".", Reason::UnsafePath),
        ("..", Reason::UnsafePath),
        (".GIT", Reason::UnsafePath),
        ("a/b.py", Reason::UnsafePath),
        ("a\\b.py", Reason::UnsafePath),
        ("link.py", Reason::Symlink),
        ("module", Reason::Submodule),
        ("twice.py", Reason::Shadowed),
        ("\u{fffd}.py", Reason::PathNotUtf8),
    ];
    assert_eq!(left_out(&git), expected);
    assert_eq!(git.listing().files.len(), 1);
    assert_eq!(git.read(0).unwrap(), Reading::File(b"last".into()));
}

#[test]
fn large_and_lfs_files_are_left_out() {
    let fixture = Fixture::new();
    let pointer = fixture.blob(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    let large = fixture.blob(&[b'x'; 101]);
    fixture.commit("refs/heads/master", fixture.tree(&[("100644", b"a", large), ("100644", b"b", pointer)]));
    let mut git = fixture.open_within(None, &Limits { max_file_bytes: 100, ..Limits::default() }).unwrap();
    let row = &git.listing().left_out[0];
    assert_eq!(
        (row.reason, row.bytes, row.blob),
        (Reason::FileTooLarge, 101, Some(BlobId::of(&[b'x'; 101])))
    );
    assert!(matches!(git.read(0).unwrap(), Reading::LeftOut(LeftOut { reason: Reason::LfsPointer, .. })));
}

#[test]
fn revisions_are_ids_tags_and_branches() {
    let fixture = Fixture::new();
    let one = fixture.commit("refs/heads/one", fixture.tree(&[]));
    let two = fixture.commit("refs/heads/two", fixture.tree(&[("100644", b"a", fixture.blob(b"a"))]));
    let object = fixture.repository.find_object(two, None).unwrap();
    let by = Signature::new("a", "a@b", &git2::Time::new(0, 0)).unwrap();
    fixture.repository.tag("v1", &object, &by, "annotated", false).unwrap();
    fixture.repository.reference("refs/tags/blob", fixture.blob(b"a"), true, "").unwrap();
    let (one, two) = (one.to_string(), two.to_string());
    let cases =
        [(one.as_str(), &one), (&one[..8], &one), ("one", &one), ("v1", &two), ("refs/heads/two", &two)];
    for (revision, commit) in cases {
        assert_eq!(&fixture.open(Some(revision)).unwrap().pin().commit, commit, "{revision}");
    }
    for revision in ["three", "HEAD~1", "blob", &"0".repeat(40), "0000", "", ":/x", "../../x"] {
        assert_eq!(reason(fixture.open(Some(revision))), "revision_not_found", "{revision}");
    }
}

#[test]
fn the_default_is_head_or_a_usual_branch() {
    let fixture = Fixture::new();
    assert_eq!(reason(fixture.open(None)), "repository_empty");
    fixture.repository.set_head("refs/heads/gone").unwrap();
    let commit = fixture.commit("refs/heads/other", fixture.tree(&[]));
    assert_eq!(reason(fixture.open(None)), "default_branch_gone");
    fixture.commit("refs/heads/main", fixture.tree(&[]));
    assert_eq!(fixture.open(None).unwrap().pin().commit, commit.to_string());
}

#[test]
fn damage_is_an_error_of_the_repository() {
    let fixture = Fixture::new();
    let blob = fixture.blob(b"hello");
    let tree = fixture.tree(&[("100644", b"a", blob)]);
    fixture.commit("refs/heads/master", tree);
    // The bytes of another blob under this id: well-formed, but the hash does not fit.
    let other = std::fs::read(fixture.object_file(fixture.blob(b"hallo"))).unwrap();
    overwrite(&fixture.object_file(blob), &other);
    let error = fixture.open(None).unwrap().read(0).unwrap_err();
    assert_eq!(error.reason(), "repository_corrupt", "{error}");

    overwrite(&fixture.object_file(blob), b"");
    assert_eq!(reason(fixture.open(None)), "repository_corrupt");
    std::fs::remove_file(fixture.object_file(tree)).unwrap();
    assert_eq!(reason(fixture.open(None)), "repository_corrupt");
}

#[test]
fn a_file_that_a_clone_lacks_is_left_out_where_that_is_asked_and_damage_else() {
    let fixture = Fixture::new();
    let blobs = [fixture.blob(b"small"), fixture.blob(b"large")];
    let tree = fixture.tree(&[("100644", b"a", blobs[0]), ("100644", b"b", blobs[1])]);
    fixture.commit("refs/heads/master", tree);
    std::fs::remove_file(fixture.object_file(blobs[1])).unwrap();
    assert_eq!(reason(fixture.open(None)), "repository_corrupt");

    let limits = Limits { may_lack_blobs: true, ..Limits::default() };
    let git = fixture.open_within(None, &limits).unwrap();
    assert_eq!(left_out(&git), [("b", Reason::NotCloned)]);
    assert_eq!(git.listing().files.len(), 1);
    // What is there and broken stays damage.
    overwrite(&fixture.object_file(blobs[0]), b"");
    assert_eq!(reason(fixture.open_within(None, &limits)), "repository_corrupt");
}

#[test]
fn a_truncated_or_flipped_pack_is_damage() {
    for damage in [true, false] {
        let fixture = Fixture::new();
        let content: Vec<u8> =
            (0..9_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let blob = fixture.blob(&content);
        let tree = fixture.tree(&[("100644", b"a", blob)]);
        let commit = fixture.commit("refs/heads/master", tree);
        let mut builder = fixture.repository.packbuilder().unwrap();
        builder.insert_commit(commit).unwrap();
        let at = fixture.directory.path().join("objects/pack");
        builder.write(&at, 0).unwrap();
        for id in [blob, tree, commit] {
            std::fs::remove_file(fixture.object_file(id)).unwrap();
        }
        let packs = std::fs::read_dir(&at).unwrap().map(|entry| entry.unwrap().path());
        let pack = packs.into_iter().find(|path| path.extension().is_some_and(|end| end == "pack")).unwrap();
        let mut bytes = std::fs::read(&pack).unwrap();
        if damage {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        } else {
            bytes.truncate(bytes.len() / 2);
        }
        overwrite(&pack, &bytes);
        let outcome = fixture.open(None).and_then(|mut git| git.read(0).map(|_| ()));
        assert_eq!(outcome.unwrap_err().reason(), "repository_corrupt");
    }
}

#[test]
fn bombs_of_trees_end_at_the_limits() {
    let fixture = Fixture::new();
    let mut tree = fixture.tree(&[("100644", b"a", fixture.blob(b"a"))]);
    for _ in 0..9 {
        let names: Vec<_> = (b'a'..b'k').map(|letter| [letter]).collect();
        let entries: Vec<_> = names.iter().map(|name| ("40000", name.as_slice(), tree)).collect();
        tree = fixture.tree(&entries);
    }
    fixture.commit("refs/heads/master", tree);
    let limits = Limits { max_entries: 1000, ..Limits::default() };
    assert_eq!(reason(fixture.open_within(None, &limits)), "repository_too_large");

    let mut tree = fixture.tree(&[]);
    for _ in 0..5_000 {
        tree = fixture.tree(&[("40000", b"d", tree)]);
    }
    fixture.commit("refs/heads/master", tree);
    let git = fixture.open(None).unwrap();
    assert_eq!(git.listing().left_out[0].reason, Reason::TooDeep);
}

#[test]
fn objects_are_not_borrowed_from_elsewhere() {
    let fixture = Fixture::new();
    fixture.commit("refs/heads/master", fixture.tree(&[]));
    let alternates = fixture.directory.path().join("objects/info/alternates");
    std::fs::create_dir_all(alternates.parent().unwrap()).unwrap();
    std::fs::write(&alternates, "\n").unwrap();
    assert!(fixture.open(None).is_ok());
    std::fs::write(&alternates, "/other/objects\n").unwrap();
    assert_eq!(reason(fixture.open(None)), "repository_unsafe");
}

#[test]
fn only_the_named_directory_is_looked_at() {
    let directory = TempDir::new().unwrap();
    Repository::init(directory.path()).unwrap();
    let below = directory.path().join("below");
    std::fs::create_dir(&below).unwrap();
    for path in [below, directory.path().join("nothing")] {
        let location = crate::sources::Location::Git { location: path.display().to_string(), revision: None };
        let error = open(&location, &Limits::default(), &|_| true).err().unwrap();
        assert_eq!(error.reason(), "repository_missing");
        assert!(error.to_string().starts_with(&*path.to_string_lossy()), "{error}");
    }
}

#[test]
fn unknown_extensions_are_unsupported() {
    let fixture = Fixture::new();
    let config = "[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectformat = sha256\n";
    std::fs::write(fixture.directory.path().join("config"), config).unwrap();
    assert_eq!(reason(fixture.open(None)), "repository_unsupported");
}
