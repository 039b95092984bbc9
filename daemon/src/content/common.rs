//! What all packages share: the catalogue of patterns, and the issues that every problem has.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use vosim_protocol::v1::coverage::Dimension;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::guide::PatternCard;
use vosim_protocol::v1::problem::{Interface, Issue, Param};

use super::forms::{CatalogueFile, FieldsFile, IssueForm, IssuesFile};

const ISSUES: &str = include_str!("../../content/issues.toml");
const CAUSES: &str = include_str!("../../content/causes.toml");
const UNDERSTAND: &str = include_str!("../../content/understand.toml");
const CATALOGUE: &str = include_str!("../../content/patterns.toml");

/// The issue of whatever was raised; a package's own issues of exceptions come before it.
const EXCEPTION: &str = "exception";

/// Returns the patterns that packages choose from.
pub fn catalogue() -> &'static [PatternCard] {
    static PATTERNS: OnceLock<Vec<PatternCard>> = OnceLock::new();
    PATTERNS.get_or_init(|| embedded::<CatalogueFile>(CATALOGUE).patterns)
}

/// Returns the fields in which an attempt's problem is explained (003: UNDERSTAND).
pub fn fields() -> &'static [Dimension] {
    static FIELDS: OnceLock<Vec<Dimension>> = OnceLock::new();
    FIELDS.get_or_init(|| embedded::<FieldsFile>(UNDERSTAND).fields)
}

/// Returns the pattern with this id.
pub fn pattern(id: &str) -> Option<&'static PatternCard> {
    catalogue().iter().find(|card| card.id == id)
}

/// Returns a package's issues with those that every problem has, most telling first; one that the
/// package words itself is not added.
pub(super) fn with_common(mut own: Vec<Issue>, interface: &Interface) -> Vec<Issue> {
    static COMMON: OnceLock<Vec<IssueForm>> = OnceLock::new();
    let common = COMMON.get_or_init(|| embedded::<IssuesFile>(ISSUES).issues);
    for issue in own.iter_mut().filter(|issue| issue.ways.is_empty()) {
        issue.ways = ways(&issue.id);
    }
    let missing = common.iter().filter(|form| !own.iter().any(|issue| issue.id == form.id));
    let filled = missing.map(|form| filled(form, interface));
    let (last, mut issues): (Vec<_>, Vec<_>) = filled.partition(|issue| issue.id == EXCEPTION);
    if last.is_empty() {
        issues.extend(own);
        return issues;
    }
    let raises = |issue: &Issue| issue.when.failure_types.contains(&FailureType::Exception);
    let (raising, others): (Vec<_>, Vec<_>) = own.into_iter().partition(raises);
    issues.extend(raising.into_iter().chain(last).chain(others));
    issues
}

/// How candidates tell an issue that any problem has.
fn ways(id: &str) -> Vec<String> {
    static WAYS: OnceLock<BTreeMap<String, Vec<String>>> = OnceLock::new();
    WAYS.get_or_init(|| embedded(CAUSES)).get(id).cloned().unwrap_or_default()
}

fn embedded<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("a test reads every text of the binary")
}

/// One of these issues in the words of a problem: `{unit}` is what the file must define, `{name}` its bare
/// name, `{outline}` its calls with their parameters.
fn filled(form: &IssueForm, interface: &Interface) -> Issue {
    let (unit, name) = match interface {
        Interface::Class { name, .. } => (format!("class `{name}`"), name),
        Interface::Function(function) => (format!("function `{}`", function.name), &function.name),
    };
    let outline = outline(interface);
    let fill = |text: &str| {
        let text = text.replace("{unit}", &unit).replace("{name}", name);
        text.replace("{outline}", &outline).trim().to_owned()
    };
    Issue {
        id: form.id.clone(),
        when: form.when.clone(),
        feedback: fill(&form.feedback),
        hints: [fill(&form.level_1), fill(&form.level_2), fill(&form.level_3)],
        ways: ways(&form.id),
    }
}

/// What a file must define, in words, as an indented block.
pub(super) fn outline(interface: &Interface) -> String {
    match interface {
        Interface::Class { name, constructor, methods } => {
            let made = format!("    class {name}\n        when made{}", values(constructor));
            methods.iter().fold(made, |lines, method| {
                format!("{lines}\n        {}{}", method.name, values(&method.params))
            })
        }
        Interface::Function(function) => {
            format!("    function {}{}", function.name, values(&function.params))
        }
    }
}

fn values(params: &[Param]) -> String {
    let names: Vec<_> = params.iter().map(|param| param.name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(", with one value: {one}"),
        several => format!(", with {} values: {}", several.len(), several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use vosim_protocol::v1::problem::Function;

    use super::*;

    fn interface() -> Interface {
        let param = |name: &str| Param { name: name.to_owned(), kind: "int".to_owned() };
        let method = |name: &str, params: &[&str]| Function {
            name: name.to_owned(),
            params: params.iter().map(|name| param(name)).collect(),
            returns: None,
        };
        Interface::Class {
            name: "Shelf".to_owned(),
            constructor: vec![param("room")],
            methods: vec![method("take", &["tool", "who"]), method("clear", &[])],
        }
    }

    #[test]
    fn an_outline_names_each_call_with_its_parameters() {
        let lines = "    class Shelf\n        when made, with one value: room\n        take, with \
                     2 values: tool, who\n        clear";
        assert_eq!(outline(&interface()), lines);
    }

    #[test]
    fn the_catalogue_has_sixteen_patterns_and_more_each_under_a_name_of_its_own() {
        let ids: BTreeSet<_> = catalogue().iter().map(|card| &card.id).collect();
        assert_eq!(ids.len(), catalogue().len());
        assert!(ids.len() >= 16, "{ids:?}");
        for card in catalogue() {
            assert!(!card.cues.is_empty() && !card.failures.is_empty(), "{}", card.id);
            assert!(
                card.signals.iter().all(|signal| *signal == signal.to_lowercase()),
                "{}",
                card.id
            );
        }
    }

    #[test]
    fn no_gap_of_a_common_text_stays_open() {
        for issue in with_common(Vec::new(), &interface()) {
            let texts = issue.hints.iter().chain([&issue.feedback]);
            for text in texts {
                for gap in ["{unit}", "{name}", "{outline}"] {
                    assert!(!text.contains(gap), "{}: {text}", issue.id);
                }
            }
        }
    }

    #[test]
    fn what_a_package_words_itself_is_not_added_and_its_exceptions_come_before_the_common_one() {
        let issue = |id: &str, failure_types: &[FailureType]| {
            let mut issue = with_common(Vec::new(), &interface()).remove(0);
            issue.id = id.to_owned();
            issue.when.failure_types = failure_types.to_vec();
            issue
        };
        let own = vec![
            issue("order", &[]),
            issue("empty_raises", &[FailureType::Exception]),
            issue("time_limit", &[FailureType::Exception]),
            issue("general", &[]),
        ];
        let issues = with_common(own, &interface());
        let at = |id: &str| {
            let places: Vec<_> = (0..issues.len()).filter(|at| issues[*at].id == id).collect();
            assert_eq!(places.len(), 1, "{id}");
            places[0]
        };
        assert!(at("syntax_error") < at("empty_raises"));
        assert!(at("empty_raises") < at(EXCEPTION) && at(EXCEPTION) < at("order"));
        assert_eq!(at("general"), issues.len() - 1);
    }
}
