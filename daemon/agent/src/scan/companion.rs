//! Scanners of others, where they are installed: `ruff`, else `bandit` (002 6.2). Their ids are told in
//! our rulings by a table of our own, so that what follows does not hang on which of them is there. They
//! get the text alone, so that no configuration of a workspace reaches them.

use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::Deserialize;

use super::finding::{Finding, Permit, Ruling, Topic, shown};

/// How long one may take for a file.
const PATIENCE: Duration = Duration::from_secs(20);
/// Most that is read of its answer, bytes.
const ANSWER_MAX_BYTES: u64 = 8 << 20;

/// A scanner of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    program: PathBuf,
    sort: Known,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Ruff,
    Bandit,
}

impl Companion {
    /// The better of those that are installed. `trusted` says whether a program may be started.
    pub fn find(search_path: Option<&OsStr>, trusted: impl Fn(&Path) -> bool) -> Option<Self> {
        let folders: Vec<PathBuf> = search_path.map(std::env::split_paths)?.collect();
        let found = |name: &str, sort| {
            let places = folders.iter().filter(|dir| dir.is_absolute()).map(|dir| dir.join(name));
            let program = places.into_iter().find(|path| path.is_file() && trusted(path))?;
            Some(Self { program, sort })
        };
        found("ruff", Known::Ruff).or_else(|| found("bandit", Known::Bandit))
    }

    /// What it is called.
    pub const fn name(&self) -> &'static str {
        match self.sort {
            Known::Ruff => "ruff",
            Known::Bandit => "bandit",
        }
    }

    /// Scans the text of one Python file.
    ///
    /// # Errors
    /// If it cannot be started, takes too long, or answers in another form, in a sentence.
    pub fn scan(&self, file: &str, text: &str) -> Result<Vec<Finding>, String> {
        let answer = self.answer(text)?;
        match self.sort {
            Known::Ruff => ruff(file, text, &answer),
            Known::Bandit => bandit(file, text, &answer),
        }
        .map_err(|error| format!("the answer of {} cannot be read: {error}", self.name()))
    }

    fn answer(&self, text: &str) -> Result<String, String> {
        // No comment of the program turns a finding off.
        let words: &[&str] = match self.sort {
            Known::Ruff => &[
                "check",
                "--isolated",
                "--no-cache",
                "--ignore-noqa",
                "--exit-zero",
                "--select",
                "S",
                "--output-format",
                "json",
                "--stdin-filename",
                "program.py",
                "-",
            ],
            Known::Bandit => &["--quiet", "--ignore-nosec", "--format", "json", "--exit-zero", "-"],
        };
        let failed = |error: std::io::Error| format!("starting {}: {error}", self.name());
        let mut child = Command::new(&self.program)
            .args(words)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let said = converse(&mut child, text.to_owned());
        if said.is_none() {
            // It may have ended by itself.
            child.kill().ok();
        }
        child.wait().map_err(failed)?;
        said.ok_or_else(|| format!("{} did not answer", self.name()))
    }
}

/// Gives it the text and takes its answer, on a thread that its end releases.
fn converse(child: &mut Child, text: String) -> Option<String> {
    let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
    let (give, take) = mpsc::channel();
    std::thread::spawn(move || {
        let mut answer = String::new();
        // It need not want all of it.
        input.write_all(text.as_bytes()).ok();
        drop(input);
        let read = output.take(ANSWER_MAX_BYTES).read_to_string(&mut answer);
        // Nobody may be waiting any more.
        give.send(read.ok().map(|_| answer)).ok();
    });
    take.recv_timeout(PATIENCE).ok().flatten()
}

#[derive(Deserialize)]
struct RuffFinding {
    code: Option<String>,
    message: String,
    location: Place,
}

#[derive(Deserialize)]
struct Place {
    row: u32,
}

#[derive(Deserialize)]
struct BanditAnswer {
    results: Vec<BanditFinding>,
}

#[derive(Deserialize)]
struct BanditFinding {
    test_id: String,
    issue_text: String,
    line_number: u32,
}

fn ruff(file: &str, text: &str, answer: &str) -> Result<Vec<Finding>, serde_json::Error> {
    let found: Vec<RuffFinding> = serde_json::from_str(answer)?;
    let told = |it: RuffFinding| {
        let id = it.code?;
        let number = id.strip_prefix('S')?.parse().ok()?;
        finding("ruff", &id, number, (file, it.location.row, text), it.message)
    };
    Ok(found.into_iter().filter_map(told).collect())
}

