//! The stages of the pipeline.

pub mod sources;
