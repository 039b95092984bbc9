//! Changes of a single sign: operators, numbers, constants, texts and jumps.

use tree_sitter::Node;

use super::gathered::Edits;
use crate::repair::operator::Operator;
use crate::repair::syntax::{Role, field, operator, push_new, tokens};

/// Comparisons, and those that are taken for them, the likeliest first.
const COMPARISONS: [(&str, &[&str]); 12] = [
    ("<", &["<=", ">", ">=", "!=", "=="]),
    ("<=", &["<", ">=", ">", "==", "!="]),
    (">", &[">=", "<", "<=", "!=", "=="]),
    (">=", &[">", "<=", "<", "==", "!="]),
    ("==", &["!=", "<=", ">=", "<", ">"]),
    ("!=", &["==", "<", ">", "<=", ">="]),
    ("===", &["!==", "<=", ">=", "<", ">"]),
    ("!==", &["===", "<", ">", "<=", ">="]),
    ("in", &["not in"]),
    ("not in", &["in"]),
    ("is", &["is not", "=="]),
    ("is not", &["is", "!="]),
];

const ARITHMETIC: [(&str, &[&str]); 14] = [
    ("+", &["-", "*"]),
    ("-", &["+", "//", "*"]),
    ("*", &["+", "**", "//", "/"]),
    ("/", &["//", "*", "%"]),
    ("//", &["/", "%", "*", "-"]),
    ("%", &["//", "/", "*", "-"]),
    ("**", &["*"]),
    ("&", &["|", "^"]),
    ("|", &["&", "^", "+"]),
    ("^", &["&", "|", "**"]),
    ("<<", &[">>", "*"]),
    (">>", &["<<", "//", ">>>"]),
    (">>>", &[">>", "<<"]),
    ("@", &[]),
];

const AUGMENTED: [(&str, &[&str]); 11] = [
    ("+=", &["-=", "*=", "|="]),
    ("-=", &["+=", "//=", "/="]),
    ("*=", &["+=", "**=", "//=", "/="]),
    ("/=", &["//=", "*=", "-=", "%="]),
    ("//=", &["/=", "%=", "*=", "-="]),
    ("%=", &["//=", "-="]),
    ("|=", &["&=", "^=", "+="]),
    ("&=", &["|=", "^="]),
    ("^=", &["&=", "|="]),
    ("<<=", &[">>="]),
    (">>=", &["<<=", "//="]),
];

const STEPS: [(&str, &[&str]); 2] = [("++", &["--"]), ("--", &["++"])];

pub(super) fn add(edits: &mut Edits<'_, '_>) {
    for node in edits.program.nodes.clone() {
        match edits.program.role(node) {
            Role::Compare => compare(edits, node),
            Role::Arithmetic => siblings(edits, Operator::Arithmetic, node, &ARITHMETIC),
            Role::Augment => augment(edits, node),
            Role::Step => siblings(edits, Operator::Arithmetic, node, &STEPS),
            Role::Assign => assign(edits, node),
            Role::Logic => logic(edits, node),
            Role::Jump => jump(edits, node),
            _ => {}
        }
    }
    for node in edits.values(&[Role::Number]) {
        number(edits, node);
    }
    for node in edits.values(&[Role::Constant]) {
        constant(edits, node);
    }
    texts(edits);
}

/// Signs that only one of the languages has.
fn exists(edits: &Edits<'_, '_>, sign: &str) -> bool {
    if edits.is_python() { sign != ">>>" } else { !matches!(sign, "//" | "//=" | "not in" | "is") }
}

fn siblings<'t>(
    edits: &mut Edits<'_, 't>,
    operator: Operator,
    node: Node<'t>,
    table: &[(&str, &[&str])],
) {
    for sign in tokens(node).into_iter().filter(|token| !token.is_named()) {
        replace_sign(edits, operator, sign, table);
    }
}

fn replace_sign<'t>(
    edits: &mut Edits<'_, 't>,
    operator: Operator,
    sign: Node<'t>,
    table: &[(&str, &[&str])],
) {
    let text = edits.program.of(sign).split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((_, others)) = table.iter().find(|(one, _)| *one == text) else { return };
    let others: Vec<_> = others.iter().filter(|sign| exists(edits, sign)).collect();
    for (more, other) in (0..).zip(others) {
        edits.put(operator, 2 * more, sign, *other);
    }
}

fn compare<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    siblings(edits, Operator::Compare, node, &COMPARISONS);
}

