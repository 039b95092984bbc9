//! Stories on the real binaries, one module for each; the harness stands beside.
#![expect(clippy::unwrap_used, clippy::panic, reason = "all of this binary is tests")]
