//! Near-duplicates of code: MinHash signatures, verified likeness, clusters.
