//! Discovery against the stand-in, over real HTTP.

#![allow(clippy::unwrap_used, reason = "the whole crate is a test, its plain functions too")]

mod certificate;
mod durable;
mod faults;
mod harness;
mod limits;
mod names;
mod scale;
mod secrets;
