//! What each value that a program may return is held for: a row says what it is compared with and
//! what comes of that, `=` or how the value is shown. All rows of a language are one submission.

use super::*;

/// A value, what must come back, and `=` or what is shown instead; `…` stands for any rest.
type Row = (&'static str, &'static str, &'static str);

/// What the rows' expressions need, and the values that defend themselves.
const PYTHON_HEAD: &str = "
import collections, enum, fractions, decimal
class Clever(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
class Anything:
    def __eq__(self, other): return True
    def __repr__(self): return 'Anything()'
    __class__ = property(lambda self: int)
class Meta(type):
    def __hash__(cls): return hash(dict)
    def __eq__(cls, other): return True
class Posing(metaclass=Meta):
    def __len__(self): return 1
    def items(self): return [('a', 1)]
    def __iter__(self): return iter([['a', 1]])
    def __repr__(self): return 'Posing()'
class Text(str): pass
class Row(list): pass
class Mute:
    def __repr__(self): raise ValueError('no')
class Number(enum.IntEnum):
    ONE = 1
Pair = collections.namedtuple('Pair', 'a b')
def deep(levels):
    value = 7
    for _ in range(levels): value = [value]
    return value
def cycle(value):
    value.append(value)
    return value
def ring():
    value = {}
    value['a'] = value
    return value
";

const PYTHON: &[Row] = &[
    ("1", "1", "="),
    ("True", "1", "True"),
    ("1", "true", "1"),
    ("False", "0", "False"),
    ("Clever(1)", "1", "1 (Clever)"),
    ("[Clever(1)]", "[1]", "[1 (Clever)]"),
    ("Number.ONE", "1", "<Number.ONE: 1>"),
    ("Anything()", "1", "Anything()"),
    ("Posing()", "{\"a\": 1}", "Posing()"),
    ("1.0", "1", "1.0"),
    ("1", "1.0", "1"),
    ("1.0", "1.0", "="),
    ("0.1 + 0.2", "0.3", "0.30000000000000004"),
    ("-0.0", "0.0", "="),
    ("-0.0", "0", "-0.0"),
    ("float('nan')", "0.0", "nan"),
    ("float('inf')", "1.0", "inf"),
    ("1e300", "1e300", "="),
    ("1e-7", "1.0", "1e-07"),
    ("1e22", "1.0", "1e+22"),
    ("1 + 0j", "1", "(1+0j) (complex)"),
    ("fractions.Fraction(1)", "1", "Fraction(1, 1)"),
    ("decimal.Decimal(1)", "1", "Decimal('1')"),
    ("2 ** 53 + 1", "9007199254740993", "="),
    ("2 ** 53", "9007199254740993", "9007199254740992"),
    ("2 ** 64 - 1", "18446744073709551615", "="),
    ("2 ** 64", "18446744073709551615", "18446744073709551616"),
    ("-2 ** 63", "-9223372036854775808", "="),
    ("10 ** 30", "1e30", "1000000000000000000000000000000"),
    ("10 ** 100_000", "1", "<int of 332193 bits>"),
    ("None", "null", "="),
    ("None", "0", "None"),
    ("None", "false", "None"),
    ("[]", "null", "[]"),
    ("NotImplemented", "null", "NotImplemented (NotImplementedType)"),
    ("...", "null", "Ellipsis (ellipsis)"),
    ("'a'", "\"a\"", "="),
    ("'1'", "1", "'1'"),
    ("b'a'", "\"a\"", "b'a' (bytes)"),
    ("bytearray(b'a')", "\"a\"", "bytearray(b'a')"),
    ("Text('a')", "\"a\"", "'a' (Text)"),
    ("'e\\u0301'", "\"\u{e9}\"", "'e\u{301}'"),
    ("'\\U0001f600'", "\"\u{1f600}\"", "="),
    ("'\\ud83d\\ude00'", "\"\u{1f600}\"", "'\\ud83d\\ude00' (str)"),
    ("'\\ud800'", "\"\u{fffd}\"", "'\\ud800' (str)"),
    ("'a\\0b'", "\"a\\u0000b\"", "="),
    ("[1, [2, None]]", "[1, [2, null]]", "="),
    ("[1]", "[1, 2]", "[1]"),
    ("(1, 2)", "[1, 2]", "(1, 2)"),
    ("[(1, 2)]", "[[1, 2]]", "[(1, 2)]"),
    ("Pair(1, 2)", "[1, 2]", "Pair(a=1, b=2)"),
    ("Row([1])", "[1]", "[1] (Row)"),
    ("range(2)", "[0, 1]", "range(0, 2)"),
    ("(n for n in ())", "[]", "<generator object <lambda>.<locals>.<genexpr> at …"),
    ("collections.deque([1])", "[1]", "deque([1])"),
    ("{1}", "[1]", "{1}"),
    ("set()", "[]", "set()"),
    ("frozenset([1])", "[1]", "frozenset({1})"),
    ("{'a': 1, 'b': [2]}", "{\"b\": [2], \"a\": 1}", "="),
    ("{'a': 1}", "{\"a\": 1, \"b\": 2}", "{'a': 1}"),
    ("{'a': True}", "{\"a\": 1}", "{'a': True}"),
    ("{1: 2}", "{\"1\": 2}", "{1: 2}"),
    ("{Text('a'): 1}", "{\"a\": 1}", "{'a' (Text): 1}"),
    ("{}.keys()", "[]", "dict_keys([])"),
    ("collections.OrderedDict(a=1)", "{\"a\": 1}", "OrderedDict([('a', 1)])"),
    ("collections.defaultdict(int, a=1)", "{\"a\": 1}", "defaultdict(<class 'int'>, {'a': 1})"),
    ("deep(24)", "[[[[[[[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]]]]]]]", "="),
    (
        "deep(25)",
        "[[[[[[[[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]]]]]]]]",
        "[[[[[[[[[[[[[[[[[[[[[[[[<list, too large>]]]]]]]]]]]]]]]]]]]]]]]]",
    ),
    ("deep(90_000)", "7", "[[[[[[[[[[[[[[[[[[[[[[[[<list, too large>]]]]]]]]]]]]]]]]]]]]]]]]"),
    ("cycle([])", "[]", "[[[[[[[[[[[[[[[[[[[[[[[[<list, too large>]]]]]]]]]]]]]]]]]]]]]]]]"),
    ("ring()", "{\"a\": 1}", "{'a': {'a': {'a': {'a': {'a': {'a': {'a': {'a': {'…"),
    ("[0] * 100_001", "0", "<list, too large>"),
    ("[10 ** 3000] * 90_000", "0", "<list, too large>"),
    ("[Anything()] * 90_000", "0", "<list, too large>"),
    ("'x' * (1 << 21)", "0", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"),
    ("Mute()", "0", "<no repr> (Mute)"),
    ("Clever", "1", "<class 'a.Clever'> (type)"),
    ("answer", "1", "<function answer at …"),
];

/// The same for JavaScript.
const SCRIPT_HEAD: &str = "
class Clever extends Number { valueOf() { return 1; } equals() { return true; } }
class Row extends Array {}
class Own { a = 1; }
function deep(levels) {
  let value = 7;
  for (let at = 0; at < levels; at++) value = [value];
  return value;
}
function cycle(value) { value.push(value); return value; }
function ring() { const value = {}; value.a = value; return value; }
";

const SCRIPT: &[Row] = &[
    ("1", "1", "="),
    ("true", "1", "true"),
    ("1", "true", "1"),
    ("1.0", "1", "="),
    ("1", "1.0", "="),
    ("2.5", "2.5", "="),
    ("0.1 + 0.2", "0.3", "0.30000000000000004"),
    ("-0", "0", "="),
    ("-0", "0.0", "="),
    ("-0", "-0.0", "="),
    ("NaN", "0", "NaN"),
    ("Infinity", "1.5", "Infinity"),
    ("1e300", "1e300", "="),
    ("1e-7", "1.5", "1e-7"),
    ("1e22", "1.5", "10000000000000000000000"),
    ("Clever", "1", "[class Clever extends Number] (Function)"),
    ("new Clever(1)", "1", "[Number (Clever): 1]"),
    ("new Number(1)", "1", "[Number: 1]"),
    ("Object(1n)", "1", "[BigInt: 1n]"),
    ("1n", "1", "1n (bigint)"),
    ("2 ** 53", "9007199254740992", "="),
    ("2 ** 53 + 1", "9007199254740993", "9007199254740992"),
    ("2n ** 53n + 1n", "9007199254740993", "="),
    ("2n ** 64n - 1n", "18446744073709551615", "="),
    ("2 ** 64", "18446744073709551615", "18446744073709551616"),
    ("10 ** 20", "1e20", "="),
    ("10n ** 20n", "1e20", "="),
    ("10n ** 20n + 1n", "1e20", "100000000000000000001"),
    ("10n ** 100_000n", "1", "<bigint of more than 4000 digits>"),
    ("null", "null", "="),
    ("undefined", "null", "="),
    ("null", "0", "null"),
    ("false", "null", "false"),
    ("[]", "null", "[]"),
    ("'a'", "\"a\"", "="),
    ("'1'", "1", "'1'"),
    ("new String('a')", "\"a\"", "[String: 'a']"),
    ("new Boolean(true)", "true", "[Boolean: true]"),
    ("'\\u{1f600}'", "\"\u{1f600}\"", "="),
    ("'\\ud83d' + '\\ude00'", "\"\u{1f600}\"", "="),
    ("'\\ud800'", "\"\u{fffd}\"", "'\\ud800' (string)"),
    ("'e\\u0301'", "\"\u{e9}\"", "'e\u{301}'"),
    ("Symbol('a')", "\"a\"", "Symbol(a) (symbol)"),
    ("Symbol.iterator", "null", "Symbol(Symbol.iterator) (symbol)"),
    ("[1, [2, null]]", "[1, [2, null]]", "="),
    ("[1]", "[1, 2]", "[1]"),
    ("[undefined]", "[null]", "="),
    ("[, 1]", "[null, 1]", "="),
    ("new Array(2)", "[null, null]", "="),
    ("new Array(4294967295)", "[]", "[ <4294967295 empty items> ] (Array)"),
    ("Object.assign([1], { a: 1 })", "[1]", "="),
    ("Row.from([1])", "[1]", "Row(1) [ 1 ]"),
    ("new Uint8Array([1])", "[1]", "Uint8Array(1) [ 1 ]"),
    ("(function () { return arguments; })(1)", "[1]", "{'0': 1}"),
    ("[1].values()", "[1]", "Object [Array Iterator] {}"),
    ("new Set([1])", "[1]", "Set {1}"),
    ("new Map([['a', 1]])", "{\"a\": 1}", "Map {'a' => 1}"),
    ("{ b: [2], a: 1 }", "{\"a\": 1, \"b\": [2]}", "="),
    ("{ a: 1 }", "{\"a\": 1, \"b\": 2}", "{a: 1}"),
    ("{ a: true }", "{\"a\": 1}", "{a: true}"),
    ("{ 1: 2 }", "{\"1\": 2}", "="),
    ("{ a: undefined }", "{\"a\": null}", "="),
    ("{ a: undefined }", "{}", "{a: undefined}"),
    ("JSON.parse('{\"__proto__\": 1}')", "{\"__proto__\": 1}", "="),
    ("Object.assign(Object.create(null), { a: 1 })", "{\"a\": 1}", "="),
    ("{ [Symbol('a')]: 1 }", "{}", "="),
    ("{ get a() { return 1; } }", "{\"a\": 1}", "="),
    ("{ get a() { throw new Error('no'); } }", "{\"a\": 1}", "{ a: [Getter] } (Object)"),
    ("Object.defineProperty([1], 0, { get() { throw 1; } })", "[1]", "[ [Getter] ] (Array)"),
    (
        "{ valueOf: () => 1, toString: () => '1' }",
        "1",
        "{valueOf: [Function: valueOf], toString: [Function: toString]}",
    ),
    ("{ toJSON() { return 1; } }", "1", "{toJSON: [Function: toJSON]}"),
    ("{ [Symbol.toPrimitive]: () => 1 }", "1", "{}"),
    ("new Own()", "{\"a\": 1}", "Own { a: 1 }"),
    ("new Proxy([1], {})", "[1]", "Proxy [ [ 1 ], {} ]"),
    (
        "new Proxy({}, { get: () => 1, ownKeys() { throw 1; } })",
        "{\"a\": 1}",
        "Proxy [ {}, { get: [Function: get], ownKeys: [Function: ownKeys] } ]",
    ),
    (
        "[new Proxy({}, { getPrototypeOf() { throw 1; } })]",
        "[{}]",
        "[Proxy [ {}, { getPrototypeOf: [Function: getPrototypeOf] } ]]",
    ),
    ("new Date(0)", "0", "1970-01-01T00:00:00.000Z (Date)"),
    ("new Date(NaN)", "null", "Invalid Date"),
    ("/a/", "\"/a/\"", "/a/ (RegExp)"),
    ("new Error('no')", "null", "Error: no"),
    ("Promise.resolve(1)", "1", "Promise { 1 }"),
    ("new WeakMap()", "{}", "WeakMap { <items unknown> }"),
    ("deep(24)", "[[[[[[[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]]]]]]]", "="),
    (
        "deep(25)",
        "[[[[[[[[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]]]]]]]]",
        "[[[[[[[[[[[[[[[[[[[[[[[[[ 7 ] (Array)]]]]]]]]]]]]]]]]]]]]]]]]",
    ),
    ("deep(90_000)", "7", "[[[[[[[[[[[[[[[[[[[[[[[[[ [ [ [Array] ] ] ]]]]]]]]]]]]]]]]]]]]]]]]]"),
    (
        "cycle([])",
        "[]",
        "[[[[[[[[[[[[[[[[[[[[[[[[<ref *1> [ [Circular *1] ] (Array)]]]]]]]]]]]]]]]]]]]]]]]]",
    ),
    ("ring()", "{\"a\": 1}", "{a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a…"),
    ("new Array(100_001).fill(0)", "0", "[ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …"),
    (
        "new Array(90_000).fill(10n ** 3000n)",
        "0",
        "[ 100000000000000000000000000000000000000000000000…",
    ),
    (
        "new Array(90_000).fill(/some expression/)",
        "0",
        "[ /some expression/, /some expression/, /some expr…",
    ),
    ("'x'.repeat(1 << 21)", "0", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"),
    ("answer", "1", "[Function: answer]"),
];

fn problem_of(rows: &[Row]) -> (Problem, Suite) {
    let mut problem = problem();
    problem.interface = serde_json::from_value(json!({ "form": "function", "name": "answer",
        "params": [{ "name": "at", "type": "int" }] }))
    .unwrap();
    let case = |(at, row): (usize, &Row)| {
        let wanted: serde_json::Value = serde_json::from_str(row.1).unwrap();
        json!({ "name": format!("row {at}"), "ops": [["answer", [at], wanted]] })
    };
    let cases: Vec<_> = rows.iter().enumerate().map(case).collect();
    (problem, serde_json::from_value(json!({ "cases": cases })).unwrap())
}

/// What comes of each row, in the table's own form.
fn answers(language: Language, code: &str, rows: &[Row]) -> Vec<String> {
    let (problem, suite) = problem_of(rows);
    let (code, file_path) = (code.as_bytes(), "a.src");
    let submission = Submission { problem: &problem, suite: &suite, code, file_path, language };
    let limits = Limits { cpu_ms: 10_000, ..limits() };
    let evaluator = Evaluator { limits, ..evaluator() };
    let evaluation =
        evaluator.evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap();
    assert_eq!(evaluation.load, Load::Loaded);
    let told = evaluation.cases.iter().map(|case| match (&case.outcome, &case.shown) {
        (CaseOutcome::Passed, _) => "=".to_owned(),
        (CaseOutcome::Failed, Some(shown)) => shown.actual.clone(),
        (outcome, _) => format!("{outcome:?}"),
    });
    told.collect()
}

fn check(language: Language, code: &str, rows: &[Row]) {
    let mut wrong = String::new();
    for ((value, wanted, held), told) in rows.iter().zip(answers(language, code, rows)) {
        let same = match held.strip_suffix('…') {
            Some(begin) => told.starts_with(begin),
            None => *held == told,
        };
        if !same {
            wrong += &format!("    ({value:?}, {wanted:?}, {told:?}), // {held:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_value_of_python_equals_what_must_come_back_or_is_shown() {
    let values: Vec<_> = PYTHON.iter().map(|row| format!("    lambda: {},\n", row.0)).collect();
    let code = format!(
        "{PYTHON_HEAD}\nVALUES = [\n{}]\ndef answer(at): return VALUES[at]()\n",
        values.concat()
    );
    check(Language::Python, &code, PYTHON);
}

#[test]
fn every_value_of_javascript_equals_what_must_come_back_or_is_shown() {
    if !javascript::can_run() {
        return;
    }
    let values: Vec<_> = SCRIPT.iter().map(|row| format!("  () => ({}),\n", row.0)).collect();
    let code = format!(
        "{SCRIPT_HEAD}\nconst values = [\n{}];\nfunction answer(at) {{ return values[at](); }}\n",
        values.concat()
    );
    check(Language::Javascript, &code, SCRIPT);
}
