//! TypeScript, by a Node that takes types away: what runs, what is refused and where, and what is said
//! where no Node can.

use std::path::Path;

use super::*;
use vosim_needs::newer_node;

const RIGHT: &str = "
interface Entry { readonly key: number; value: number }
type Found = Entry | undefined;

export class LRUCache {
  private readonly entries = new Map<number, Entry>();
  declare unused: string;

  constructor(readonly_capacity: number) {
    this.capacity = readonly_capacity as number;
  }
  capacity!: number;

  get(key: number): number {
    const found: Found = this.entries.get(key);
    if (found === undefined) return -1;
    this.put(key, found.value);
    return found!.value satisfies number;
  }

  put(key: number, value: number): void {
    this.entries.delete(key);
    this.entries.set(key, { key, value });
    if (this.entries.size > this.capacity) {
      const oldest = this.entries.keys().next().value as number;
      this.entries.delete(oldest);
    }
  }
}
";

fn with(node: &Path) -> Evaluator {
    let places = ToolPaths {
        sandbox: Some(vosim_needs::sandbox()),
        node: Some(node.to_owned()),
        ..ToolPaths::default()
    };
    Evaluator::new(places)
}

fn judged_by(evaluator: &Evaluator, file_path: &str, code: &str) -> Evaluation {
    let (problem, suite) = (problem(), suite());
    let (code, language) = (code.as_bytes(), Language::Typescript);
    let submission = Submission { problem: &problem, suite: &suite, code, file_path, language };
    evaluator.evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap()
}

#[test]
fn types_are_taken_away_and_what_is_left_is_judged_cold_and_warm() {
    let Some(node) = newer_node() else { return };
    let evaluator = with(&node).keep_warm(1);
    let common = RIGHT.replace("export class", "class") + "module.exports = { LRUCache };\n";
    let signed = format!("\u{feff}#!/usr/bin/env node\r\n{RIGHT}");
    for (file, code) in [
        ("solution.ts", RIGHT),
        ("solution.mts", RIGHT),
        ("a b.cts", &common),
        ("solution.ts", &RIGHT.replace("export class", "class")),
        ("solution.ts", &signed),
    ] {
        let judged = judged_by(&evaluator, file, code);
        assert_eq!(ends(&judged), ["passed"; 4], "{file}: {judged:?}");
    }
    let wrong = judged_by(&evaluator, "a.ts", &RIGHT.replace("this.put(key, found.value);", ""));
    assert!(ends(&wrong).contains(&"failed".to_owned()), "{wrong:?}");
}

#[test]
fn what_cannot_be_read_is_told_with_its_line_and_what_needs_a_compiler_in_a_sentence_of_its_own() {
    let Some(node) = newer_node() else { return };
    let evaluator = with(&node);
    let told = |code: &str| {
        let judged = judged_by(&evaluator, "solution.ts", code);
        let Load::ImportError { detail: Detail::Syntax, message } = judged.load else {
            panic!("{code}: {judged:?}")
        };
        (message, judged.notes.concat())
    };
    let before = "type Key = number;\n\n/* one\n comment */\n";
    for (code, line, words, note) in [
        ("let x: = 3;", 5, "Unexpected token `=`", ""),
        ("class A {\n  get(k: number { return 1 }\n}", 6, "Expected ','", ""),
        ("const a: string = 'x", 5, "Unterminated string constant", ""),
        ("enum Side { Left, Right }", 5, "enum is not supported", "An `enum` has to be compiled"),
        (
            "namespace N { export const a = 1 }",
            5,
            "namespace",
            "A `namespace` with values in it has",
        ),
        (
            "class A {\n  constructor(private x: number) {}\n}",
            6,
            "property",
            "A parameter property",
        ),
        ("module M { export const a = 1 }", 5, "`module` keyword", "A `module` declaration has"),
        ("let y = <any>a;", 5, "angle-bracket syntax", ""),
        // What is left when the types are gone is read as JavaScript is.
        ("let a: number = 1;\nlet a: number = 2;", 6, "already been declared", ""),
    ] {
        let (message, notes) = told(&format!("{before}{code}\n"));
        assert!(message.contains(words), "{code}: {message}");
        assert!(message.ends_with(&format!("(solution.ts, line {line})")), "{code}: {message}");
        assert!(notes.starts_with(note) && note.is_empty() == notes.is_empty(), "{code}: {notes}");
    }
    let thrown = RIGHT.replace("return -1;", "throw new RangeError(`no ${key as number}`);");
    let raised = ends(&judged_by(&evaluator, "solution.ts", &thrown)).join("; ");
    assert!(raised.contains("(solution.ts, line 16, in LRUCache.get)"), "{raised}");
}

#[test]
fn a_node_that_takes_no_types_away_is_named_with_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let old = dir.path().join("node");
    std::fs::write(&old, "#!/bin/sh\nprintf '/bin/sh\\nNode.js\\n22.17.1\\n'\n").unwrap();
    std::fs::set_permissions(&old, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let found = with(&old).runtime(Language::Typescript);
    // The machine's own may be new enough.
    let Err(Refusal::Interpreter(why)) = found else { return };
    assert!(why.starts_with("No Node.js 22.18 or newer was found. "), "{why}");
    assert!(why.contains("22.17.1, older than 22.18"), "{why}");
    assert!(why.contains("get it from nodejs.org, or name one as `node`"), "{why}");
}

#[test]
fn a_runtime_that_is_not_there_is_looked_for_again_when_something_has_changed_and_not_each_time() {
    let dir = tempfile::tempdir().unwrap();
    let (old, asked) = (dir.path().join("node"), dir.path().join("asked"));
    let install = |version: &str| {
        let says = format!("printf '/bin/sh\\nNode.js\\n{version}\\n'");
        let script = format!("#!/bin/sh\necho >> {}\n{says}\n", asked.display());
        std::fs::write(&old, script).unwrap();
        std::fs::set_permissions(&old, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
    };
    install("22.17.1");
    let evaluator = with(&old);
    let times = || std::fs::read_to_string(&asked).unwrap_or_default().lines().count();
    let told = || evaluator.runtime(Language::Typescript).map_err(|refusal| refusal.to_string());
    // The machine's own may be new enough.
    let Err(first) = told() else { return };
    assert_eq!((told(), times()), (Err(first), 1));
    install("22.17.10");
    assert!(told().is_err_and(|why| why.contains("22.17.10, older")));
    assert_eq!(times(), 2);
}
