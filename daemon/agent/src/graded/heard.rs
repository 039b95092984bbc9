//! What a run came to: from what it said with its word, and from what the sandbox says of its end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use vosim_sandbox_spec::{Limit, RunReport, Verdict};

use super::suite::{Suite, TestLanguage};
use super::weak::Covered;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// It said that it was through.
    Whole,
    /// It ended by itself before that.
    Early,
    /// Something was said on its channel that was not its own.
    Foreign,
    /// It needed more memory than it may have.
    Memory,
    /// It computed longer than it may.
    Cpu,
    /// It took longer than it may.
    Wall,
    /// It waited for a long time and did nothing.
    Idle,
    /// It started more processes than it may.
    Processes,
    /// It printed more than it may.
    Output,
    /// A signal ended it.
    Signal,
    /// It could not be made at all, for this reason.
    NotMade(String),
}

impl fmt::Display for RunEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whole => "the run came to its end",
            Self::Early => "the run ended before it had told of all tests",
            Self::Foreign => "something else than the tests wrote where their outcome is told",
            Self::Memory => "the run needed more memory than it may have",
            Self::Cpu => "the run computed for longer than it may",
            Self::Wall => "the run took longer than it may",
            Self::Idle => "the run did nothing for too long",
            Self::Processes => "the run started more processes than it may",
            Self::Output => "the run printed more than 64 MiB",
            Self::Signal => "a signal ended the run",
            Self::NotMade(why) => why,
        })
    }
}

/// A test that failed, or a file whose tests could not be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTest {
    /// Its name.
    pub id: String,
    /// The exception's type, as far as it can be seen.
    pub error_type: String,
    /// What it says.
    pub message: String,
    /// Where it was raised.
    pub file: String,
    /// The line there, from 1 on.
    pub line: Option<u32>,
    /// The last part of how it came to it.
    pub trace: String,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradedRun {
    /// How it ended.
    pub end: RunEnd,
    /// Tests that passed.
    pub passed: Vec<String>,
    /// Tests that failed, and files whose tests could not be found.
    pub failed: Vec<FailedTest>,
    /// Tests that were skipped, or whose failure was declared beforehand: neither is a pass.
    pub excused: Vec<String>,
    /// Tests that were to be run and of which nothing was heard.
    pub missing: Vec<String>,
}

impl GradedRun {
    /// A run that could not be made.
    pub fn not_made(suite: &Suite, why: String) -> Self {
        Self {
            end: RunEnd::NotMade(why),
            passed: Vec::new(),
            failed: Vec::new(),
            excused: Vec::new(),
            missing: suite.expected.iter().cloned().collect(),
        }
    }

    /// Tests in all, also those that are missing.
    pub const fn total(&self) -> usize {
        self.passed.len() + self.failed.len() + self.excused.len() + self.missing.len()
    }

    /// Whether there were tests, all of them ran, and all of them passed.
    pub const fn is_pass(&self) -> bool {
        matches!(self.end, RunEnd::Whole)
            && !self.passed.is_empty()
            && self.passed.len() == self.total()
    }

