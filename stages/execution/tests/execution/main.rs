//! A small repository of our own, built and run for real: bubblewrap, uv and the package index are needed
//! (`scripts/install_execution_tools`).

mod coverage;
mod hostile;
mod problems;
mod repository;
