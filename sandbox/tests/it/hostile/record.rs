//! The expectation that a row has of a report, and how a report differs. Everything that a program
//! can decide is compared exactly; of what a run used only bounds are asked.

use serde::Deserialize;
use vosim_sandbox_spec::{Limit, Output, RunReport, Verdict};

/// The expected record.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Expected {
    /// `ok`, `exit N`, `signal N`, `limit WORD`, `limit WORD, exit N` where the program left by
    /// itself, `not_started`, or `none` where nobody is left to tell it.
    end: Option<String>,
    /// The limit that must be suspected; without it nothing is asked of it, since a peak near a
    /// limit may come about by chance.
    suspected: Option<Limit>,
    /// Empty when nothing is said of it.
    stdout: Option<Text>,
    stderr: Option<Text>,
    /// Most computing.
    cpu_ms_most: Option<u64>,
    /// Least memory seen.
    memory_least: Option<u64>,
    /// Least processes seen at one time.
    processes_least: Option<u32>,
}

/// The expected content of a stream.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Text {
    /// Exactly this text, and nothing was dropped.
    Whole(String),
    Shape(Shape),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Shape {
    /// The kept head, or the whole, exactly.
    is: Option<String>,
    /// The kept head begins with this.
    starts: String,
    /// The end of the kept part.
    ends: String,
    /// Bytes written.
    bytes: Option<u64>,
    bytes_least: Option<u64>,
    /// Bytes that are kept, head and tail together.
    kept: Option<usize>,
    /// Something between head and tail was dropped.
    cut: bool,
}

impl Expected {
    pub(crate) fn not_started() -> Self {
        Self { end: Some("not_started".to_owned()), ..Self::default() }
    }

    /// With what is not said here as it is there.
    pub(crate) fn over(self, other: &Self) -> Self {
        Self {
            end: self.end.or_else(|| other.end.clone()),
            suspected: self.suspected.or(other.suspected),
            stdout: self.stdout.or_else(|| other.stdout.clone()),
            stderr: self.stderr.or_else(|| other.stderr.clone()),
            cpu_ms_most: self.cpu_ms_most.or(other.cpu_ms_most),
            memory_least: self.memory_least.or(other.memory_least),
            processes_least: self.processes_least.or(other.processes_least),
        }
    }

    /// Whether a line of the output is `name: ERRNO`.
    pub(crate) fn names_an_error(&self) -> bool {
        let Some(Text::Whole(text)) = &self.stdout else { return false };
        named(text).any(|(_, word)| is_errno(word))
    }

    /// The names before a colon in the expected output, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let Some(Text::Whole(text)) = &self.stdout else { return Vec::new() };
        named(text).map(|(name, _)| name.to_owned()).collect()
    }

    /// Whether no report comes at all.
    pub(crate) fn is_none(&self) -> bool {
        self.end.as_deref() == Some("none")
    }

    /// Returns the differences, each in one line.
    pub(crate) fn differences(&self, report: &RunReport) -> Vec<String> {
        let mut found = Vec::new();
        let end = ended(report);
        let wanted = self.end.clone().unwrap_or_default();
        if end != wanted {
            let why = report.error.as_deref().unwrap_or("no error");
            found.push(format!("ended with `{end}` ({why}), expected `{wanted}`"));
        }
        if self.suspected.is_some() && self.suspected != report.suspected {
            found.push(format!("suspected is {:?}, not {:?}", report.suspected, self.suspected));
        }
        let streams =
            [("stdout", &self.stdout, &report.stdout), ("stderr", &self.stderr, &report.stderr)];
        for (name, wanted, got) in streams {
            let empty = Text::Whole(String::new());
            let why = wanted.as_ref().unwrap_or(&empty).difference(got);
            found.extend(why.map(|why| format!("{name}: {why}")));
        }
        found.extend(self.used(report));
        found
    }

    fn used(&self, report: &RunReport) -> Vec<String> {
        let usage = report.usage;
        let cpu_ms = (usage.cpu_user_us + usage.cpu_sys_us) / 1000;
        let mut found = Vec::new();
        if self.cpu_ms_most.is_some_and(|most| cpu_ms > most) {
            found
                .push(format!("{cpu_ms} ms of computing, expected {:?} at most", self.cpu_ms_most));
        }
        if self.memory_least.is_some_and(|least| usage.peak_memory < least) {
            found.push(format!(
                "{} bytes at most, expected {:?}",
                usage.peak_memory, self.memory_least
            ));
        }
        if self.processes_least.is_some_and(|least| usage.processes_peak < least) {
            let got = usage.processes_peak;
            found.push(format!("{got} processes, expected {:?}", self.processes_least));
        }
        found
    }
}

