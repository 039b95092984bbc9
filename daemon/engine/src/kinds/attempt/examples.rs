//! The examples in what somebody wrote: runs of the problem's calls, and what looks like one and cannot be
//! read, so that nothing is dropped in silence.

use vosim_protocol::phrase;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::problem::{
    Interface, Op, Problem, plain_zeros, read_answer, read_call, read_calls,
};

/// Most examples that are run, and calls of each.
const EXAMPLES_MAX: usize = 8;
const EXAMPLE_OPS_MAX: usize = 64;
/// Most lines that are told to be unreadable.
const UNREAD_MAX: usize = 3;
/// Longest beginning of such a line that is told, characters.
const LINE_MAX: usize = 80;
/// Words that may stand between two calls of a run.
const BETWEEN: [&str; 7] = ["and", "then", "next", "after", "that", "finally", "so"];

/// What a text gives as examples.
#[derive(Clone, Debug, Default)]
pub(super) struct Examples {
    /// The runs.
    pub(super) runs: Vec<Vec<Op>>,
    /// What is said of lines that look like a run and are none.
    pub(super) unread: Vec<Phrase>,
}

/// What one line holds.
enum Line {
    Prose,
    Runs(Vec<Vec<Op>>),
    /// It looks like a run; why it is none.
    Unread(Phrase),
}

/// The examples in a text. A run stands on a line, alone or behind some words, or between backticks; lines
/// of further calls go on with it.
pub(super) fn examples(problem: &Problem, text: &str) -> Examples {
    let reader = Reader(&problem.interface);
    let mut found = Examples::default();
    let mut goes_on = false;
    for whole in text.lines() {
        let line = without_marker(whole);
        if line.is_empty() {
            continue;
        }
        if goes_on && answer_alone(&mut found.runs, whole) {
            goes_on = false;
            continue;
        }
        goes_on = matches!(reader.line(line), Line::Runs(_));
        let unread = match reader.line(line) {
            Line::Prose => None,
            Line::Unread(why) => Some(why),
            Line::Runs(runs) => {
                let taken = runs.into_iter().map(|run| reader.take(&mut found.runs, run));
                taken.fold(None, Option::or)
            }
        };
        if let Some(why) = unread.filter(|_| found.unread.len() < UNREAD_MAX) {
            let line: String = line.chars().take(LINE_MAX).collect();
            found.unread.push(phrase!("understand.unread", line, why = why.text));
        }
    }
    found
}

/// Takes a line that holds nothing but an answer, as a console shows it below a call, for that of the last
/// call; false where it is something else, or that call has one.
fn answer_alone(runs: &mut [Vec<Op>], line: &str) -> bool {
    let is_run = read_calls(line).is_ok_and(|run| !run.is_empty());
    let open = runs.last_mut().and_then(|run| run.last_mut()).filter(|op| op.expect.is_none());
    let (Some(op), Some(answer), false) = (open, read_answer(line), is_run) else { return false };
    op.expect = Some(answer);
    true
}

/// A line without the sign or number of a list before it.
fn without_marker(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['-', '*', '>', ' ']);
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let listed = number.len() < line.len() && number.starts_with(['.', ')', ':']);
    if listed { number[1..].trim_start() } else { line }
}

/// Why calls are no run of the problem: one that it does not have, or a beginning that nothing is made by.
pub(super) fn unfit(interface: &Interface, run: &[Op]) -> Option<Phrase> {
    let reader = Reader(interface);
    let misfit = run.iter().find_map(|op| reader.misfit(op));
    let begins = || reader.begins(run);
    misfit.or_else(|| (!begins()).then(|| reader.beginning()))
}

struct Reader<'a>(&'a Interface);

