//! Puts the problem's own words into the open places of a schema's texts.

use std::collections::BTreeMap;

use vosim_protocol::v1::interview::Schema;
use vosim_protocol::v1::problem::{Function, Interface, Problem, listed};

/// The place of the candidate's file.
const FILE: &str = "file";
/// What a text may leave open.
pub(super) const PLACEHOLDERS: [&str; 6] =
    ["title", "interface", "operation", "special_input", "critical_step", FILE];

/// The schema with every open place filled, but for the file in a prompt: which one the candidate
/// works in is known when the prompt is presented. What the package does not say is derived from
/// the interface.
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

/// One pass, so that a value that holds braces is not filled again.
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

/// The call that matters most: the last method, since those that store come after those that read.
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