impl Text {
    fn difference(&self, got: &Output) -> Option<String> {
        let shape = match self {
            Self::Whole(text) => {
                Shape { is: Some(text.clone()), bytes: Some(text.len() as u64), ..Shape::default() }
            }
            Self::Shape(shape) => shape.clone(),
        };
        let last = if got.truncated { &got.tail } else { &got.head };
        let same = shape.is.as_ref().is_none_or(|is| *is == got.head)
            && got.head.starts_with(&shape.starts)
            && last.ends_with(&shape.ends)
            && shape.bytes.is_none_or(|bytes| bytes == got.bytes)
            && shape.bytes_least.is_none_or(|least| got.bytes >= least)
            && shape.kept.is_none_or(|kept| kept == got.head.len() + got.tail.len())
            && shape.cut == got.truncated
            && got.tail.is_empty() != got.truncated;
        (!same).then(|| format!("{}\n      expected {shape:?}", shown(got)))
    }
}

fn shown(got: &Output) -> String {
    let part = |text: &str| text.chars().take(300).collect::<String>();
    let (head, tail) = (part(&got.head), part(&got.tail));
    format!("{} bytes, cut: {}, {head:?} … {tail:?}", got.bytes, got.truncated)
}

/// The three fields that say how it ended, in one word; a record whose fields do not belong
/// together is none of those that a row can name.
fn ended(report: &RunReport) -> String {
    match (report.verdict, report.exit_code, report.signal) {
        (Verdict::Ok, Some(0), None) => "ok".to_owned(),
        (Verdict::Exit, Some(code), None) => format!("exit {code}"),
        (Verdict::Signal, None, Some(signal)) => format!("signal {signal}"),
        (Verdict::Limit { limit }, None, Some(9)) => format!("limit {}", word(limit)),
        (Verdict::Limit { limit }, Some(code), None) => {
            format!("limit {}, exit {code}", word(limit))
        }
        (Verdict::NotStarted, None, None) => "not_started".to_owned(),
        (Verdict::Internal, None, None) => "internal".to_owned(),
        other => format!("{other:?}"),
    }
}

const fn word(limit: Limit) -> &'static str {
    match limit {
        Limit::Cpu => "cpu",
        Limit::Wall => "wall",
        Limit::Idle => "idle",
        Limit::Memory => "memory",
        Limit::Output => "output",
        Limit::Processes => "processes",
    }
}

/// Lines of the form `name: word`.
pub(crate) fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.rsplit_once(": "))
}

pub(crate) fn is_errno(word: &str) -> bool {
    word.len() > 2
        && word.starts_with('E')
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_known_by_their_form() {
        assert!(is_errno("EPERM") && is_errno("E2BIG") && is_errno("ENOTTY"));
        assert!(!is_errno("Error") && !is_errno("ok") && !is_errno("E") && !is_errno("Eperm"));
    }

    #[test]
    fn a_stream_is_compared_to_the_byte() {
        let got = Output { bytes: 3, head: "abc".to_owned(), ..Output::default() };
        let text = |text: &str| Text::Whole(text.to_owned());
        assert_eq!(text("abc").difference(&got), None);
        assert!(text("ab").difference(&got).is_some() && text("abcd").difference(&got).is_some());
        let cut = Text::Shape(Shape { starts: "a".to_owned(), cut: true, ..Shape::default() });
        assert!(cut.difference(&got).is_some());
    }
}
