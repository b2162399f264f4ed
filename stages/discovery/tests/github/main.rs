//! Discovery against the stand-in, over real HTTP.

mod durable;
mod faults;
mod harness;
mod limits;
mod names;
mod scale;
mod secrets;
