//! People's own problems beside the store: a backup carries their files along, and a restore brings back
//! those whose place is free. What is in them is not looked at.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::OpenError;
use crate::files::{entries, make_dir, parent, remove_tree, replace, sync_dir};

/// The folder of a data folder that holds them, each in a folder of its name.
pub const PACKAGES: &str = "problems";
/// Where they arrive before each is moved to its place as a whole; no package has such a name.
const ARRIVING: &str = ".restored";
/// What no package may hold: larger files, and folders further down.
const FILE_MAX_BYTES: u64 = 8 * 1024 * 1024;
const DEPTH_MAX: usize = 8;

/// What became of the packages of a backup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packages {
    /// Those that were brought back.
    pub back: Vec<String>,
    /// Those in whose place something stands, which was left as it is.
    pub left: Vec<String>,
}

/// The files of all packages in a data folder: each with its path below their folder.
pub(crate) fn files(dir: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for path in entries(&dir.join(PACKAGES))? {
        if let Some(name) = name_of(&path).filter(|_| is_dir(&path)) {
            below(&path, name, DEPTH_MAX, &mut found)?;
        }
    }
    Ok(found)
}

/// What no package may hold, such as links, is passed over: a package that has it is refused anyway.
fn below(
    dir: &Path,
    name: &str,
    depth: usize,
    found: &mut Vec<(String, PathBuf)>,
) -> io::Result<()> {
    for path in entries(dir)? {
        let Some(own) = name_of(&path) else { continue };
        let name = format!("{name}/{own}");
        let metadata = fs::symlink_metadata(&path)?;
        if metadata.is_dir() && depth > 0 {
            below(&path, &name, depth - 1, found)?;
        } else if metadata.is_file() && metadata.len() <= FILE_MAX_BYTES {
            found.push((name, path));
        }
    }
    Ok(())
}

fn is_dir(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// A name that counts in a package.
fn name_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    (!name.starts_with('.') || name == ".vosim").then_some(name)
}

/// The path of a file below the folder of packages, as an entry of a backup names it.
pub(crate) fn checked(name: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(name).ok()?;
    let plain = |part: &str| name_of(Path::new(part)) == Some(part);
    let parts: Vec<_> = name.split('/').collect();
    (parts.len() >= 2 && parts[0] != ".vosim" && parts.iter().all(|part| plain(part)))
        .then_some(name)
}

/// Packages on their way back.
#[derive(Debug)]
pub(crate) struct Arriving {
    place: PathBuf,
    /// Where they are meanwhile.
    beside: PathBuf,
    names: BTreeSet<String>,
}

impl Arriving {
    /// Begins where nothing stands: what a crash has left of others may be somebody's own by now.
    pub(crate) fn begin(dir: &Path) -> Self {
        let place = dir.join(PACKAGES);
        let free = |name: &String| place.join(name).symlink_metadata().is_err();
        let beside = (1..).map(|number: u32| format!("{ARRIVING}-{number}")).find(free);
        let beside = place.join(beside.unwrap_or_else(|| ARRIVING.to_owned()));
        Self { place, beside, names: BTreeSet::new() }
    }

    /// Takes a file.
    pub(crate) fn take(&mut self, name: &str, bytes: &mut dyn Read) -> Result<(), OpenError> {
        let path = self.beside.join(name);
        make_dir(parent(&path)).map_err(OpenError::io("making the folder of", &path))?;
        let copied = replace(&path, |file| io::copy(bytes, file).map(drop));
        copied.map_err(OpenError::io("writing", &path))?;
        self.names.extend(name.split('/').next().map(str::to_owned));
        Ok(())
    }

    /// Moves each to its place, unless something stands there.
    pub(crate) fn finish(self) -> Result<Packages, OpenError> {
        let mut packages = Packages::default();
        for name in &self.names {
            let place = self.place.join(name);
            if fs::symlink_metadata(&place).is_ok() {
                packages.left.push(name.clone());
                continue;
            }
            fs::rename(self.beside.join(name), &place).map_err(OpenError::io("writing", &place))?;
            packages.back.push(name.clone());
        }
        self.give_up()?;
        if !packages.back.is_empty() {
            sync_dir(&self.place).map_err(OpenError::io("syncing", &self.place))?;
        }
        Ok(packages)
    }

    /// Removes what has arrived and has no place.
    pub(crate) fn give_up(&self) -> Result<(), OpenError> {
        remove_tree(&self.beside).map_err(OpenError::io("removing", &self.beside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_but_into_a_package() {
        for name in ["birds/problem.yaml", "birds/.vosim/cases.json", "b/a/c/d.py"] {
            assert_eq!(checked(name.as_bytes()), Some(name));
        }
        let others = ["birds", "", "/etc/passwd", "../a/b", "a/../b", "a//b", "a/./b", "a/.git/b"];
        for name in others.into_iter().chain([".vosim/a", ".restored/a/b", "a/"]) {
            assert_eq!(checked(name.as_bytes()), None, "{name:?}");
        }
        assert_eq!(checked(b"a/\xff"), None);
    }
}