fn augment<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    siblings(edits, Operator::Arithmetic, node, &AUGMENTED);
    if let Some(sign) = operator(node) {
        edits.put(Operator::Accumulate, 0, sign, "=");
    }
}

/// A plain assignment to something that has a value already may have been meant to add to it.
fn assign<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let is_plain = node.kind() != "variable_declarator" && field(node, &["type"]).is_none();
    let sign = tokens(node).into_iter().find(|token| edits.program.of(*token) == "=");
    let (Some(sign), true) = (sign, is_plain) else { return };
    for (more, other) in [(0, "+="), (3, "-="), (4, "*="), (5, "|=")] {
        edits.put(Operator::Accumulate, more, sign, other);
    }
    let (Some(left), Some(right)) = (field(node, &["left"]), field(node, &["right"])) else {
        return;
    };
    if matches!(edits.program.role(left), Role::Name | Role::Member | Role::Index) {
        let (left, value) = (edits.program.of(left), edits.program.of(right));
        let library = if edits.is_python() { "" } else { "Math." };
        for (more, function) in [(0, "max"), (0, "min")] {
            let kept = format!("{library}{function}({left}, {value})");
            edits.put(Operator::Extreme, more, right, kept);
        }
    }
}

fn logic<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let Some(sign) = operator(node) else { return };
    let other = match edits.program.of(sign) {
        "and" => "or",
        "or" => "and",
        "&&" => "||",
        "||" | "??" => "&&",
        _ => return,
    };
    edits.put(Operator::Logic, 0, sign, other);
}

fn jump<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let (nothing, end) = if edits.is_python() { ("pass", "") } else { (";", ";") };
    let text = edits.program.of(node);
    for (more, other) in [(0, "break"), (0, "continue"), (4, "return")] {
        if !text.starts_with(other) {
            edits.put(Operator::Jump, more, node, format!("{other}{end}"));
        }
    }
    edits.put(Operator::Jump, 2, node, nothing);
}

fn number<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let text = edits.program.of(node);
    let mut others: Vec<(u32, String)> = Vec::new();
    if let Ok(number) = text.parse::<i64>() {
        let near = [(0, number + 1), (0, number - 1), (3, 0), (3, 1), (4, -number), (4, 2)];
        let far = [(6, number * 2), (6, number / 2), (7, number * 10), (7, number / 10)];
        others.extend(near.into_iter().chain(far).map(|(more, other)| (more, other.to_string())));
        if number.abs() <= 1 {
            let limits = if edits.is_python() {
                ["float('inf')", "float('-inf')"]
            } else {
                ["Infinity", "-Infinity"]
            };
            others.extend(limits.map(|limit| (8, limit.to_owned())));
        }
        if edits.is_python() && number == 0 {
            others.push((8, "None".to_owned()));
        }
    } else if let Ok(number) = text.parse::<f64>() {
        let near = [(1, number + 1.0), (1, number - 1.0), (3, 0.0), (3, 1.0), (4, -number)];
        let far = [(5, number * 10.0), (5, number / 10.0), (6, number * 2.0), (6, number / 2.0)];
        others
            .extend(near.into_iter().chain(far).map(|(more, other)| (more, format!("{other:?}"))));
    }
    let mut seen = Vec::new();
    for (more, other) in others {
        if !seen.contains(&other) {
            let put = if other.starts_with('-') { Edits::put_value } else { Edits::put };
            put(edits, Operator::Number, more, node, other.clone());
            seen.push(other);
        }
    }
}

fn constant<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let (others, empty): (&[&str], &str) = match edits.program.of(node) {
        "True" => (&["False"], "None"),
        "False" => (&["True"], "None"),
        "true" => (&["false"], "null"),
        "false" => (&["true"], "null"),
        "None" => (&["0", "False", "True", "[]", "-1", "''"], "None"),
        _ => (&["0", "false", "true", "[]", "-1", "''"], "null"),
    };
    for (more, other) in (0..).zip(others) {
        edits.put(Operator::Constant, 3 * more.min(2), node, *other);
    }
    edits.put(Operator::Constant, 5, node, empty);
}

/// Other texts of the file, and the two shortest ones.
fn texts(edits: &mut Edits<'_, '_>) {
    let texts = edits.values(&[Role::Text]);
    let mut known = Vec::new();
    for node in &texts {
        push_new(&mut known, edits.program.of(*node));
    }
    for node in texts {
        for (more, other) in known.iter().map(|text| (0, *text)).chain([(1, "''"), (1, "' '")]) {
            edits.put(Operator::Text, more, node, other);
        }
    }
}
