//! Where the programs are that judging needs.

use std::ffi::OsString;
use std::path::PathBuf;

/// Where things are; every absent one is looked for.
#[derive(Clone, Debug, Default)]
pub struct ToolPaths {
    /// The helper `vosim-sandbox`.
    pub sandbox: Option<PathBuf>,
    /// The Python interpreter.
    pub python: Option<PathBuf>,
    /// The Node.js that runs JavaScript.
    pub node: Option<PathBuf>,
    /// Directories with programs, as in PATH.
    pub search_path: Option<OsString>,
    /// The accounts that run code when the daemon itself runs as root, as the helper takes them.
    pub user: Option<String>,
}
