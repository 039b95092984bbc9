//! Any bytes as what a driver answers, and any whole conversation with it: never a panic, never
//! more parts or depth than a frame may have, and nothing equals what must come back but the same.
//! What is right is said here in words of its own, over the JSON as it stands on the line.

mod conversation;

use serde_json::{Value as Json, json};
use vosim_fuzz::proptest;
use vosim_fuzz::proptest::collection::vec;
use vosim_fuzz::proptest::prelude::*;
use vosim_fuzz::proptest::sample::select;
use vosim_fuzz::{Fails, Input, Target, near};
use vosim_protocol::v1::problem::Language;

use super::frames::{Answer, Loaded, Nonce, PARTS_MAX, Said, read};
use super::value::Value;

/// Names and texts that mean something in a frame.
const WORDS: &[&str] = &[
    "nonce",
    "seq",
    "load",
    "ok",
    "raised",
    "missing",
    "signature",
    "found",
    "problems",
    "need",
    "others",
    "returns",
    "nanos",
    "end",
    "micros",
    "error",
    "type",
    "message",
    "trace",
    "syntax",
    "status",
    "memory",
    "print",
    "prints",
    "bytes",
    "tail",
    "float",
    "int",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "map",
    "repr",
    "NaN",
    "-inf",
    "1_000",
    "0x10",
    "1.5",
];

/// The number of the question that is answered.
const SEQ: u32 = 3;

const LANGUAGES: [Language; 2] = [Language::Python, Language::Javascript];

/// A value in the driver's notation.
fn value() -> BoxedStrategy<Json> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Json::from),
        small().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "[a-c]{0,2}".prop_map(Json::from),
        any::<String>().prop_map(Json::from),
        any::<f64>().prop_map(|number| json!({ "float": format!("{number:?}") })),
        any::<u128>().prop_map(|n| json!({ "int": (u128::from(u64::MAX) + (n >> 1)).to_string() })),
        Just(json!({})),
        "[a-z<>]{1,9}".prop_map(|text| json!({ "type": "Own", "repr": text })),
    ];
    let inner = leaf.prop_recursive(5, 40, 4, |inner| {
        let key = prop_oneof![4 => "[ab]".prop_map(Json::from), 1 => inner.clone()];
        let pairs = vec((key, inner.clone()).prop_map(|(key, item)| json!([key, item])), 0..3);
        let tag = select(&["tuple", "set", "frozenset"]);
        prop_oneof![
            3 => vec(inner.clone(), 0..4).prop_map(Json::from),
            1 => (tag, vec(inner, 0..3)).prop_map(|(tag, items)| json!({ tag: items })),
            2 => pairs.clone().prop_map(|pairs| json!({ "dict": pairs })),
            1 => pairs.prop_map(|pairs| json!({ "map": pairs })),
        ]
    });
    inner.boxed()
}

fn small() -> BoxedStrategy<i64> {
    (-2i64..5).boxed()
}

/// What drivers answer.
fn valid() -> BoxedStrategy<Json> {
    let names = || vec("[A-Za-z_]{1,8}", 0..3);
    let load = prop_oneof![
        Just(json!({ "load": "ok" })),
        error().prop_map(|error| json!({ "load": "raised", "error": error })),
        names().prop_map(|found| json!({ "load": "missing", "found": found })),
        (names(), proptest::option::of("[a-z]{1,5}")).prop_map(|(others, found)| {
            let problem = json!({ "need": "get", "found": found, "others": others });
            json!({ "load": "signature", "problems": [problem] })
        }),
    ];
    let case = (vec(value(), 0..4), proptest::option::weighted(0.3, error()));
    let answer = prop_oneof![
        2 => load,
        5 => case.prop_map(|(returns, error)| match error {
            Some(error) => json!({ "returns": returns, "micros": 12, "error": error }),
            None => json!({ "returns": returns, "micros": 12 }),
        }),
        1 => vec(any::<u64>(), 0..3).prop_map(|nanos| json!({ "nanos": nanos })),
        1 => (0u32..5).prop_map(|count| json!({ "end": count })),
    ];
    let prints =
        ("[ -~]{0,9}", 0u64..99).prop_map(|(tail, bytes)| json!({ "bytes": bytes, "tail": tail }));
    let answer = (answer, prints).prop_map(|(mut answer, prints)| {
        answer["prints"] = prints;
        answer
    });
    let print =
        ("[ -~\n]{0,20}", 0..=SEQ).prop_map(|(text, seq)| json!({ "print": text, "seq": seq }));
    let said = prop_oneof![6 => answer, 1 => print];
    said.prop_map(|mut said| {
        said["nonce"] = json!("a");
        if said.get("seq").is_none() {
            said["seq"] = json!(SEQ);
        }
        said
    })
    .boxed()
}

