//! The programs and their rows, as they stand in `tests/hostile`: one `expected.toml` for each
//! folder, one row for each program. A program without a row, or a row without a program, fails.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use vosim_sandbox_spec::{Level, Limits, MemoryBy};

use crate::harness::limits;
use crate::hostile::record::Expected;

/// One program and what must become of it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Folder and file, for example `processes/fork_bomb.py`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) language: Language,
    pub(crate) said: Said,
}

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    Javascript,
    C,
}

/// A row as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    /// Limits other than the usual ones.
    #[serde(default)]
    limits: toml::Table,
    /// The whole environment beside what the runtime needs.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    stdin: Option<String>,
    /// As much of anything, instead.
    #[serde(default)]
    stdin_bytes: Option<usize>,
    #[serde(default)]
    pub(crate) arrange: Arrange,
    /// The way the same is tried outside; every row that expects an error's name has it.
    #[serde(default)]
    pub(crate) control: Option<Control>,
    /// The answer of the control where that is not `ok`.
    #[serde(default)]
    pub(crate) outside: BTreeMap<String, String>,
    #[serde(rename = "B")]
    b: Expected,
    /// The differences at this level: a cgroup bounds more, and proves what is else suspected.
    #[serde(rename = "A", default)]
    a: Option<Expected>,
    /// The differences at this level.
    #[serde(rename = "C", default)]
    c: Option<Expected>,
}

/// The way a program is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Arrange {
    /// By itself.
    #[default]
    Once,
    /// Twice, one after the other, with the same record.
    Twice,
    /// Two at the same time: each says on its channel that it is there and waits for the other.
    Together,
    /// When it has said that it is there the helper is ended by SIGKILL.
    HelperKilled,
    /// When it has said that it is there the caller hangs up.
    CallerGone,
    /// By a helper that inherited two descriptors too many.
    Leaky,
    /// With one writable tree, whose path is in WORKSPACE.
    Workspace,
}

/// The way the positive control is run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Control {
    /// As an ordinary account.
    Plain,
    /// As the root of namespaces of its own, where the call needs a right.
    Namespaced,
    /// Not at all, for this reason.
    None(String),
}

/// The folder that holds the programs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

/// All rows, by name.
pub(crate) fn all() -> Vec<Row> {
    let mut rows = Vec::new();
    for area in listed(&folder()).into_iter().filter(|path| path.is_dir()) {
        let table = std::fs::read_to_string(area.join("expected.toml")).unwrap();
        let mut said: BTreeMap<String, Said> =
            toml::from_str(&table).unwrap_or_else(|error| panic!("{}: {error}", area.display()));
        for path in listed(&area) {
            let Some(language) = Language::of(&path) else { continue };
            let file = path.file_name().unwrap().to_str().unwrap().to_owned();
            let name = format!("{}/{file}", area.file_name().unwrap().to_str().unwrap());
            let said = said.remove(&file).unwrap_or_else(|| panic!("{name} has no row"));
            rows.push(Row { name, path, language, said });
        }
        assert!(said.is_empty(), "{}: no programs for {:?}", area.display(), said.keys());
    }
    rows
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

impl Language {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "py" => Some(Self::Python),
            "js" => Some(Self::Javascript),
            "c" => Some(Self::C),
            "h" | "toml" | "md" => None,
            _ => panic!("{} is written in nothing known", path.display()),
        }
    }
}

impl Row {
    /// Returns what must become of it at this level.
    pub(crate) fn expected(&self, level: Level) -> Expected {
        let over = |other: Option<&Expected>| match other {
            Some(other) => other.clone().over(&self.said.b),
            None => self.said.b.clone(),
        };
        match level {
            Level::A => over(self.said.a.as_ref()),
            Level::B => self.said.b.clone(),
            Level::C => over(self.said.c.as_ref()),
            Level::D => Expected::not_started(),
        }
    }

    pub(crate) fn stdin(&self) -> Option<String> {
        let much = self.said.stdin_bytes.map(|bytes| "x".repeat(bytes));
        self.said.stdin.clone().or(much)
    }

    pub(crate) fn limits(&self) -> Limits {
        let mut base = Limits { wall_ms: 20_000, ..limits() };
        if self.language == Language::Javascript {
            base.memory_by = MemoryBy::Data;
            base.processes = 32;
        }
        let mut whole = serde_json::to_value(&base).unwrap();
        for (key, value) in &self.said.limits {
            let known = key == "memory_by" || whole.get(key).is_some();
            assert!(known, "{}: no limit is called {key}", self.name);
            whole[key] = serde_json::to_value(value).unwrap();
        }
        serde_json::from_value(whole).unwrap()
    }

    /// Returns what is wrong with the row itself.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let text = std::fs::read_to_string(&self.path).unwrap();
        let mark = if self.language == Language::Python { "# " } else { "// " };
        if !text.starts_with(mark) {
            faults.push(format!("{} does not begin with what it does", self.name));
        }
        let denies = [Level::B, Level::C].iter().any(|&at| self.expected(at).names_an_error());
        if denies != self.said.control.is_some() {
            faults.push(format!("{}: a control belongs to denials, and only there", self.name));
        }
        faults
    }
}
