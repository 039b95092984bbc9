//! Writes a small whole package to begin one's own with; never over anything that is there.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use uuid::Uuid;
use vosim_protocol::ids::ProblemId;

use crate::content::catalog;

/// What a candidate's file must define.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// A class with methods.
    Class,
    /// A function.
    Function,
}

/// The id where the folder's name gives none.
const NAMELESS: &str = "my_problem";
/// Longest id that is made of a folder's name.
const ID_BYTES_MAX: usize = 40;

macro_rules! files {
    ($form:literal: $($place:literal = $file:literal),* $(,)?) => {
        &[
            ("problem.yaml", include_str!("../../../content/scaffold/problem.yaml")),
            ("README.md", include_str!("../../../content/scaffold/README.md")),
            $(($place, include_str!(concat!("../../../content/scaffold/", $form, "/", $file)))),*
        ]
    };
}

/// The files of a form, with the places where they belong.
type Files = &'static [(&'static str, &'static str)];

const CLASS: Files = files!("class":
    "statement/problem.en.md" = "statement/problem.en.md",
    ".vosim/interface.toml" = ".vosim/interface.toml",
    ".vosim/cases.json" = ".vosim/cases.json",
    ".vosim/rules.toml" = ".vosim/rules.toml",
    ".vosim/verdicts.toml" = ".vosim/verdicts.toml",
    ".vosim/hints.toml" = ".vosim/hints.toml",
    "attachments/templates/python/%ID%.py" = "attachments/template.py",
    "submissions/accepted/counts.py" = "submissions/accepted/counts.py",
    "submissions/wrong_answer/never_seen_is_none.py" = "submissions/wrong_answer/never_seen_is_none.py",
    "submissions/wrong_answer/last_of_equals.py" = "submissions/wrong_answer/last_of_equals.py",
    "submissions/wrong_answer/empty_text.py" = "submissions/wrong_answer/empty_text.py",
);

const FUNCTION: Files = files!("function":
    "statement/problem.en.md" = "statement/problem.en.md",
    ".vosim/interface.toml" = ".vosim/interface.toml",
    ".vosim/cases.json" = ".vosim/cases.json",
    ".vosim/rules.toml" = ".vosim/rules.toml",
    ".vosim/verdicts.toml" = ".vosim/verdicts.toml",
    ".vosim/hints.toml" = ".vosim/hints.toml",
    "attachments/templates/python/%ID%.py" = "attachments/template.py",
    "submissions/accepted/one_pass.py" = "submissions/accepted/one_pass.py",
    "submissions/wrong_answer/limit_is_storm.py" = "submissions/wrong_answer/limit_is_storm.py",
    "submissions/wrong_answer/all_calm_hours.py" = "submissions/wrong_answer/all_calm_hours.py",
    "submissions/wrong_answer/end_forgotten.py" = "submissions/wrong_answer/end_forgotten.py",
);

/// Writes a package into a folder that is not there yet, or empty, and returns its id.
pub fn write(dir: &Path, form: Form) -> anyhow::Result<ProblemId> {
    let name = dir.display();
    match fs::create_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let is_empty = fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
            if !is_empty {
                bail!("something is there already, and nothing is written over: {name}");
            }
        }
        made => made.with_context(|| format!("cannot make the folder {name}"))?,
    }
    let id = id(dir);
    let title = title(&id);
    let uuid = Uuid::new_v4().to_string();
    let filled = |text: &str| {
        text.replace("%ID%", id.as_str()).replace("%TITLE%", &title).replace("%UUID%", &uuid)
    };
    let files = match form {
        Form::Class => CLASS,
        Form::Function => FUNCTION,
    };
    for (place, text) in files {
        let path = dir.join(filled(place));
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(dir))?;
            let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
            file.write_all(filled(text).as_bytes())
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(id)
}

/// The folder's name, as far as it can be an id that no problem of ours has.
fn id(dir: &Path) -> ProblemId {
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(plain).take(ID_BYTES_MAX).collect();
    let name = name.trim_matches('_');
    let named = name.starts_with(|c: char| c.is_ascii_lowercase()).then(|| name.parse().ok());
    let id: Option<ProblemId> = named.flatten();
    match id {
        Some(id) if !catalog().holds(&id) => id,
        Some(id) => format!("my_{id}").parse().expect("letters and underscores"),
        None => NAMELESS.parse().expect("letters and an underscore"),
    }
}

/// `bird_book` is `Bird Book`.
fn title(id: &ProblemId) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    let words: Vec<_> =
        id.as_str().split('_').filter(|word| !word.is_empty()).map(capital).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::problem::Language;

    use super::*;
    use crate::content::{Package, lint, missing, unanswered};

    #[test]
    fn what_is_written_reads_as_a_package_and_nothing_is_written_over() {
        let dir = tempfile::tempdir().unwrap();
        for (form, name, expected) in
            [(Form::Class, "Bird book", "bird_book"), (Form::Function, "lru_cache", "my_lru_cache")]
        {
            let dir = dir.path().join(name);
            assert_eq!(write(&dir, form).unwrap().as_str(), expected);
            let package = Package::from_dir(&dir).unwrap();
            assert_eq!(package.problem.id.as_str(), expected);
            let findings = [lint(&package), unanswered(&package)].concat();
            assert!(findings.is_empty(), "{findings:?}");
            let absent = 7 + Language::ALL.len() - 1;
            assert_eq!(missing(&package).len(), absent, "{:?}", missing(&package));
            assert!(write(&dir, form).unwrap_err().to_string().contains("nothing is written over"));
        }
        assert_eq!(title(&id(Path::new("/a/bird-book"))), "Bird Book");
        assert_eq!(id(Path::new("/a/..")).as_str(), NAMELESS);
        assert_eq!(id(Path::new("/a/99")).as_str(), NAMELESS);
    }
}