fn error() -> BoxedStrategy<Json> {
    let trace = vec((1u64..99, "[a-z<>]{1,8}"), 0..3);
    let more = select(vec![
        json!({}),
        json!({ "syntax": null }),
        json!({ "syntax": 3 }),
        json!({ "status": 1 }),
        json!({ "memory": true }),
    ]);
    let error = (trace, "[ -~]{0,12}", more).prop_map(|(trace, message, mut error)| {
        error["type"] = json!("ValueError");
        error["message"] = json!(message);
        error["trace"] = json!(trace);
        error
    });
    error.boxed()
}

/// Deepest nesting and number of parts of a value.
fn extent(value: &Value) -> (usize, usize) {
    let within = |parts: Vec<&Value>| {
        let each = parts.iter().map(|part| extent(part));
        let (depth, count) = each.fold((0, 0), |(depth, count), (d, c)| (depth.max(d), count + c));
        (depth + 1, count + 1)
    };
    match value {
        Value::List(items) | Value::Sequence(_, items) => within(items.iter().collect()),
        Value::Dict(pairs) | Value::Map(pairs) => {
            within(pairs.iter().flat_map(|(key, item)| [key, item]).collect())
        }
        Value::Null
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::BigInt(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Other { .. } => (1, 1),
    }
}

/// What was read stands on the line, and can be told to anybody.
fn stands_on_the_line(answer: &Answer, line: &Json) -> Result<(), TestCaseError> {
    let said = line["returns"].as_array().map(Vec::len).unwrap_or_default();
    prop_assert_eq!(answer.returns.len(), said);
    prop_assert_eq!(answer.end.map(u64::from), line["end"].as_u64());
    let loaded = line["load"] == "ok";
    prop_assert_eq!(answer.load == Some(Loaded::Ok), loaded);
    let each = answer.returns.iter().map(extent);
    let (depth, parts) = each.fold((0, 0), |(depth, all), (d, c)| (depth.max(d), all + c));
    prop_assert!(depth < 128 && parts <= PARTS_MAX, "{parts} parts, {depth} deep");
    for value in &answer.returns {
        for language in LANGUAGES {
            prop_assert!(!value.show(language).is_empty());
        }
    }
    Ok(())
}

fn reads(input: &Input) -> Fails {
    let Some(said) = read(input, &Nonce::known("a"), SEQ) else {
        prop_assert!(!input.is_sound(), "a sound frame was refused");
        return Ok("refused");
    };
    // What stands under a name that nobody asked for need not even be text.
    let Ok(line) = serde_json::from_slice::<Json>(input) else { return Ok("refused") };
    prop_assert_eq!(&line["nonce"], "a");
    let seq = line["seq"].as_u64();
    match said {
        Said::Print(_, text) => {
            prop_assert_eq!(line["print"].as_str(), Some(text.as_str()));
            prop_assert!(seq.is_some_and(|seq| seq <= u64::from(SEQ)));
            Ok("print")
        }
        Said::Answer(answer) => {
            prop_assert_eq!(seq, Some(u64::from(SEQ)));
            stands_on_the_line(&answer, &line)?;
            Ok("answer")
        }
    }
}

#[test]
fn any_line_is_an_answer_to_the_question_or_refused() {
    let outcomes = &["answer", "print", "refused"];
    let target = Target { name: "driver-frames", inputs: 800, outcomes };
    target.run(&near(valid(), WORDS), |input| reads(&input));
}

/// Whether a notation stands for what must come back, looked at from the other side: the notation
/// of what must come back is made, in all ways in which it can be written.
fn stands_for(notation: &Json, expected: &Json, language: Language) -> bool {
    let script = language == Language::Javascript;
    match expected {
        Json::Null => notation.is_null() || *notation == json!({}),
        Json::Bool(_) | Json::String(_) => notation == expected,
        Json::Number(number) if number.is_f64() => {
            let tagged = notation["float"].as_str().and_then(|text| text.parse().ok());
            let whole = notation.as_i64().map(|whole| whole.to_string());
            let whole = whole.as_deref().or_else(|| notation["int"].as_str());
            let exact = format!("{:.0}", number.as_f64().unwrap());
            let same =
                |digits: &str| script && digits == exact && number.as_f64().unwrap().fract() == 0.0;
            tagged == number.as_f64()
                || whole.is_some_and(same)
                || (script && notation == 0 && number.as_f64() == Some(0.0))
        }
        Json::Number(number) if number.is_i64() => notation == expected,
        Json::Number(number) => notation["int"].as_str() == Some(&number.to_string()),
        Json::Array(items) => notation.as_array().is_some_and(|parts| {
            let mut pairs = parts.iter().zip(items);
            parts.len() == items.len() && pairs.all(|(part, item)| stands_for(part, item, language))
        }),
        Json::Object(entries) => notation["dict"].as_array().is_some_and(|pairs| {
            let of = |name: &str| pairs.iter().filter(|pair| pair[0] == name).collect::<Vec<_>>();
            pairs.len() == entries.len()
                && entries.iter().all(|(name, item)| match of(name)[..] {
                    [pair] => stands_for(&pair[1], item, language),
                    _ => false,
                })
        }),
    }
}

/// What may have to come back: anything that can be written down in a problem.
fn expected() -> BoxedStrategy<Json> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Json::from),
        small().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        small().prop_map(|number| json!(number as f64)),
        any::<f64>().prop_map(Json::from),
        "[a-c]{0,2}".prop_map(Json::from),
    ];
    let all = leaf.prop_recursive(3, 20, 3, |inner| {
        let entries = proptest::collection::btree_map("[ab]", inner.clone(), 0..3);
        prop_oneof![
            vec(inner, 0..3).prop_map(Json::from),
            entries.prop_map(|entries| entries.into_iter().collect()),
        ]
    });
    all.boxed()
}

