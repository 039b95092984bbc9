//! Puts the problem's own words into the placeholders of a schema's texts.

use std::collections::BTreeMap;

use vosim_protocol::v1::interview::Schema;
use vosim_protocol::v1::problem::{Function, Interface, Problem, listed};

/// The placeholder for the candidate's file.
const FILE: &str = "file";
/// The placeholders of a text.
pub(super) const PLACEHOLDERS: [&str; 6] =
    ["title", "interface", "operation", "special_input", "critical_step", FILE];

/// Fills every placeholder of a schema except the file in a prompt, which is known only when the
/// prompt is presented. Words that the package does not have are derived from the interface.
pub fn fill(schema: &Schema, problem: &Problem, fills: &BTreeMap<String, String>) -> Schema {
    let values = PLACEHOLDERS.map(|name| (name, value(name, problem, fills)));
    let put = |text: &mut String| *text = filled(text, &values);
    let later = |(name, _): &&(&str, String)| *name != FILE;
    let but_file: Vec<_> = values.iter().filter(later).cloned().collect();
    let mut schema = schema.clone();
    put(&mut schema.nudge);
    for section in &mut schema.sections {
        put(&mut section.goal);
        section.prompt = filled(&section.prompt, &but_file);
        for question in section.dimensions.iter_mut().flat_map(|d| &mut d.questions) {
            put(question);
        }
    }
    schema
}

/// Fills in one pass, so that braces in a value are not filled again.
fn filled(text: &str, values: &[(&str, String)]) -> String {
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = part.split_once('}').and_then(|(name, rest)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, rest))
        });
        match known {
            Some((value, rest)) => out.extend([value, rest]),
            None => out.extend(["{", part]),
        }
    }
    out
}

fn value(name: &str, problem: &Problem, fills: &BTreeMap<String, String>) -> String {
    let said = |name: &str| fills.get(name).map(|text| text.trim().to_owned());
    match name {
        "title" => problem.title.clone(),
        "interface" => interface(&problem.interface),
        FILE => problem.file_names(),
        "operation" => said(name).unwrap_or_else(|| format!("a call of `{}`", main(problem))),
        "special_input" => said(name).unwrap_or_else(|| {
            format!("a call of `{}` with the smallest input that is allowed", main(problem))
        }),
        _ => said(name)
            .unwrap_or_else(|| format!("the step in `{}` that decides the result", main(problem))),
    }
}

/// Returns the call that matters most: the last method, since storing comes after reading.
fn main(problem: &Problem) -> &str {
    match &problem.interface {
        Interface::Class { name, methods, .. } => {
            methods.last().map_or(name.as_str(), |method| method.name.as_str())
        }
        Interface::Function(function) => &function.name,
    }
}

fn interface(interface: &Interface) -> String {
    match interface {
        Interface::Class { name, methods, .. } => {
            let methods: Vec<_> = methods.iter().map(call).collect();
            format!("the class `{name}` with {}", listed(&methods, "and"))
        }
        Interface::Function(function) => format!("the function {}", call(function)),
    }
}

fn call(function: &Function) -> String {
    let params: Vec<_> = function.params.iter().map(|param| param.name.as_str()).collect();
    format!("`{}({})`", function.name, params.join(", "))
}
