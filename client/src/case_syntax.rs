//! Cases of the user's own: runs of calls, each under a name.
//!
//! The daemon has the last word on whether a call fits the problem; [`misfit`] says it before a run
//! is asked for.

use vosim_protocol::ErrorCode;
use vosim_protocol::v1::judging::OWN_CASES_MAX;
use vosim_protocol::v1::problem::{Interface, Op, plain_zeros, read_calls, signature};
use vosim_protocol::v1::service::OwnCase;

use crate::errors::{Failure, user_error};
use crate::render::text::count;

/// How the cases of the command line are named, each with its number behind it.
pub(crate) const OWN_CASE: &str = "own case";

/// How what is given alone is named: `your case`.
const YOURS: &str = "your ";

/// How a case is written.
pub(crate) const EXAMPLE: &str = "Write it like: --case 'LRUCache(1) put(1,1) get(1)==1'";
const EXAMPLE_ALONE: &str = "Write it like: 'LRUCache(1) put(1,1) get(1)==1'";

/// A case by its name; one from the command line says what it is by itself.
pub(crate) fn called(name: &str) -> String {
    let says = [OWN_CASE, YOURS].iter().any(|start| name.starts_with(start));
    if says { name.to_owned() } else { format!("case {name}") }
}

fn bad_case(name: &str, reason: &str) -> Failure {
    let message = format!("cannot read {}: {reason}", called(name));
    let example = if name.starts_with(YOURS) { EXAMPLE_ALONE } else { EXAMPLE };
    user_error(ErrorCode::InvalidCase, message).hint(example)
}

/// Reads one case as it stands on the command line.
pub(crate) fn parse(name: &str, text: &str) -> Result<OwnCase, Failure> {
    let bad = |reason: String| bad_case(name, &reason);
    named(name.to_owned(), read_calls(text).map_err(bad)?)
}

/// The cases as the session takes them: some, not too many, and each fits the problem.
pub(crate) fn operations(
    cases: Vec<OwnCase>,
    interface: &Interface,
) -> Result<Vec<Vec<Op>>, Failure> {
    let refused = |message: String| user_error(ErrorCode::InvalidCase, message);
    match cases.len() {
        0 => {
            let calls = interface.calls();
            let how = match interface {
                // The example is one of the LRU Cache, whichever class this is.
                Interface::Class { .. } => {
                    format!("{EXAMPLE}, with the calls of the problem: {calls}")
                }
                Interface::Function(_) => {
                    format!("Write it like: --case '{calls}==answer', with values for the names")
                }
            };
            return Err(refused("no case of your own was given".to_owned()).hint(how));
        }
        1..=OWN_CASES_MAX => {}
        count => {
            return Err(refused(format!(
                "{count} cases were given; at most {OWN_CASES_MAX} are possible in one run"
            )));
        }
    }
    let fits = |OwnCase { name, ops, .. }: OwnCase| match misfit(interface, &ops) {
        None => Ok(ops),
        Some(reason) => {
            Err(refused(format!("{} does not fit the problem: {reason}", called(&name)))
                .hint(format!("Its calls are: {}", interface.calls())))
        }
    };
    cases.into_iter().map(fits).collect()
}

/// Reads a file of cases: a JSON list of cases, or one case a line, each perhaps behind
/// `name:`; `#` begins a comment.
pub(crate) fn parse_file(shown: &str, text: &str) -> Result<Vec<OwnCase>, Failure> {
    if text.trim_start().starts_with('[')
        && let Ok(list) = serde_json::from_str::<Vec<Listed>>(&plain_zeros(text))
    {
        return list.into_iter().enumerate().map(|(i, listed)| listed.case(shown, i)).collect();
    }
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| match line.split_once(':') {
            Some((name, case)) if is_name(name.trim()) => parse(name.trim(), case),
            _ => parse(&format!("{shown}:{number}"), line),
        })
        .collect()
}

/// A case in a JSON list: with a name, or bare.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Listed {
    Named(OwnCase),
    Bare(Vec<Op>),
}

