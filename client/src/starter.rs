//! Writes the file a candidate starts from, never over an existing one.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use vosim_protocol::ProblemId;
use vosim_protocol::v1::problem::Language;

use crate::errors::{Failure, usage_error};
use crate::files::{not_in_the_store, regular_file, unwritable};

/// Names tried before giving up.
const NAMES_MAX: u32 = 99;

/// What became of a starter file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Starter {
    /// The file was written.
    Written(PathBuf),
    /// The very same text stands there already.
    Same(PathBuf),
    /// Another file has the name; `free` is one that nobody has.
    Taken { path: PathBuf, free: Option<PathBuf> },
}

/// The usual name: the problem's id and the language's ending.
pub(crate) fn usual_name(problem: &ProblemId, language: Language) -> String {
    format!("{problem}.{}", language.extension())
}

/// The file of the usual name in a folder, in one of these languages.
pub(crate) fn usual_file(
    folder: &Path,
    problem: &ProblemId,
    languages: impl IntoIterator<Item = Language>,
) -> Result<PathBuf, Failure> {
    let paths = languages.into_iter().map(|language| folder.join(usual_name(problem, language)));
    let mut there = paths.filter(|path| path.is_file());
    match (there.next(), there.next()) {
        (Some(path), None) => Ok(path),
        (Some(one), Some(other)) => {
            let both = format!("{} and {} are both here", one.display(), other.display());
            Err(usage_error(both).hint("Name the file"))
        }
        (None, _) => Err(usage_error("the session knows of no file yet").hint("Name the file")),
    }
}

/// Writes a starter file, nowhere in the store's folder `data`.
pub(crate) fn write(path: &Path, text: &str, data: &Path) -> Result<Starter, Failure> {
    not_in_the_store(path, data)?;
    let unwritable = |error| unwritable(path, &error);
    // `create_new` neither truncates a file nor follows a link that somebody placed there.
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes()).map_err(unwritable)?;
            Ok(Starter::Written(path.into()))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let same =
                regular_file(path, text.len() as u64).is_ok_and(|there| there == text.as_bytes());
            Ok(if same {
                Starter::Same(path.into())
            } else {
                Starter::Taken { path: path.into(), free: free_name(path) }
            })
        }
        Err(error) => Err(unwritable(error)),
    }
}

/// `lru_cache_2.py`, `lru_cache_3.py` …
fn free_name(path: &Path) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_str()?;
    let ending =
        path.extension().and_then(|e| e.to_str()).map_or(String::new(), |e| format!(".{e}"));
    (2..=NAMES_MAX)
        .map(|n| path.with_file_name(format!("{stem}_{n}{ending}")))
        .find(|name| name.symlink_metadata().is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> Result<Starter, Failure> {
        super::write(path, text, Path::new("/no/such/data"))
    }

    #[test]
    fn an_existing_file_is_never_touched_and_another_name_is_offered() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lru_cache.py");
        assert_eq!(write(&path, "start").unwrap(), Starter::Written(path.clone()));
        assert_eq!(write(&path, "start").unwrap(), Starter::Same(path.clone()));
        std::fs::write(&path, "mine").unwrap();
        std::fs::write(dir.path().join("lru_cache_2.py"), "mine too").unwrap();
        let free = Some(dir.path().join("lru_cache_3.py"));
        assert_eq!(write(&path, "start").unwrap(), Starter::Taken { path: path.clone(), free });
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        let pipe = dir.path().join("pipe.py");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(matches!(write(&pipe, "start").unwrap(), Starter::Taken { .. }));
    }

    #[test]
    fn the_store_s_folder_is_not_written_in_under_any_name() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(at("data/exports")).unwrap();
        std::os::unix::fs::symlink(at("data"), at("link")).unwrap();
        for name in ["data/a.py", "data/exports/a.py", "link/a.py", "data/../data/a.py"] {
            let refused = super::write(&at(name), "x", &at("data")).unwrap_err();
            assert!(refused.is(crate::errors::code::FILE_EXISTS), "{name}");
        }
        assert!(super::write(&at("a.py"), "x", &at("data")).is_ok());
    }

    #[test]
    fn a_dangling_link_is_not_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.py");
        std::os::unix::fs::symlink(dir.path().join("elsewhere"), &path).unwrap();
        assert!(matches!(write(&path, "x").unwrap(), Starter::Taken { .. }));
        assert!(!dir.path().join("elsewhere").exists());
    }

    #[test]
    fn the_usual_name_is_the_problem_s() {
        let id: ProblemId = "lru_cache".parse().unwrap();
        assert_eq!(usual_name(&id, Language::Python), "lru_cache.py");
        assert_eq!(usual_name(&id, Language::Javascript), "lru_cache.js");
    }

    #[test]
    fn the_usual_file_is_the_only_one_of_its_name_that_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let id: ProblemId = "lru_cache".parse().unwrap();
        let found = || usual_file(dir.path(), &id, Language::ALL);
        assert_eq!(found().unwrap_err().to_string(), "the session knows of no file yet");
        std::fs::write(dir.path().join("lru_cache.py"), "x").unwrap();
        assert_eq!(found().unwrap(), dir.path().join("lru_cache.py"));
        std::fs::write(dir.path().join("lru_cache.js"), "x").unwrap();
        assert!(found().unwrap_err().to_string().ends_with("are both here"));
    }
}
