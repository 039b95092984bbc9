//! Values that are one off, of the wrong extent, or wrong to begin with.

use tree_sitter::Node;

use super::gathered::Edits;
use crate::repair::operator::Operator;
use crate::repair::syntax::{Role, field, is_value, operator, parts, tokens};

pub(super) fn add(edits: &mut Edits<'_, '_>) {
    for node in edits.operands() {
        off_by_one(edits, node);
        wrap(edits, node);
    }
    for node in edits.program.nodes.clone() {
        match edits.program.role(node) {
            Role::Slice => slice(edits, node),
            Role::Index => access(edits, node),
            Role::Call if is_get(edits, node) => or_else(edits, node),
            Role::For | Role::Clause => iterate(edits, node),
            _ => {}
        }
    }
    for node in edits.values(&[Role::List, Role::Opaque, Role::Call]) {
        initial(edits, node);
    }
}

/// Where a value stands that counts or bounds something it is more often one off than elsewhere.
fn off_by_one<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let text = edits.program.of(node);
    let is_sum = edits.program.role(node) == Role::Arithmetic;
    let more = match edits.around(node) {
        Role::Arguments | Role::Slice | Role::Index => 0,
        Role::Compare | Role::Return | Role::Assign => 1,
        Role::Arithmetic | Role::Augment => 3,
        Role::Pair | Role::List | Role::Group | Role::Choice => 4,
        Role::Member | Role::Bare | Role::Logic | Role::Not | Role::Call => return,
        _ => 4,
    };
    for sign in ["+", "-"] {
        // `a + b` takes it as it is; `a * b` does too, `a % b` would not.
        let text = if is_sum { format!("({text}) {sign} 1") } else { format!("{text} {sign} 1") };
        edits.put_value(Operator::OffByOne, more + u32::from(is_sum), node, text);
    }
}

fn wrap<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let more = match edits.around(node) {
        Role::Arguments | Role::Return | Role::Assign | Role::Augment | Role::Compare => 0,
        Role::Arithmetic | Role::Pair | Role::List | Role::Index | Role::Yield | Role::Other => 2,
        _ => return,
    };
    let text = edits.program.of(node);
    let bare = if edits.program.role(node) == Role::Arithmetic {
        format!("({text})")
    } else {
        text.to_owned()
    };
    let calls: Vec<String> = if edits.is_python() {
        let functions = ["abs", "len", "list", "sorted", "set", "str", "int", "tuple", "sum"];
        let calls = functions.iter().map(|function| format!("{function}({text})"));
        calls
            .chain([format!("max(0, {text})"), format!("{bare}[:]"), format!("[{text}]")])
            .collect()
    } else {
        let calls = ["Math.abs", "Math.floor", "Math.ceil", "String", "Number"];
        let calls = calls.iter().map(|function| format!("{function}({text})"));
        let copies = [format!("Math.max(0, {text})"), format!("[...{bare}]"), format!("[{text}]")];
        calls.chain(copies).chain([format!("{bare}.length")]).collect()
    };
    for call in calls {
        edits.put(Operator::Wrap, more, node, call);
    }
    // A part of it: without the first or the last, or one of these alone.
    let parts = if edits.is_python() {
        ["[1:]", "[:-1]", "[0]", "[-1]"]
    } else {
        [".slice(1)", ".slice(0, -1)", "[0]", ".at(-1)"]
    };
    if edits.program.role(node) != Role::Arithmetic {
        for part in parts {
            edits.put(Operator::Part, more, node, format!("{text}{part}"));
        }
    }
    for function in edits.program.defined.clone() {
        edits.put(Operator::Wrap, more + 3, node, format!("{function}({text})"));
    }
    for made in [format!("-{bare}"), format!("{bare} ** 2"), format!("{bare} * 2")] {
        edits.put_value(Operator::Wrap, more + 2, node, made);
    }
}

/// Bounds of a slice: without one of them, or with one where there was none.
fn slice<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let mut bounds: Vec<Option<&str>> = vec![None];
    for token in tokens(node) {
        match edits.program.of(token) {
            ":" => bounds.push(None),
            text => *bounds.last_mut().unwrap_or(&mut None) = Some(text),
        }
    }
    let spell = |bounds: &[Option<&str>]| {
        bounds.iter().map(|bound| bound.unwrap_or_default()).collect::<Vec<_>>().join(":")
    };
    let mut made = Vec::new();
    for at in 0..bounds.len() {
        let mut other = bounds.clone();
        if other[at].take().is_some() {
            made.push((1, spell(&other)));
            continue;
        }
        let fills: &[&str] = match at {
            0 => &["1", "-1"],
            1 => &["-1", "1"],
            _ => &["-1", "2"],
        };
        for fill in fills {
            other[at] = Some(fill);
            made.push((1, spell(&other)));
        }
        for variable in edits.variables(node) {
            other[at] = Some(variable);
            made.push((4, spell(&other)));
        }
    }
    if bounds.len() == 2 {
        let mut reversed = bounds.clone();
        reversed.push(Some("-1"));
        made.push((3, spell(&reversed)));
        // The other side of the same place.
        let mut turned = bounds.clone();
        turned.reverse();
        made.push((0, spell(&turned)));
        made.extend(bounds.iter().flatten().map(|bound| (5, (*bound).to_owned())));
    }
    for (more, text) in made {
        edits.put(Operator::SliceBound, more, node, text);
    }
}