impl Listed {
    fn case(self, shown: &str, index: usize) -> Result<OwnCase, Failure> {
        match self {
            Self::Named(OwnCase { name, ops, .. }) => named(name, ops),
            Self::Bare(ops) => named(format!("{shown}:{}", index + 1), ops),
        }
    }
}

fn named(name: String, ops: Vec<Op>) -> Result<OwnCase, Failure> {
    if ops.is_empty() {
        return Err(bad_case(&name, "it has no calls"));
    }
    Ok(OwnCase { name, ops, by_reference: false })
}

/// Where a case does not fit a problem; None where it does.
pub(crate) fn misfit(interface: &Interface, ops: &[Op]) -> Option<String> {
    ops.iter().enumerate().find_map(|(at, op)| {
        let known = interface.signatures();
        let number = at + 1;
        // The daemon knows how many instances there are to go back to.
        if at > 0 && op.back_to(interface).is_some() {
            return None;
        }
        let Some((name, params)) = known.iter().find(|(name, _)| *name == op.call) else {
            return Some(format!("call {number}, {}, is not one of its calls", op.call));
        };
        let signature = signature(name, params);
        // A class is there before its methods are called.
        if let Interface::Class { name: class, .. } = interface
            && at == 0
            && op.call != *class
        {
            return Some(format!("its first call has to construct {class}"));
        }
        let given = count(op.args.len() as u64, "argument");
        let needed = params.len();
        (op.args.len() != needed)
            .then(|| format!("call {number} has {given}, {signature} takes {needed}"))
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use vosim_protocol::Wire as _;
    use vosim_protocol::v1::problem::{Function, Param};

    use super::*;
    use crate::spelling::Spelling;

    fn ops(text: &str) -> Value {
        parse("own case 1", text).map_or_else(|e| json!(e.to_string()), |case| case.ops.to_json())
    }

    #[test]
    fn both_spellings_say_the_same() {
        let json = json!([["LRUCache", [1]], ["put", [1, 1]], ["get", [1], 1]]);
        assert_eq!(ops(&json.to_string()), json);
        for text in [
            "LRUCache(1) put(1,1) get(1)==1",
            "LRUCache( 1 ); put(1, 1); get(1) -> 1",
            "c.LRUCache(1), c.put(1,1), c.get(1) == 1;",
        ] {
            assert_eq!(ops(text), json, "{text}");
        }
    }

    #[test]
    fn a_zero_with_a_sign_is_the_whole_number() {
        let read = ops("f(-0, [-0, -1], '-0', -0.0) == -0").to_string();
        assert_eq!(read, r#"[["f",[0,[0,-1],"-0",-0.0],0]]"#);
        assert_eq!(ops(r#"[["f",[-0,-0.0,"-0"],-0]]"#).to_string(), r#"[["f",[0,-0.0,"-0"],0]]"#);
    }

    #[test]
    fn python_values_and_nested_lists_are_read() {
        assert_eq!(
            ops("f('it\\'s (ok)', [1, [2]], True, None, -1.5, \"a,b\")==[1, 'x']"),
            json!([["f", ["it's (ok)", [1, [2]], true, null, -1.5, "a,b"], [1, "x"]]])
        );
    }

    #[test]
    fn tuples_are_lists_and_brackets_about_one_value_are_none() {
        assert_eq!(
            ops("f((1, 2), [(3,), ( )], (4), ('(a, b)', (5, (6)))) == (7, 'x')"),
            json!([["f", [[1, 2], [[3], []], 4, ["(a, b)", [5, 6]]], [7, "x"]]])
        );
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        for (text, reason) in [
            ("", "it has no calls"),
            ("get", "`get` is not a call like get(1)"),
            ("get(1", "`get(` has no closing parenthesis"),
            ("get(x)", "`x` is not a list of values"),
            ("get(1)==", "an answer is missing after =="),
            ("f((1])", "`(1]` is not a list of values"),
            ("f((1)", "`f(` has no closing parenthesis"),
            (
                "f(1, key='a=b')",
                "`key=` names a value: write the values alone, in the order of the call",
            ),
            ("f(x == 1)", "`x == 1` is not a list of values"),
            ("a b(1)", "`a b` is not the name of a call"),
        ] {
            assert_eq!(ops(text), json!(format!("cannot read own case 1: {reason}")), "{text}");
        }
    }

    #[test]
    fn what_is_given_alone_is_named_without_a_switch() {
        let told = |name: &str| parse(name, "").unwrap_err().text(Spelling::CommandLine).unwrap();
        let yours = told("your input");
        assert_eq!(yours.message, "cannot read your input: it has no calls");
        assert!(!yours.hint.unwrap().contains("--case"));
        assert!(told("own case 1").hint.unwrap().contains("--case"));
    }

    #[test]
    fn a_file_holds_lines_or_a_json_list() {
        let lines = "# own cases\n\none put: LRUCache(1) put(1,1)\nget(1)==1\n";
        let cases = parse_file("my.txt", lines).unwrap();
        assert_eq!(cases.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["one put", "my.txt:4"]);
        let list = r#"[{"name":"a","ops":[["f",[1]]]},[["f",[2],3]]]"#;
        let cases = parse_file("my.json", list).unwrap();
        assert_eq!(cases.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["a", "my.json:2"]);
        assert_eq!(cases[1].ops.to_json(), json!([["f", [2], 3]]));
    }

    #[test]
    fn a_case_that_does_not_fit_is_told_with_the_call_that_it_is() {
        let interface = crate::render::samples::card().interface;
        assert_eq!(interface.calls(), "LRUCache(capacity), get(key), put(key, value)");
        let told = |text: &str| misfit(&interface, &parse("a", text).unwrap().ops);
        for good in ["LRUCache(1) put(1,1) get(1)==1", "LRUCache(1) LRUCache(2)"] {
            assert_eq!(told(good), None, "{good}");
        }
        let all: Vec<_> = ["LRUCache(1) frob(1)", "LRUCache(1) put(1)", "get(1)", "LRUCache()"]
            .iter()
            .map(|text| told(text).unwrap())
            .collect();
        insta::assert_snapshot!(all.join("\n"), @"
        call 2, frob, is not one of its calls
        call 2 has 1 argument, put(key, value) takes 2
        its first call has to construct LRUCache
        call 1 has 0 arguments, LRUCache(capacity) takes 1
        ");
        let add = Interface::Function(Function {
            name: "add".to_owned(),
            params: vec![Param { name: "n".to_owned(), kind: "int".to_owned() }],
            returns: None,
        });
        assert_eq!(misfit(&add, &parse("a", "add(1)==2").unwrap().ops), None);
        let none = operations(Vec::new(), &add).unwrap_err();
        assert!(format!("{none:?}").contains("--case 'add(n)==answer'"), "{none:?}");
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop::collection::vec(inner, 0..3).prop_map(Value::from)
        })
    }

    proptest! {
        #[test]
        fn calls_written_out_are_read_back(
            calls in prop::collection::vec(
                ("[a-z_]{1,6}", prop::collection::vec(value(), 0..3), prop::option::of(value())),
                1..6,
            ),
        ) {
            let mut text = String::new();
            for (name, args, expect) in &calls {
                let args: Vec<_> = args.iter().map(Value::to_string).collect();
                text += &format!("{name}({})", args.join(","));
                if let Some(expect) = expect {
                    text += &format!("=={expect}");
                }
                text += " ";
            }
            let read = parse("case", &text).unwrap().ops;
            prop_assert_eq!(read.len(), calls.len());
            for (op, (name, args, expect)) in read.iter().zip(&calls) {
                prop_assert_eq!((&op.call, &op.args, &op.expect), (name, args, expect));
            }
        }

        #[test]
        fn no_text_panics(text in "(?s).{0,60}|[a-z(),='\"\\\\\\[\\] ]{0,40}") {
            parse("case", &text).ok();
            parse_file("file", &text).ok();
        }
    }
}
