//! Outputs that cannot be written end the run with the name of the file; what is finished stays.

use crate::harness::{Workplace, carry_out, command, same, samples};
use std::fs;
use std::path::PathBuf;

#[test]
fn an_output_below_a_file_is_refused() {
    let place = Workplace::new();
    place.write("file", "");
    let run = place.run_into("refused", &place.at("file/run"), &samples(&["samples"]));
    run.go(&[]).exits(2).says("cannot create the output folder").says("choose another in `run.output`");
}

/// A file system that is soon full and goes away with the test.
pub struct SmallDisk(pub PathBuf);

impl SmallDisk {
    /// Nothing where this user may mount none.
    pub fn mount(at: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let mut mount = command("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(&at);
        (carry_out(mount).code == Some(0)).then_some(Self(at))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let mut umount = command("umount");
        umount.arg(&self.0);
        carry_out(umount);
    }
}

#[test]
fn a_full_disk_ends_the_run_and_keeps_what_is_finished() {
    let place = Workplace::new();
    let config = samples(&["samples"]);
    let Some(disk) = SmallDisk::mount(place.at("disk"), "400k") else {
        println!("skipped: this user may not mount a small disk");
        return;
    };
    let output = disk.0.join("run");
    let run = place.run_into("full", &output, &config);
    let outcome = run.go(&[]).exits(2).says("free some space and start the run again");
    assert!(
        outcome.stderr.contains(&format!("{}/", output.display())),
        "it names the file: {}",
        outcome.stderr
    );
    let finished = run.stamps().into_iter().filter(|(name, _)| name.contains("/shard-"));
    let finished: Vec<_> = finished.collect();
    assert!(!finished.is_empty());
    let mut grow = command("mount");
    grow.args(["-o", "remount,size=64m"]).arg(&disk.0);
    carry_out(grow).exits(0);
    run.go(&[]).exits(0);
    let now = run.stamps();
    assert!(
        finished.iter().all(|(name, stamp)| now[name] == *stamp),
        "finished shards are not written again"
    );
    let scratch = place.run("scratch", &config);
    scratch.go(&[]).exits(0);
    same(&run.bytes(), &scratch.bytes());
}

#[test]
fn a_file_that_may_not_grow_ends_the_run() {
    let place = Workplace::new();
    let config = samples(&["samples"]);
    let run = place.run("limited", &config);
    // As on a full disk, but for any user: files end at 16 blocks of 1 KiB, and the signal is ignored.
    let mut bash = command("bash");
    bash.args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_trefoil")]);
    bash.args(run.arguments(&[]));
    carry_out(bash).exits(2).says("File too large").says("cannot write").says(run.output.to_str().unwrap());
    run.go(&[]).exits(0);
    let scratch = place.run("scratch", &config);
    scratch.go(&[]).exits(0);
    same(&run.bytes(), &scratch.bytes());
}

#[test]
fn timings_go_where_they_are_wanted() {
    let place = Workplace::new();
    place.project("quick");
    let run = place.run("timed", &crate::harness::repository("quick", ""));
    // A bare file name counts from the folder that the program is started in.
    let mut trefoil = command(env!("CARGO_BIN_EXE_trefoil"));
    trefoil.args(run.arguments(&["--timings", "timings.json"])).current_dir(place.at("quick"));
    carry_out(trefoil).exits(0);
    assert!(place.at("quick/timings.json").exists());
    run.go(&["--timings", place.at("timed.toml/below").to_str().unwrap()]).exits(2).says("timed.toml");
}
