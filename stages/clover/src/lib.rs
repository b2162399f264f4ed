//! CLOVER (Xu et al., 2025): a benchmark of writing tests, made of tests that run and of the lines that each covers.
//!
//! From cut-out tests with their coverage the crate makes the examples of the three tasks, the oracle context of
//! each under a budget of tokens, prompts, and later the grades of what models answer. It knows nothing of Parquet, of
//! processes and of sandboxes.

pub mod build;
pub mod calibration;
pub mod card;
pub mod case;
pub mod context;
pub mod cut;
pub mod draw;
pub mod evaluation;
pub mod prompt;
pub mod settings;
pub mod syntax;
pub mod tasks;
pub mod trial;
pub mod trivial;

pub use settings::Settings;
