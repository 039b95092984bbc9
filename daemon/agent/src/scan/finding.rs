//! What is found in a program, how grave it is, and what a permission for it would cover.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Longest line of a program that is shown with a finding, characters.
const LINE_MAX_CHARS: usize = 160;

/// What follows from a finding, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// It is told.
    Note,
    /// Somebody is asked before it is run (002 6.3).
    Ask,
    /// It is not run; no permission changes that.
    Deny,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Connections to other machines.
    Network,
    /// Other programs.
    Process,
    /// Packages that are fetched.
    Install,
    /// Code and names that are made while the program runs.
    DynamicCode,
    /// Memory and machine code beyond the language.
    Native,
    /// Files outside of the workspace.
    Files,
    /// Data that becomes objects when it is read.
    Serialization,
    /// Statements of a database that are put together from data.
    Sql,
    /// Passwords and keys in the text.
    Secrets,
    /// Weak hashes and random numbers.
    Crypto,
    /// Something else.
    Other,
}

/// What a permission covers: this topic and this thing of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Permit {
    /// The topic.
    pub topic: Topic,
    /// The module, the call or the name, without arguments.
    pub of: String,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: u32,
    /// The rule, for example `network-module`.
    pub rule: String,
    /// What follows.
    pub ruling: Ruling,
    /// What a permission would cover.
    pub subject: Permit,
    /// What it means, for people.
    pub text: String,
    /// The line itself, cut where it is long.
    pub code: String,
    /// Other programs that found it too, by their own names for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Network => "network access",
            Self::Process => "other programs",
            Self::Install => "installing packages",
            Self::DynamicCode => "code made while it runs",
            Self::Native => "machine code",
            Self::Files => "files outside of the workspace",
            Self::Serialization => "data that becomes objects",
            Self::Sql => "database statements made of data",
            Self::Secrets => "secrets in the text",
            Self::Crypto => "weak hashes or random numbers",
            Self::Other => "something else",
        })
    }
}

/// A line of a program as it is shown.
pub(super) fn shown(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(LINE_MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Puts findings together that are about the same topic on the same line. The strictest stands, with
/// its own words; the others are named by it.
pub fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let mut by_place = BTreeMap::<(String, u32, Topic), Finding>::new();
    for finding in findings {
        let place = (finding.file.clone(), finding.line, finding.subject.topic);
        let Some(there) = by_place.get_mut(&place) else {
            by_place.insert(place, finding);
            continue;
        };
        let also = std::mem::take(&mut there.also).into_iter().chain(finding.also.clone());
        let mut also: Vec<String> = also.collect();
        also.sort();
        also.dedup();
        if finding.ruling > there.ruling {
            *there = finding;
        }
        there.also = also;
    }
    by_place.into_values().collect()
}

/// The strictest of what was found.
pub fn strictest(findings: &[Finding]) -> Option<Ruling> {
    findings.iter().map(|finding| finding.ruling).max()
}