impl Reader<'_> {
    fn line(&self, line: &str) -> Line {
        if line.starts_with('[')
            && let Ok(run) = read_calls(line)
        {
            return Line::Runs(vec![run]);
        }
        let parts = between_backticks(line);
        let quoted = parts.iter().skip(1).step_by(2).filter_map(|part| read_calls(part).ok());
        let answered = |run: &Vec<Op>| self.begins(run) && run.iter().any(|op| op.expect.is_some());
        let quoted: Vec<_> = quoted.filter(answered).collect();
        if !quoted.is_empty() {
            return Line::Runs(quoted);
        }
        let plain = plain_zeros(&parts.concat());
        let Some(start) = self.call_in(&plain) else {
            return match looks_answered(&plain) {
                true => Line::Unread(phrase!("understand.no_such_call", calls = self.0.calls())),
                false => Line::Prose,
            };
        };
        self.run(&plain[start..])
    }

    /// Reads calls as far as there are any; what follows must be prose.
    fn run(&self, text: &str) -> Line {
        let mut run = Vec::new();
        let mut rest = text;
        loop {
            rest = between(rest);
            match read_call(rest) {
                Ok((op, after)) => {
                    run.push(op);
                    rest = after;
                }
                Err(_) if self.call_in(rest).is_none() && !looks_answered(rest) => break,
                // The call is only spoken of: `lend(tool, person)`.
                Err(_) if run.is_empty() && !looks_answered(rest) => return Line::Prose,
                Err(why) => return Line::Unread(Phrase::said(why)),
            }
        }
        if run.is_empty() { Line::Prose } else { Line::Runs(vec![run]) }
    }

    /// Puts a run to the others, or behind the last one where it goes on with it; why it is none.
    fn take(&self, runs: &mut Vec<Vec<Op>>, mut run: Vec<Op>) -> Option<Phrase> {
        if let Some(misfit) = run.iter().find_map(|op| self.misfit(op)) {
            return Some(misfit);
        }
        let goes_on = !self.begins(&run);
        if goes_on {
            let Some(before) = runs.pop() else {
                return Some(self.beginning());
            };
            run = [before, run].concat();
        }
        let fits = run.len() <= EXAMPLE_OPS_MAX && runs.len() < EXAMPLES_MAX;
        if fits && !runs.contains(&run) {
            runs.push(run);
        }
        let (examples, calls) = (EXAMPLES_MAX, EXAMPLE_OPS_MAX);
        (!fits).then(|| {
            phrase!("understand.too_many", examples = examples as u64, calls = calls as u64)
        })
    }

    fn misfit(&self, op: &Op) -> Option<Phrase> {
        if op.back_to(self.0).is_some() {
            return None;
        }
        let known = self.0.signatures().into_iter().find(|(name, _)| *name == op.call);
        match known {
            None => Some(phrase!("understand.no_such_call", calls = self.0.calls())),
            Some((_, params)) if params.len() != op.args.len() => {
                let (takes, given) = (params.len() as u64, op.args.len() as u64);
                Some(phrase!("understand.arguments", call = op.call.as_str(), takes, given))
            }
            Some(_) => None,
        }
    }

    /// True where a run begins with what comes first: a fresh instance, or the function.
    fn begins(&self, run: &[Op]) -> bool {
        let first = self.0.signatures()[0].0;
        run.first().is_some_and(|op| op.call == first)
    }

    fn beginning(&self) -> Phrase {
        phrase!("understand.begins", call = self.0.signatures()[0].0)
    }

    /// Where the first call of the problem begins.
    fn call_in(&self, text: &str) -> Option<usize> {
        let signatures = self.0.signatures();
        let of = |name: &str| {
            let mut all = text.match_indices(name);
            all.find(|(at, _)| {
                let before = text[..*at].chars().next_back();
                let after = text[at + name.len()..]
                    .trim_start_matches(|c: char| c == '@' || c.is_ascii_digit());
                before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
                    && after.trim_start().starts_with('(')
            })
        };
        signatures.iter().filter_map(|(name, _)| of(name)).map(|(at, _)| at).min()
    }
}

/// A line as its backticks part it; those inside of a string among the values of a call are part of it.
fn between_backticks(line: &str) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    let (mut quote, mut escaped, mut before) = (None, false, ' ');
    for (at, c) in line.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(mark) if c == mark => quote = None,
            // An apostrophe stands behind a letter, and a word in quotes behind none of these.
            None if matches!(c, '"' | '\'') && matches!(before, '(' | '[' | ',' | '=' | ':') => {
                quote = Some(c);
            }
            None if c == '`' => {
                parts.push(&line[from..at]);
                from = at + 1;
            }
            Some(_) | None => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    parts.push(&line[from..]);
    parts
}

/// What follows signs and words between two calls.
fn between(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | '.'));
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        if !BETWEEN.contains(&rest[..end].to_lowercase().as_str()) {
            return rest;
        }
        rest = &rest[end..];
    }
}

/// True for a text with a bracket that is closed, and an answer behind it.
fn looks_answered(text: &str) -> bool {
    let behind = text.match_indices(')').map(|(at, _)| text[at + 1..].trim_start());
    let mut behind = behind.filter(|_| text.contains('('));
    behind.any(|rest| ["==", "->", "=>", "→", "="].iter().any(|mark| rest.starts_with(mark)))
}

#[cfg(test)]
mod tests {
    use vosim_protocol::Wire as _;
    use vosim_protocol::v1::attempt::Mode;
    use vosim_protocol::v1::problem::{Function, Param};

    use super::*;
    use crate::moves::attempt::spec;

