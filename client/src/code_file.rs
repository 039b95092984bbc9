//! Reads a candidate's file as bytes and refuses early what no judge could use.
//!
//! What the interpreter accepts is accepted here: an empty file, a byte-order mark, carriage
//! returns and other encodings than UTF-8 go through (DECISIONS 22).

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use vosim_protocol::Blob;
use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::problem::Language;

use crate::errors::Fault;

/// A file to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CodeFile {
    /// As the user named it.
    pub(crate) shown: String,
    /// Absolute, for the log.
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) code: Blob,
}

impl CodeFile {
    pub(crate) fn read(path: &Path, language: Option<Language>) -> Result<Self, Fault> {
        let shown = path.to_string_lossy().into_owned();
        let code = bytes(path, &shown)?;
        let language = language
            .or_else(|| language_of(path))
            .ok_or_else(|| Fault::UnknownLanguage { path: shown.clone() })?;
        let absolute = std::path::absolute(path)
            .map_err(|source| Fault::Unreadable { path: shown.clone(), source })?;
        let path = absolute.to_string_lossy().into_owned();
        Ok(Self { shown, path, language, code: Blob(code) })
    }
}

/// By the usual ending of its files.
pub(crate) fn language_of(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "py" | "pyw" => Some(Language::Python),
        "js" | "mjs" | "cjs" => Some(Language::Javascript),
        _ => None,
    }
}

/// What a regular file holds, and one byte more than the limit of one that is too large.
pub(crate) fn regular_file(path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let shown = || path.to_string_lossy().into_owned();
    let unreadable = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            Fault::FileMissing { path: shown() }
        }
        _ => Fault::Unreadable { path: shown(), source },
    };
    // A named pipe would block at opening, a device never end.
    let meta = path.metadata().map_err(unreadable)?;
    if meta.is_dir() {
        return Err(Fault::Directory { path: shown() });
    }
    if !meta.is_file() {
        return Err(Fault::NotAFile { path: shown() });
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

fn bytes(path: &Path, shown: &str) -> Result<Vec<u8>, Fault> {
    let shown = || shown.to_owned();
    let limit = SUBMISSION_MAX_BYTES as u64;
    let code = regular_file(path, limit)?;
    if code.len() as u64 > limit {
        let bytes = path.metadata().map_or(0, |meta| meta.len()).max(code.len() as u64);
        return Err(Fault::TooLarge { path: shown(), bytes });
    }
    match code.iter().position(|&byte| byte == 0) {
        Some(at) => Err(Fault::Binary { path: shown(), at }),
        None => Ok(code),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir, write};

    use super::*;

    fn read(name: &str, content: &[u8]) -> Result<CodeFile, Fault> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        write(&path, content).unwrap();
        CodeFile::read(&path, None)
    }

    #[test]
    fn what_python_accepts_is_taken_as_it_is() {
        let odd: [&[u8]; 4] = [b"", b"\xef\xbb\xbfx = 1\r\n", b"# \xe9\n", b"\tx\n"];
        for content in odd {
            assert_eq!(read("größe mit blank.py", content).unwrap().code.0, content);
        }
    }

    #[test]
    fn what_is_no_program_text_is_named() {
        assert!(matches!(read("a.py", b"ab\0"), Err(Fault::Binary { at: 2, .. })));
        let large = vec![b'#'; SUBMISSION_MAX_BYTES + 1];
        assert!(matches!(read("a.py", &large), Err(Fault::TooLarge { .. })));
        assert!(read("a.py", &large[1..]).is_ok());
        assert!(matches!(read("a.txt", b""), Err(Fault::UnknownLanguage { .. })));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let missing = CodeFile::read(&dir.path().join("missing.py"), None);
        assert!(matches!(missing, Err(Fault::FileMissing { .. })));
        create_dir(dir.path().join("d.py")).unwrap();
        let directory = CodeFile::read(&dir.path().join("d.py"), None);
        assert!(matches!(directory, Err(Fault::Directory { .. })));
        let device = CodeFile::read(Path::new("/dev/zero"), Some(Language::Python));
        assert!(matches!(device, Err(Fault::NotAFile { .. })));
    }

    #[test]
    fn a_language_that_is_said_wins_over_the_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.PY");
        write(&path, "").unwrap();
        assert_eq!(CodeFile::read(&path, None).unwrap().language, Language::Python);
        let said = CodeFile::read(&path, Some(Language::Javascript)).unwrap();
        assert_eq!(said.language, Language::Javascript);
    }
}