fn bandit(file: &str, text: &str, answer: &str) -> Result<Vec<Finding>, serde_json::Error> {
    let found: BanditAnswer = serde_json::from_str(answer)?;
    let told = |it: BanditFinding| {
        let number = it.test_id.strip_prefix('B')?.parse().ok()?;
        finding("bandit", &it.test_id, number, (file, it.line_number, text), it.issue_text)
    };
    Ok(found.results.into_iter().filter_map(told).collect())
}

/// Both have the same numbers.
fn finding(
    by: &str,
    id: &str,
    number: u16,
    (file, line, text): (&str, u32, &str),
    said: String,
) -> Option<Finding> {
    let (ruling, topic) = ruled(number)?;
    let code = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    Some(Finding {
        file: file.to_owned(),
        line,
        rule: format!("{by}-{id}"),
        ruling,
        subject: Permit { topic, of: format!("{by} {id}") },
        text: said,
        code: shown(code),
        also: vec![format!("{by} {id}")],
    })
}

/// What follows from an id; nothing for habits that are no danger.
const fn ruled(number: u16) -> Option<(Ruling, Topic)> {
    Some(match number {
        // Assertions, swallowed exceptions, and what they have about the text itself.
        101 | 110 | 112 | 404 => return None,
        602 => (Ruling::Deny, Topic::Process),
        102 | 307 => (Ruling::Ask, Topic::DynamicCode),
        104 | 310 | 312 | 321 | 401 | 402 | 501..=503 => (Ruling::Ask, Topic::Network),
        603..=607 | 609 => (Ruling::Ask, Topic::Process),
        608 | 610 | 611 => (Ruling::Ask, Topic::Sql),
        506 => (Ruling::Ask, Topic::Serialization),
        103 | 108 | 202 => (Ruling::Note, Topic::Files),
        301 | 302 | 403 => (Ruling::Note, Topic::Serialization),
        105..=107 => (Ruling::Note, Topic::Secrets),
        303..=305 | 311 | 324 | 413 | 505 => (Ruling::Note, Topic::Crypto),
        _ => (Ruling::Note, Topic::Other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_same_number_rules_the_same_whoever_says_it() {
        let text = "import subprocess\nsubprocess.run('ls', shell=True)\nassert True\n";
        let by_ruff = r#"[{"code":"S602","message":"m","location":{"row":2,"column":1}},
            {"code":"S101","message":"m","location":{"row":3,"column":1}},
            {"code":null,"message":"m","location":{"row":3,"column":1}}]"#;
        let by_bandit = r#"{"results":[{"test_id":"B602","issue_text":"m","line_number":2}]}"#;
        let one = ruff("a.py", text, by_ruff).unwrap();
        let other = bandit("a.py", text, by_bandit).unwrap();
        assert_eq!((one.len(), other.len()), (1, 1));
        let of = |it: &Finding| (it.line, it.ruling, it.subject.topic, it.code.clone());
        assert_eq!(of(&one[0]), of(&other[0]));
        assert_eq!(one[0].ruling, Ruling::Deny);
        ruff("a.py", text, "{}").unwrap_err();
    }

    #[test]
    fn ruff_is_taken_before_bandit_and_neither_where_it_is_not_trusted() {
        let dir = tempfile::tempdir().unwrap();
        let path = Some(dir.path().as_os_str());
        assert_eq!(Companion::find(path, |_| true), None);
        let script = |name: &str, text: &str| {
            std::fs::write(dir.path().join(name), text).unwrap();
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(dir.path().join(name), mode).unwrap();
        };
        script("bandit", "#!/bin/sh\ncat >/dev/null\necho '{\"results\":[]}'\n");
        let found = Companion::find(path, |_| true).unwrap();
        assert_eq!((found.name(), found.scan("a.py", "x = 1\n")), ("bandit", Ok(Vec::new())));
        script("ruff", "#!/bin/sh\necho no\n");
        let found = Companion::find(path, |_| true).unwrap();
        assert!(found.scan("a.py", "x = 1\n").unwrap_err().contains("ruff cannot be read"));
        assert_eq!(Companion::find(path, |_| false), None);
    }
}