    fn read(problem: &Problem, text: &str) -> String {
        let found = examples(problem, text);
        let runs = found.runs.iter().map(|run| run.to_json().to_string());
        let unread = found.unread.iter().map(|why| format!("! {}", why.text));
        runs.chain(unread).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_run_is_read_wherever_it_stands_and_nothing_is_dropped_in_silence() {
        let problem = spec(Mode::Beginner, true).problem;
        let read = |text: &str| read(&problem, text);
        insta::assert_snapshot!(read(
            "With room for one: LRUCache() put(1,5) and then get(1) == 5, because it is there.\n\
             2. `LRUCache() get(3)==-1` or `LRUCache() get(1)==-1`\n\
             LRUCache()\n  put(1, 2)\n  get(1) returns 2.\n\
             A get(key) asks for a key (if it is there)."
        ), @r#"
        [["LRUCache",[]],["put",[1,5]],["get",[1],5]]
        [["LRUCache",[]],["get",[3],-1]]
        [["LRUCache",[]],["get",[1],-1]]
        [["LRUCache",[]],["put",[1,2]],["get",[1],2]]
        "#);
        let unread = read("get(1)==5\nLRUCache() [some] get(1)==5\nfoo(2)==3");
        insta::assert_snapshot!(unread, @r"
        ! This was not read as an example: get(1)==5 (a run begins with LRUCache(...)).
        ! This was not read as an example: LRUCache() [some] get(1)==5 (`[some] get` is not the name of a call).
        ! This was not read as an example: foo(2)==3 (the calls are LRUCache(), put(key, value), get(key)).
        ");
        insta::assert_snapshot!(read("LRUCache(7) get(1)==1\nLRUCache() get(x)==1"), @r"
        ! This was not read as an example: LRUCache(7) get(1)==1 (LRUCache takes 0 values, not 1).
        ! This was not read as an example: LRUCache() get(x)==1 (`x` is not a list of values).
        ");
    }

    #[test]
    fn answers_stand_behind_signs_in_remarks_and_on_lines_of_their_own() {
        let mut problem = spec(Mode::Beginner, true).problem;
        let param = Param { name: "steps".to_owned(), kind: "list".to_owned() };
        let (name, params) = ("plan".to_owned(), vec![param]);
        problem.interface = Interface::Function(Function { name, params, returns: None });
        for (text, answer) in [
            ("plan(1) # 0", "0"),
            ("plan(1)  // 0", "0"),
            ("plan(1)  # => 0", "0"),
            ("plan(1) #-> 0", "0"),
            ("plan(1) // returns [0, 1]", "[0,1]"),
            ("plan(1) # 0, since nothing is there", "0"),
            ("plan(1) # 0 because nothing is there", "0"),
            ("plan(1) => 0", "0"),
            ("plan(1) -> 0", "0"),
            ("plan(1) should be 0", "0"),
            ("plan(1) is 0.", "0"),
            (">>> plan(1)\n0", "0"),
            (">>> plan(1) == 0", "0"),
            ("> plan(1)\n[1, 2]", "[1,2]"),
            ("plan(1)\n  -> 0", "0"),
            ("plan(1)\n=> -1", "-1"),
            ("1) plan(1)\n   # 'a'", "\"a\""),
        ] {
            let expected = format!("[[\"plan\",[1],{answer}]]");
            assert_eq!(read(&problem, text), expected, "{text}");
        }
        for text in [
            "plan(1) # 3 steps are free",
            "plan(1) // the first",
            "plan(1)\n3 steps",
            "plan(1) gives (if it is free) 3",
            "plan(1)",
        ] {
            assert_eq!(read(&problem, text), r#"[["plan",[1]]]"#, "{text}");
        }
        let tuples = r#"[["plan",[[[5,1],[2]]],[2,3]]]"#;
        assert_eq!(read(&problem, "plan([(5, 1), (2,)]) == (2, 3)"), tuples);
        let two = "plan(1)\n0\nplan(2)\n\n=> 1\n5";
        assert_eq!(read(&problem, two), "[[\"plan\",[1],0]]\n[[\"plan\",[2],1]]");
    }

    #[test]
    fn backticks_inside_of_a_string_are_part_of_it() {
        for (line, parts) in [
            ("with `get(1)==1` it's `2`.", vec!["with ", "get(1)==1", " it's ", "2", "."]),
            (r#"first_slip("-`r") == -1"#, vec![r#"first_slip("-`r") == -1"#]),
            (r#"`add("\"`")` and `'`"#, vec!["", r#"add("\"`")"#, " and ", "'", ""]),
            ("f(1, '`')", vec!["f(1, '`')"]),
        ] {
            assert_eq!(between_backticks(line), parts, "{line}");
        }
    }

    #[test]
    fn each_line_of_a_function_is_an_example() {
        let mut problem = spec(Mode::Beginner, true).problem;
        let param = Param { name: "steps".to_owned(), kind: "list".to_owned() };
        let (name, params) = ("plan".to_owned(), vec![param]);
        problem.interface = Interface::Function(Function { name, params, returns: None });
        insta::assert_snapshot!(
            read(&problem, "1. plan([\"a\"]) = [\"a\"]\n2) plan([]) → []\nplan(nothing) = 1"),
            @r#"
        [["plan",[["a"]],["a"]]]
        [["plan",[[]],[]]]
        ! This was not read as an example: plan(nothing) = 1 (`nothing` is not a list of values).
        "#
        );
    }
}
