//! A small program that calls the candidate's file as a failing run does, to step through it.

use std::path::{Path, PathBuf};

use vosim_protocol::Json;
use vosim_protocol::v1::problem::{Interface, Language, Op, Syntax};

use crate::render::text::shell;

/// Beside the candidate's file: `debug_lru_cache.py`.
pub(super) fn place(file: &Path, language: Language) -> PathBuf {
    let stem =
        file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    file.with_file_name(format!("debug_{stem}.{}", language.extension()))
}

/// What a script is for, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct DebugRun<'a> {
    /// The candidate's file.
    pub(super) file: &'a Path,
    /// The script's own place, beside it.
    pub(super) place: &'a Path,
    /// What it is run with.
    pub(super) program: &'a str,
    pub(super) language: Language,
}

/// The script.
pub(super) fn text(interface: &Interface, ops: &[Op], run: DebugRun<'_>) -> String {
    let DebugRun { file, place, program, language } = run;
    let of_file = |path: &Path| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let (file, own) = (of_file(file), of_file(place));
    let name = match interface {
        Interface::Class { name, .. } => name.as_str(),
        Interface::Function(function) => function.name.as_str(),
    };
    let head = match language.syntax() {
        Syntax::Python => PYTHON,
        Syntax::Javascript => JAVASCRIPT,
    };
    let quoted = Json::from(file).to_string();
    let head = head.replace("{program}", &shell(program)).replace("{own}", &shell(&own));
    let head = head.replace("{file}", &quoted).replace("{name}", name);
    format!("{head}{}", calls(interface, ops, language).join("\n") + "\n")
}

const PYTHON: &str = r#"# A failing run, made by `vosimctl attempt debug`. Step through it with:
#     {program} {own}
# It stops before the call that goes wrong: s steps into it, n to the next line, p NAME prints, q leaves.
import importlib.util
import pathlib

path = pathlib.Path(__file__).with_name({file})
spec = importlib.util.spec_from_file_location("solution", path)
solution = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solution)
{name} = solution.{name}


def told(call, gives, expected):
    print(f"{call} gives {gives!r} and must give {expected!r}")


"#;

const JAVASCRIPT: &str = r#"// A failing run, made by `vosimctl attempt debug`. Step through it with:
//     {program} inspect {own}
// Type c: it stops before the call that goes wrong. s steps into it, n to the next line, exec NAME
// prints, .exit leaves.
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const util = require("util");

function load(file) {
  try {
    const found = require(file);
    if (found && found.{name}) return found.{name};
    if (typeof found === "function") return found;
  } catch (error) {
    if (!(error instanceof SyntaxError) && error.code !== "ERR_REQUIRE_ESM") throw error;
  }
  // A file that exports nothing, or in the way of ES modules.
  const text = fs.readFileSync(file, "utf8").replace(/^export\s+(default\s+)?(?=\w)/gm, "");
  const wrapped = `(function (require, module, exports) {${text}\n;return {name};\n})`;
  return vm.runInThisContext(wrapped, { filename: file })(require, {}, {});
}

const {name} = load(path.join(__dirname, {file}));

function told(call, gives, expected) {
  console.log(`${call} gives ${util.inspect(gives)} and must give ${util.inspect(expected)}`);
}

"#;

fn calls(interface: &Interface, ops: &[Op], language: Language) -> Vec<String> {
    let end = match language.syntax() {
        Syntax::Python => "",
        Syntax::Javascript => ";",
    };
    let literal = |value: &Json| literal(value, language);
    let (mut lines, mut made, mut now) = (Vec::new(), 0usize, 0usize);
    for (at, op) in ops.iter().enumerate() {
        let args = op.args.iter().map(literal).collect::<Vec<_>>().join(", ");
        if at + 1 == ops.len() {
            lines.push(match language.syntax() {
                Syntax::Python => "breakpoint()  # the next call goes wrong".to_owned(),
                Syntax::Javascript => "debugger; // the next call goes wrong".to_owned(),
            });
        }
        if let Some(number) = op.back_to(interface) {
            now = number.unwrap_or(now);
            continue;
        }
        let call = match interface {
            Interface::Class { name, .. } if *name == op.call => {
                made += 1;
                now = made;
                let new = match language.syntax() {
                    Syntax::Python => format!("it{made} = {name}({args})"),
                    Syntax::Javascript => {
                        format!("const it{made} = new {name}({args});")
                    }
                };
                lines.push(new);
                continue;
            }
            Interface::Class { .. } => format!("it{now}.{}({args})", op.call),
            Interface::Function(function) => format!("{}({args})", function.name),
        };
        lines.push(match &op.expect {
            None => format!("{call}{end}"),
            Some(expect) => {
                let shown = Json::from(call.as_str()).to_string();
                format!("told({shown}, {call}, {}){end}", literal(expect))
            }
        });
    }
    lines
}

/// A value as the language writes it.
fn literal(value: &Json, language: Language) -> String {
    match (value, language) {
        (Json::Null, Language::Python) => "None".to_owned(),
        (Json::Bool(true), Language::Python) => "True".to_owned(),
        (Json::Bool(false), Language::Python) => "False".to_owned(),
        (Json::Array(items), _) => {
            let items: Vec<_> = items.iter().map(|item| literal(item, language)).collect();
            format!("[{}]", items.join(", "))
        }
        (Json::Object(entries), _) => {
            let entry = |(key, value): (&String, &Json)| {
                format!("{}: {}", Json::from(key.as_str()), literal(value, language))
            };
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        (Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_), _) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vosim_protocol::Wire as _;

    use super::*;

    fn script(language: Language) -> String {
        let interface = crate::render::samples::card().interface;
        let ops = Vec::<Op>::from_json(json!([
            ["LRUCache", [1]],
            ["put", [1, 1]],
            ["LRUCache", [2]],
            ["LRUCache@1", []],
            ["get", [1], 1]
        ]));
        let file = Path::new(match language.syntax() {
            Syntax::Python => "/tmp/my lru.py",
            Syntax::Javascript => "/tmp/my lru.js",
        });
        let place = place(file, language);
        let program = if language == Language::Python { "python3" } else { "node" };
        let run = DebugRun { file, place: &place, program, language };
        text(&interface, &ops.unwrap(), run)
    }

    #[test]
    fn the_calls_stand_one_below_the_other_and_it_stops_before_the_last() {
        let python = script(Language::Python);
        let calls: Vec<_> = python.lines().rev().take(5).collect();
        insta::assert_snapshot!(calls.into_iter().rev().collect::<Vec<_>>().join("\n"), @r#"
        it1 = LRUCache(1)
        it1.put(1, 1)
        it2 = LRUCache(2)
        breakpoint()  # the next call goes wrong
        told("it1.get(1)", it1.get(1), 1)
        "#);
        assert!(python.contains(r#"with_name("my lru.py")"#), "{python}");
        assert!(python.contains("python3 'debug_my lru.py'"), "{python}");
        let javascript = script(Language::Javascript);
        assert!(javascript.contains("const it2 = new LRUCache(2);\ndebugger;"), "{javascript}");
    }
}
