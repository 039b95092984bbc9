//! Pasted messages: the exception, the line, the meaning.

use super::*;

const TRACEBACK: &str = r#"Traceback (most recent call last):
  File "/home/me/lru_cache.py", line 31, in <module>
    cache.get(4)
  File "/home/me/lru_cache.py", line 12, in get
    return self.values[key]
           ~~~~~~~~~~~^^^^^
KeyError: 4
"#;
const CHAINED: &str = r#"  File "a.py", line 3, in f
KeyError: 4

During handling of the above exception, another exception occurred:

  File "a.py", line 5, in f
    self.node.next
AttributeError: 'NoneType' object has no attribute 'next'
"#;
const STACK: &str = "/home/me/lru_cache.js:14
    return this.items.find(key).value;
                               ^

TypeError: Cannot read properties of undefined (reading 'value')
    at LRUCache.get (/home/me/lru_cache.js:14:32)
    at Object.<anonymous> (/home/me/lru_cache.js:40:7)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)
";
const INTERNAL: &str = "node:internal/modules/cjs/loader.js:1080
  throw err;

Error: Cannot find module './foo'
    at Object.<anonymous> (/home/me/main.js:2:11)
";

#[test]
fn a_message_is_told_with_its_line_and_its_meaning() {
    let cases = [
        (TRACEBACK, "line 12.", "py_key_error"),
        (CHAINED, "line 5.", "py_attribute_none"),
        (STACK, "line 14.", "js_read_undefined"),
        (INTERNAL, "line 2.", "js_cannot_find_module"),
        (
            "  File \"a.py\", line 7\n    def f(\n         ^\nSyntaxError: '(' was never closed",
            "line 7.",
            "py_syntax_never_closed",
        ),
        ("a.js:3\n  }\n  ^\nSyntaxError: Unexpected token '}'", "line 3.", "js_unexpected_token"),
    ];
    for (message, line, id) in cases {
        for language in [None, Some(Language::Python), Some(Language::Javascript)] {
            for kind in [AskKind::Error, AskKind::Code] {
                let told = answer(kind, message, None, language).unwrap();
                assert_eq!(id_of(Some(&told)), id, "{message}");
                assert!(told.starts_with(&format!("The message points to {line} ")), "{told}");
            }
        }
    }
}

#[test]
fn a_message_without_a_line_is_told_by_its_meaning_alone() {
    let cases = [
        ("TypeError: f() takes 0 positional arguments but 1 was given", "py_type_arguments"),
        ("TypeError: unhashable type: 'list'", "py_type_unhashable"),
        ("Uncaught ReferenceError: x is not defined", "js_reference_error"),
        ("TypeError: x.push is not a function", "js_not_a_function"),
        ("RangeError: Maximum call stack size exceeded", "js_maximum_call_stack"),
        ("i get indexerror all the time", "py_index_error"),
        ("cannot read properties of undefined", "js_read_undefined"),
        ("list has no attribute foo AttributeError", "py_attribute_error"),
        ("SyntaxError: missing ) after argument list", "js_missing_in_list"),
        ("missing ) after argument list", "js_missing_in_list"),
        ("SyntaxError: missing } after property list", "js_missing_in_list"),
        ("SyntaxError: missing something else", "js_syntax_error"),
    ];
    for (message, id) in cases {
        let told = answer(AskKind::Error, message, None, None);
        assert_eq!(id_of(told.as_deref()), id, "{message}");
    }
}

/// Whoever forgets `--error` pastes a message all the same.
#[test]
fn a_pasted_message_is_told_as_one_whatever_kind_of_question_it_is() {
    for message in [TRACEBACK, STACK, "Uncaught ReferenceError: x is not defined"] {
        for language in [None, Some(Language::Python)] {
            let told = answer(AskKind::Concept, message, None, language);
            assert_eq!(told, answer(AskKind::Error, message, None, language), "{message}");
        }
    }
}

#[test]
fn an_error_nobody_knows_is_not_explained() {
    for message in ["FrobnicationError: 3", "Segmentation fault", "line 12", "x.js:4"] {
        assert_eq!(answer(AskKind::Error, message, None, None), None, "{message}");
    }
}

#[test]
fn numbers_that_are_no_lines_are_not_taken_for_lines() {
    for message in [
        "KeyError: 4 on line 0",
        "KeyError: 4, line 99999999999999999999",
        "KeyError on the line above",
    ] {
        let told = answer(AskKind::Error, message, None, None).unwrap();
        assert_eq!(id_of(Some(&told)), "py_key_error");
        assert!(!told.contains("points to"), "{told}");
    }
}
