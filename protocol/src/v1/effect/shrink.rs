//! A failing run, made as short as it will go.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;
use crate::phrase;
use crate::v1::problem::{Language, Op};

/// Makes the shortest run on which code and the reference differ, from one that may be shown (003:
/// VERIFY). No candidate's code shares a run with the reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shrink {
    /// The code.
    pub code: Hash,
    /// The candidate's own name for the file.
    pub file_path: String,
    /// The language.
    pub language: Language,
    /// The case that failed; of a hidden one its public twin is taken.
    pub case: String,
    /// The calls, for a case of the candidate's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Op>,
}

/// A run call by call, up to the first one on which two programs differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// The calls as they are shown, in order; the last one differs.
    pub calls: Vec<TracedCall>,
    /// Calls before these, which are left out.
    #[serde(default)]
    pub omitted: u32,
    /// The same run with the right answers, to be kept or called again; empty where it is too long.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<Op>,
    /// How many calls the run had from which this one was made.
    pub made_of: u32,
    /// Runs that were tried.
    pub tried: u32,
    /// True where there was no time to try all that might be shorter.
    #[serde(default)]
    pub cut_short: bool,
}

/// One call of a [`Trace`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedCall {
    /// For example `get(1)`.
    pub call: String,
    /// What must come back; absent where that does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What came back, or what happened instead; absent where it does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// True for the call on which both differ.
    pub differs: bool,
}

impl Trace {
    /// How long it is and of what it was made, a sentence.
    pub fn about(&self) -> String {
        let calls = self.omitted + u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        let (made_of, tried) = (self.made_of, self.tried);
        let about = match made_of > calls {
            true => phrase!("trace.shrunk", calls, made_of, tried),
            false => phrase!("trace.as_short", calls),
        };
        match self.cut_short {
            true => format!("{} {}", about.text, phrase!("trace.cut_short").text),
            false => about.text,
        }
    }

    /// The calls one below the other with what both say, and whether a line is the one that differs.
    pub fn lines(&self) -> Vec<(bool, String)> {
        let shown = |text: &Option<String>| text.clone().unwrap_or_default();
        let width = |of: fn(&TracedCall) -> String| {
            self.calls.iter().map(|call| of(call).chars().count()).max().unwrap_or(0).min(40)
        };
        let (calls, answers) = (width(|it| it.call.clone()), width(right));
        let line = |traced: &TracedCall| {
            let (mark, right) = (if traced.differs { ">" } else { " " }, right(traced));
            let actual = shown(&traced.actual);
            let rest = match (traced.differs, actual.is_empty()) {
                (true, _) => phrase!("trace.differs", actual = actual.as_str()).text,
                (false, true) => String::new(),
                (false, false) => phrase!("trace.gives", actual = actual.as_str()).text,
            };
            let call = traced.call.as_str();
            format!("{mark} {call:calls$}  {right:answers$}  {rest}").trim_end().to_owned()
        };
        let omitted = phrase!("trace.omitted", calls = self.omitted).text;
        let first = (self.omitted > 0).then(|| (false, format!("  {omitted}")));
        first.into_iter().chain(self.calls.iter().map(|it| (it.differs, line(it)))).collect()
    }
}

/// "must give 1", or nothing.
fn right(traced: &TracedCall) -> String {
    let expected = traced.expected.as_deref();
    expected.map(|expected| phrase!("trace.expects", expected).text).unwrap_or_default()
}
