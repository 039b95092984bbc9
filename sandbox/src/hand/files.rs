//! The files that a run by hand brings along. It reads regular text files of this directory and
//! below, and nothing that was not named.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Largest file that is laid in, bytes.
const FILE_MAX: u64 = 4 * 1024 * 1024;

/// Reads a text, whole.
pub(super) fn text(path: &str) -> Result<String, String> {
    let told = |error: std::io::Error| format!("{path}: {error}");
    let mut text = String::new();
    let file = File::open(path).map_err(told)?;
    file.take(FILE_MAX + 1).read_to_string(&mut text).map_err(told)?;
    if text.len() as u64 > FILE_MAX {
        return Err(format!("{path} is larger than {FILE_MAX} bytes"));
    }
    Ok(text)
}

/// The files of `--file`.
pub(super) fn named(wanted: &[(String, String)]) -> Result<BTreeMap<String, String>, String> {
    wanted.iter().map(|(name, path)| Ok((name.clone(), text(path)?))).collect()
}

/// Lays every argument that is a file here into the working directory; returns the arguments as
/// they are called inside.
pub(super) fn lay(
    arguments: &[String],
    files: &mut BTreeMap<String, String>,
) -> Result<Vec<String>, String> {
    let mut laid: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut inside = Vec::new();
    for argument in arguments {
        let Some(name) = name_here(argument).filter(|name| !files_hold(files, &laid, name)) else {
            inside.push(argument.clone());
            continue;
        };
        let path = PathBuf::from(argument);
        if laid.get(&name).is_some_and(|other| *other != path) {
            return Err(format!("two files are called {name}; name one with --file"));
        }
        files.insert(name.clone(), text(argument)?);
        laid.insert(name.clone(), path);
        inside.push(name);
    }
    Ok(inside)
}

/// True for a name that `--file` has given.
fn files_hold(
    files: &BTreeMap<String, String>,
    laid: &BTreeMap<String, PathBuf>,
    name: &str,
) -> bool {
    files.contains_key(name) && !laid.contains_key(name)
}

/// The name of a regular file named by a relative path.
fn name_here(argument: &str) -> Option<String> {
    let path = Path::new(argument);
    if argument.starts_with('-') || path.is_absolute() || !path.is_file() {
        return None;
    }
    Some(path.file_name()?.to_str()?.to_owned())
}
