//! Runs the code of repositories in a sandbox: environments, single tests, their coverage.