    /// Why it is no pass, in one sentence.
    pub fn reason(&self) -> Option<String> {
        if self.is_pass() {
            return None;
        }
        let of = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let parts = [
            of(self.failed.len(), "failed"),
            of(self.missing.len(), "were not heard of"),
            of(self.excused.len(), "were skipped or excused"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Some(match (&self.end, parts.is_empty()) {
            (RunEnd::Whole, true) => "no test was found".to_owned(),
            (RunEnd::Whole, false) => format!("of {} tests {}", self.total(), parts.join(", ")),
            (end, _) => end.to_string(),
        })
    }
}

/// One answer of a run.
#[derive(Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
enum Said {
    Collected {
        ids: Vec<String>,
    },
    Uncollected(Detail),
    Test {
        outcome: Told,
        #[serde(flatten)]
        detail: Detail,
    },
    Change {
        number: usize,
        noticed: bool,
        #[serde(default)]
        slow: bool,
    },
    /// How one test ended for one change.
    Tried {
        number: usize,
        id: String,
        passed: bool,
    },
    /// How many lines of the program there are, and how many the tests ran.
    Covered {
        #[serde(flatten)]
        covered: Covered,
    },
    /// One part of the files came to its end.
    Through {
        part: usize,
    },
    Done {
        status: i32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    Passed,
    #[serde(alias = "skipped")]
    Excused,
    Failed,
}

#[derive(Deserialize)]
struct Detail {
    id: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    trace: String,
}

/// Reads what was said with the word; nothing if anything else was said.
fn answers(word: &str, said: &[u8]) -> Option<Vec<Said>> {
    let text = std::str::from_utf8(said).ok()?;
    let whole = text.is_empty() || text.ends_with('\n');
    let read = |line: &str| {
        let answer = line.strip_prefix(word)?.strip_prefix(' ')?;
        serde_json::from_str(answer).ok()
    };
    let mut lines: Vec<&str> = text.lines().collect();
    if !whole {
        // The end of the run cut it off.
        lines.pop();
    }
    lines.into_iter().map(read).collect()
}

impl Suite {
    /// What a run came to that said this on its channel and was reported so.
    pub fn heard(&self, word: &str, said: &[u8], report: &RunReport) -> GradedRun {
        let Some(answers) = answers(word, said) else {
            return GradedRun { end: RunEnd::Foreign, ..GradedRun::not_made(self, String::new()) };
        };
        let mut outcomes = BTreeMap::<String, (Told, Option<FailedTest>)>::new();
        let (mut collected, mut uncollected) = (BTreeSet::new(), Vec::new());
        let (mut parts, mut done) = (BTreeSet::new(), None);
        for answer in answers {
            match answer {
                Said::Collected { ids } => collected.extend(ids),
                Said::Uncollected(detail) => uncollected.push(detail.failed()),
                Said::Test { outcome, detail } => {
                    let id = detail.id.clone();
                    let failed = (outcome == Told::Failed).then(|| detail.failed());
                    // What comes down after a test can only make it worse.
                    let there = outcomes.entry(id).or_insert((Told::Passed, None));
                    if outcome >= there.0 {
                        *there = (outcome, failed);
                    }
                }
                Said::Through { part } => drop(parts.insert(part)),
                Said::Done { status } => done = Some(status),
                Said::Change { .. } | Said::Tried { .. } | Said::Covered { .. } => {}
            }
        }
        let base = |id: &String| match self.language {
            // The parameters stand behind the name.
            TestLanguage::Python => id.split('[').next().unwrap_or(id).to_owned(),
            TestLanguage::Javascript => id.clone(),
        };
        let heard: BTreeSet<String> = outcomes.keys().map(base).collect();
        let unheard = collected.iter().filter(|id| !outcomes.contains_key(*id)).cloned();
        let missing = self.expected.iter().filter(|id| !heard.contains(*id)).cloned();
        let mut missing: Vec<String> = missing.chain(unheard).collect();
        missing.sort();
        missing.dedup();
        let mut run = GradedRun {
            end: ended(report, done.is_some() && self.is_through(&parts)),
            passed: Vec::new(),
            failed: uncollected,
            excused: Vec::new(),
            missing,
        };
        for (id, outcome) in outcomes {
            match outcome {
                (Told::Passed, _) => run.passed.push(id),
                (Told::Excused, _) => run.excused.push(id),
                (Told::Failed, failed) => run.failed.extend(failed),
            }
        }
        // Whatever it is, the run itself did not call it a success.
        if run.is_pass() && done != Some(0) {
            run.end = RunEnd::Early;
        }
        run
    }

    /// Whether every process that ran tests came to its end; Python has one, whose end is that of the run.
    fn is_through(&self, parts: &BTreeSet<usize>) -> bool {
        match self.language {
            TestLanguage::Python => true,
            TestLanguage::Javascript => (0..self.files.len()).all(|part| parts.contains(&part)),
        }
    }

    /// Which of the changes of a run were noticed by the tests, in the order of their numbers; one of
    /// which nothing was heard counts as noticed, since nothing is known against the tests.
    pub fn heard_changes(&self, word: &str, said: &[u8], count: usize) -> Vec<bool> {
        let mut noticed = vec![true; count];
        for answer in answers(word, said).into_iter().flatten() {
            if let Said::Change { number, noticed: it, .. } = answer
                && let Some(place) = noticed.get_mut(number)
            {
                *place = it;
            }
        }
        noticed
    }

    /// How much of the program the tests ran, where a run that tried changes has said so.
    pub fn heard_coverage(&self, word: &str, said: &[u8]) -> Option<Covered> {
        answers(word, said)?.into_iter().find_map(|answer| match answer {
            Said::Covered { covered } => Some(covered),
            Said::Collected { .. }
            | Said::Uncollected(_)
            | Said::Test { .. }
            | Said::Change { .. }
            | Said::Tried { .. }
            | Said::Through { .. }
            | Said::Done { .. } => None,
        })
    }

    /// What the tests said of each text of a run that was planned as tries.
    pub fn heard_tries(&self, word: &str, said: &[u8], count: usize) -> Vec<Tried> {
        let mut tries = vec![Tried::default(); count];
        for answer in answers(word, said).into_iter().flatten() {
            match answer {
                Said::Change { number, noticed, slow } => {
                    if let Some(tried) = tries.get_mut(number) {
                        (tried.passed, tried.slow) = (!noticed, slow);
                    }
                }
                Said::Tried { number, id, passed } => {
                    if let Some(tried) = tries.get_mut(number) {
                        *tried.tests.entry(id).or_insert(true) &= passed;
                    }
                }
                Said::Collected { .. }
                | Said::Uncollected(_)
                | Said::Test { .. }
                | Said::Covered { .. }
                | Said::Through { .. }
                | Said::Done { .. } => {}
            }
        }
        tries
    }
}

/// What the tests say of one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// The run as a whole succeeded.
    pub passed: bool,
    /// Its time was over.
    pub slow: bool,
    /// The tests that were heard of, and whether each passed.
    pub tests: BTreeMap<String, bool>,
}

fn ended(report: &RunReport, done: bool) -> RunEnd {
    match report.verdict {
        Verdict::Ok | Verdict::Exit if done => RunEnd::Whole,
        Verdict::Ok | Verdict::Exit => RunEnd::Early,
        Verdict::Signal => RunEnd::Signal,
        Verdict::Limit { limit } => match limit {
            Limit::Cpu => RunEnd::Cpu,
            Limit::Wall => RunEnd::Wall,
            Limit::Idle => RunEnd::Idle,
            Limit::Memory => RunEnd::Memory,
            Limit::Output => RunEnd::Output,
            Limit::Processes => RunEnd::Processes,
        },
        Verdict::NotStarted | Verdict::Internal => {
            let why = report.error.clone().unwrap_or_else(|| "the sandbox failed".to_owned());
            RunEnd::NotMade(why)
        }
    }
}

impl Detail {
    fn failed(self) -> FailedTest {
        let first = self.message.lines().next().unwrap_or_default();
        let named = first.split(':').next().unwrap_or_default().trim();
        let is_name = !named.is_empty()
            && named.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '.');
        let error_type = match named {
            _ if first.starts_with("assert") => "AssertionError",
            named if is_name => named,
            _ => "",
        };
        FailedTest {
            id: self.id,
            error_type: error_type.to_owned(),
            message: self.message,
            file: self.file,
            line: self.line,
            trace: self.trace,
        }
    }
}