/// A key that may be missing, an element for what begins or ends there.
fn access<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let Some(whole) = field(node, &["value", "object"]) else { return };
    let Some(key) = field(node, &["subscript", "index"]) else { return };
    if !is_value(edits.program.role(key)) || !is_read(edits, node) {
        return;
    }
    let (whole, key) = (edits.program.of(whole), edits.program.of(key));
    if edits.is_python() {
        for (more, call) in [(0, ".get({})"), (0, ".get({}, 0)"), (2, ".get({}, [])")] {
            let call = call.replace("{}", key);
            edits.put(Operator::Access, more, node, format!("{whole}{call}"));
        }
        edits.put(Operator::SliceBound, 5, node, format!("{whole}[{key}:]"));
        edits.put(Operator::SliceBound, 5, node, format!("{whole}[:{key}]"));
    } else {
        or_else(edits, node);
    }
    if key.parse::<i64>().is_err() {
        for end in if edits.is_python() { ["0", "-1"] } else { ["0", "1"] } {
            edits.put(Operator::Access, 1, node, format!("{whole}[{end}]"));
        }
    }
}

/// What is meant where there is nothing.
fn or_else<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let text = edits.program.of(node);
    for (more, other) in [(0, "0"), (2, "[]")] {
        edits.put_value(Operator::Access, more, node, format!("{text} ?? {other}"));
    }
}

fn is_read<'t>(edits: &Edits<'_, 't>, node: Node<'t>) -> bool {
    edits.program.values.iter().any(|value| value.id() == node.id())
        && crate::repair::syntax::place(edits.program.syntax, node)
            == crate::repair::syntax::Place::Read
}

/// Whether a call asks a map of JavaScript for what it may not have.
fn is_get<'t>(edits: &Edits<'_, 't>, call: Node<'t>) -> bool {
    let name = edits.program.callee(call).map(|name| edits.program.of(name));
    !edits.is_python() && name == Some("get")
}

/// What a loop goes over: without its first or last, from a place on, backwards, in order.
fn iterate<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let Some(over) = field(node, &["right"]) else { return };
    // Its keys in place of what it holds, and the other way round.
    if let (Some(sign), false) = (operator(node), edits.is_python()) {
        let other = if edits.program.of(sign) == "of" { "in" } else { "of" };
        edits.put(Operator::Iterate, 0, sign, other);
    }
    let text = edits.program.of(over);
    let range = edits.program.role(over) == Role::Call
        && edits.program.callee(over).is_some_and(|name| edits.program.of(name) == "range");
    let variables = edits.variables(node);
    let made: Vec<(u32, String)> = if range {
        let bounds: Vec<_> = edits
            .program
            .arguments(over)
            .into_iter()
            .map(|bound| edits.program.of(bound))
            .collect();
        ranges(&bounds).into_iter().map(|text| (0, text)).collect()
    } else if edits.is_python() {
        let ends = [format!("{text}[1:]"), format!("{text}[:-1]"), format!("reversed({text})")];
        let whole = [format!("sorted({text})"), format!("list({text})"), format!("set({text})")];
        let from = variables.iter().flat_map(|at| {
            [format!("{text}[{at}:]"), format!("{text}[:{at}]"), format!("{text}[{at}]")]
        });
        let numbered = [format!("enumerate({text})"), format!("range(len({text}))")];
        let near = ends.into_iter().chain(whole).map(|text| (0, text));
        let far = from.chain(numbered).map(|text| (3, text));
        near.chain(far).collect()
    } else {
        let ends = [".slice(1)", ".slice(0, -1)", ".slice().reverse()"];
        let from = variables.iter().map(|at| (3, format!("{text}.slice({at})")));
        ends.iter().map(|end| (0, format!("{text}{end}"))).chain(from).collect()
    };
    for (more, text) in made {
        edits.put(Operator::Iterate, more, over, text);
    }
    if range {
        edits.put(Operator::Iterate, 2, over, format!("reversed({text})"));
    }
}

/// Other ranges with the same bounds.
fn ranges(bounds: &[&str]) -> Vec<String> {
    match bounds {
        [end] => vec![
            format!("range(1, {end})"),
            format!("range(1, {end} + 1)"),
            format!("range({end} - 1, -1, -1)"),
            format!("range(0, {end}, 2)"),
        ],
        [from, end] => vec![
            format!("range({end})"),
            format!("range({end}, {from})"),
            format!("range({end}, {from}, -1)"),
            format!("range({from}, {end}, -1)"),
            format!("range({end} - 1, {from} - 1, -1)"),
            format!("range({from}, {end}, 2)"),
        ],
        [from, end, step] => vec![
            format!("range({from}, {end})"),
            format!("range({from}, {end}, -({step}))"),
            format!("range({end}, {from}, {step})"),
            format!("range({from}, {end} + 1, {step})"),
            format!("range({from}, {end} - 1, {step})"),
        ],
        _ => Vec::new(),
    }
}

/// What something begins with: nothing, one empty thing, a variable.
fn initial<'t>(edits: &mut Edits<'_, 't>, node: Node<'t>) {
    let text = edits.program.of(node);
    let others: &[&str] = match text {
        "[]" => &["[[]]", "[0]", "[1]", "[None]", "{}", "set()", "''", "0", "None"],
        "{}" => &["[]", "set()", "None"],
        "set()" => &["[]", "{}"],
        "[[]]" => &["[]"],
        "''" | "\"\"" => &["' '", "None", "[]"],
        _ => &[],
    };
    for (more, other) in (0..).zip(others) {
        if edits.is_python() || !matches!(*other, "set()" | "None" | "[None]") {
            edits.put(Operator::Initial, more.min(3), node, *other);
        }
    }
    let is_list = edits.program.role(node) == Role::List;
    for variable in edits.variables(node) {
        if text == "[]" {
            edits.put(Operator::Initial, 4, node, format!("[{variable}]"));
        }
        if is_list && text != "[]" && parts(node).len() < 4 {
            let inner = &text[1..text.len() - 1];
            edits.put(Operator::Initial, 5, node, format!("[{inner}, {variable}]"));
        }
    }
}
