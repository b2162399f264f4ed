//! The whole program on small repositories: killed, run again, given bad input, asked questions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "the whole crate is a test, its plain functions too"
)]

mod bad_input;
mod clones;
mod clover;
mod commands;
mod contest;
mod discover;
mod disk;
mod divisions;
mod environment;
mod evaluate;
mod harness;
mod incremental;
mod kill_and_resume;
mod lists;
#[path = "../../../stages/storage/tests/server/mod.rs"]
mod s3;
mod sandboxed;
mod training;
mod unit_tests;