/// The usual notation of what must come back, so that many are equal.
fn written(json: &Json) -> Json {
    match json {
        Json::Number(number) if number.is_f64() => json!({ "float": number.to_string() }),
        Json::Number(number) if !number.is_i64() => json!({ "int": number.to_string() }),
        Json::Array(items) => items.iter().map(written).collect(),
        Json::Object(entries) => {
            let pairs = entries.iter().map(|(name, item)| json!([name, written(item)]));
            json!({ "dict": pairs.collect::<Vec<_>>() })
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => json.clone(),
    }
}

fn compares(input: &Input, expected: &Json) -> Fails {
    let Ok(notation) = serde_json::from_slice::<Json>(input) else { return Ok("refused") };
    let Some(value) = Value::read(notation.clone()) else {
        prop_assert!(!input.is_sound(), "a sound value was refused");
        return Ok("refused");
    };
    let is = LANGUAGES.map(|language| value.is(expected, language));
    let should = LANGUAGES.map(|language| stands_for(&notation, expected, language));
    prop_assert_eq!(is, should);
    Ok(if is[0] { "equal" } else { "different" })
}

#[test]
fn a_value_equals_what_must_come_back_or_it_does_not() {
    let outcomes = &["equal", "different", "refused"];
    let target = Target { name: "driver-values", inputs: 1500, outcomes };
    let pairs = prop_oneof![
        2 => expected().prop_map(|json| (json.clone(), written(&json))),
        1 => (expected(), value()),
    ];
    let inputs = vosim_fuzz::near_beside(pairs, WORDS);
    target.run(&inputs, |(expected, input)| compares(&input, &expected));
}
