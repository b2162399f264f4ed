//! Go.

use super::rules::{PLAIN, Rules};

pub(super) static RULES: Rules = Rules { language: "go", ..PLAIN };
