//! Reads a candidate's file as bytes.
//!
//! What is in it is for the language to judge: an empty file, a byte-order mark, carriage returns,
//! other encodings than UTF-8 and zero bytes go through (DECISIONS 22 and 42).

use std::path::Path;

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::problem::{Language, listed};
use vosim_protocol::{Blob, ErrorCode};

use crate::errors::{Failure, code, user_error};
use crate::files::{regular_file, unreadable};

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
    pub(crate) fn read(path: &Path, language: Option<Language>) -> Result<Self, Failure> {
        let code = bytes(path)?;
        let language = language.or_else(|| language_of(path));
        let language = language.ok_or_else(|| unknown_language(path))?;
        let absolute = std::path::absolute(path).map_err(|error| unreadable(path, &error))?;
        Ok(Self {
            shown: path.to_string_lossy().into_owned(),
            path: absolute.to_string_lossy().into_owned(),
            language,
            code: Blob(code),
        })
    }

    /// The same file with other bytes in it.
    pub(crate) fn holding(&self, bytes: Vec<u8>) -> Self {
        Self { code: Blob(bytes), ..self.clone() }
    }

    /// A file that is only asked about: its language is not told on, so any name will do.
    pub(crate) fn asked_about(path: &Path) -> Result<Self, Failure> {
        Self::read(path, Some(language_of(path).unwrap_or(Language::Python)))
    }
}

/// By the usual ending of its files.
pub(crate) fn language_of(path: &Path) -> Option<Language> {
    Language::of_ending(path.extension()?.to_str()?)
}

pub(crate) fn unknown_language(path: &Path) -> Failure {
    let message = format!("the language cannot be told from the name {}", path.display());
    let known = Language::ALL.map(|language| format!("--language {language}"));
    let hint = format!("Name it with {}", listed(&known, "or"));
    user_error(code::UNKNOWN_LANGUAGE, message).hint(hint)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let limit = SUBMISSION_MAX_BYTES as u64;
    let code = regular_file(path, limit)?;
    if code.len() as u64 > limit {
        let bytes = path.metadata().map_or(0, |meta| meta.len()).max(code.len() as u64);
        let message = format!(
            "the file has {bytes} bytes; a submission has at most {limit} (512 KiB): {shown}"
        );
        return Err(user_error(ErrorCode::TooLarge, message));
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir, write};
    use std::os::unix::net::UnixListener;

    use super::*;

    fn read(name: &str, content: &[u8]) -> Result<CodeFile, Failure> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        write(&path, content).unwrap();
        CodeFile::read(&path, None)
    }

    #[test]
    fn what_a_language_can_judge_is_taken_as_it_is() {
        let odd: [&[u8]; 6] = [
            b"",
            b"\xef\xbb\xbfx = 1\r\n",
            b"# \xe9\n",
            b"\tx\n",
            // Python says what it has against these.
            b"ab\0",
            b"\xff\xfex\0",
        ];
        for content in odd {
            assert_eq!(read("größe mit blank.py", content).unwrap().code.0, content);
        }
    }

    fn told(result: Result<CodeFile, Failure>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn what_is_too_large_or_of_no_language_is_named() {
        let large = vec![b'#'; SUBMISSION_MAX_BYTES + 1];
        let refused = told(read("a.py", &large));
        assert!(refused.starts_with("the file has 524289 bytes; a submission has at most 524288"));
        assert!(read("a.py", &large[1..]).is_ok());
        assert!(told(read("a.txt", b"")).starts_with("the language cannot be told from the name "));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let missing = told(CodeFile::read(&dir.path().join("missing.py"), None));
        // 000: error messages
        assert_eq!(missing, format!("File not found: {}/missing.py", dir.path().display()));
        create_dir(dir.path().join("d.py")).unwrap();
        let directory = told(CodeFile::read(&dir.path().join("d.py"), None));
        assert!(directory.starts_with("this is a directory, not a file: "), "{directory}");
        let socket = dir.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        for none in [Path::new("/dev/zero"), Path::new("/proc/self/mem"), socket.as_path()] {
            let refused = told(CodeFile::read(none, Some(Language::Python)));
            assert_eq!(refused, format!("this is not a regular file: {}", none.display()));
        }
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
