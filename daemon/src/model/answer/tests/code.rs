//! What is said about the candidate's own code: lines and questions, never the code itself.

use vosim_protocol::v1::problem::Syntax;

use super::*;

const PYTHON: &str = r#"class Box:
    items = []

    def __init__(self, seen=[]):
        self.order = []  # for the newest

    def get(self, key):
        """for nothing: while"""
        for a in self.order:
            for b in self.order:
                print(a, b)

    def put(self, key, value):
        self.order.remove(key)

    def walk(self, node):
        return self.walk(node.next)

    def later(self):
        pass
"#;
const JAVASCRIPT: &str = "class Box {
  constructor() { this.order = []; }
  get(key) {
    // for (;;) while
    for (const a of this.order) {
      while (a) { this.order.shift(); }
    }
  }
  has(key) {
    return this.order.indexOf(key) >= 0;
  }
  later() {
  }
}
module.exports = Box;
";

fn about(question: &str, code: &str, language: Language) -> String {
    answer(AskKind::Code, question, Some(code.as_bytes()), Some(language)).unwrap_or_default()
}

#[test]
fn observations_name_the_line_they_are_about() {
    let cases = [
        (
            Language::Python,
            "why is it slow?",
            "The loop on line 10 stands inside the one on line 9",
        ),
        (Language::Python, "what does put cost?", "On line 14: `remove`"),
        (Language::Python, "is line 14 expensive?", "On line 14: `remove`"),
        (
            Language::Python,
            "what does get return?",
            "`get` on line 7 has no `return`, so a call gives `None`",
        ),
        (Language::Python, "is the recursion right?", "`walk` calls itself on line 17"),
        (Language::Python, "is something shared?", "Line 2 makes a value in the class `Box`"),
        (Language::Python, "any remarks on __init__", "Line 4 gives `__init__` a default value"),
        (Language::Python, "any remarks?", "`later` on line 19 does nothing yet"),
        (
            Language::Javascript,
            "why is it slow?",
            "The loop on line 6 stands inside the one on line 5",
        ),
        (Language::Javascript, "what does has cost?", "On line 10: `indexOf`"),
        (
            Language::Javascript,
            "what does get return?",
            "`get` on line 3 has no `return`, so a call gives `undefined`",
        ),
        (Language::Javascript, "any remarks?", "`later` on line 12 does nothing yet"),
    ];
    for (language, question, start) in cases {
        let code = if language == Language::Python { PYTHON } else { JAVASCRIPT };
        let told = about(question, code, language);
        assert!(told.starts_with(start), "{question}: {told}");
        assert!(told.ends_with('?'), "{told}");
    }
}

#[test]
fn a_lookup_that_is_asked_for_its_truth_is_named_when_the_question_is_about_zero() {
    let question = "Why does get return -1 for a value of 0?";
    for (language, line) in [
        (Language::Javascript, "if (!this.m[key]) return -1;"),
        (Language::Javascript, "return this.m.get(key) || -1;"),
        (Language::Python, "if not self.m.get(key): return -1"),
        (Language::Python, "return self.m.get(key) or -1"),
    ] {
        let code = match language.syntax() {
            Syntax::Javascript => format!("class A {{\n  get(key) {{\n    {line}\n  }}\n}}\n"),
            Syntax::Python => format!("class A:\n    def get(self, key):\n        {line}\n"),
        };
        let told = about(question, &code, language);
        assert!(told.starts_with("Line 3 asks whether what a lookup gave"), "{line}: {told}");
    }
    let code = "class A {\n  get(key) {\n    if (!this.m.has(key)) return -1;\n  }\n}\n";
    let told = about(question, code, Language::Javascript);
    assert!(told.starts_with("Each function whose name promises"), "{told}");
}

#[test]
fn code_without_anything_to_see_is_told_by_its_names() {
    let told = about("any remarks?", "def f(x):\n    return x + 1\n", Language::Python);
    assert!(told.starts_with("Your code defines `f` on line 1."), "{told}");
    let told = about("is it slow?", "def f(x):\n    return x + 1\n", Language::Python);
    assert!(told.starts_with("I see no loop inside a loop"), "{told}");
}

#[test]
fn a_question_about_a_concept_is_answered_by_the_concept() {
    let told = about("what is a closure", "def f(x):\n    return x + 1\n", Language::Javascript);
    assert_eq!(id_of(Some(&told)), "js_closure");
}

#[test]
fn no_code_no_remark() {
    for code in [None, Some(b"".as_slice()), Some(b"\n# nothing\n"), Some(b"x = 1\n")] {
        assert_eq!(answer(AskKind::Code, "any remarks?", code, Some(Language::Python)), None);
    }
}

/// No line of the code comes back, whatever is asked, and what is said keeps the rules. A short round
/// looks at a third of the programs, a long one at all.
#[test]
fn remarks_on_every_program_of_the_packages_keep_the_rules() {
    let reference = reference();
    let questions = [
        "why is it slow",
        "what does get return",
        "is the recursion right",
        "is anything shared",
        "any remarks",
        "what does put cost",
        "is line 12 right",
        "what about exceptions",
    ];
    let each = if std::env::var_os("VOSIM_SOAK").is_some() { 1 } else { 3 };
    let mut told = 0;
    for package in catalog().list() {
        for program in package.programs.iter().step_by(each) {
            for question in questions {
                let language = Some(program.language);
                let Some(text) = answer(AskKind::Code, question, Some(&program.source), language)
                else {
                    continue;
                };
                told += 1;
                let reply = check(Some(&text), &reference, 0);
                assert_eq!(reply.violations, [], "{}: {text}", program.path);
                let source = String::from_utf8_lossy(&program.source);
                for line in source.lines().map(str::trim).filter(|line| line.len() > 12) {
                    assert!(!text.contains(line), "{}: {text}", program.path);
                }
            }
        }
    }
    assert!(told > 100, "{told}");
}
