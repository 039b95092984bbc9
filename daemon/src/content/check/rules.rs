//! Checks that every rule of a statement is named, and that programs and cases show it is tested.

use std::collections::BTreeSet;

use crate::content::files::ContentError;
use crate::content::forms::Rule;
use crate::content::layout::{RULES, is_name};
use crate::content::package::{Package, ProgramRole};

/// Most rules of a problem.
const RULES_MAX: usize = 100;

pub(super) fn check(package: &Package) -> Result<(), ContentError> {
    let rules = &package.rules;
    if rules.is_empty() || rules.len() > RULES_MAX {
        return Err(ContentError::invalid(RULES, "rule", "must be 1 to 100"));
    }
    let statement = spaced(&package.problem.statement);
    let mut seen = BTreeSet::new();
    for rule in rules {
        let wrong = |key: &str, problem: &str| {
            ContentError::invalid(RULES, format!("rule '{}'.{key}", rule.id), problem)
        };
        if !is_name(&rule.id) || !seen.insert(&rule.id) {
            return Err(wrong("id", "must be a name that no other rule has"));
        }
        if rule.text.trim().is_empty() || !statement.contains(&spaced(&rule.text)) {
            return Err(wrong("text", "does not stand in the statement"));
        }
        let known = |case: &String| package.problem.cases.iter().any(|info| info.name == *case);
        if rule.cases.is_empty() || !rule.cases.iter().all(known) {
            return Err(wrong("cases", "must be names of cases"));
        }
        programs(package, rule).map_err(|problem| wrong("programs", &problem))?;
    }
    numbered(&package.problem.statement, rules)
}

/// Checks that wrong programs break a rule in every language in which the problem can be solved.
fn programs(package: &Package, rule: &Rule) -> Result<(), String> {
    let find = |path: &String| package.programs.iter().find(|program| program.path == *path);
    let mut broken_in = BTreeSet::new();
    for path in &rule.programs {
        let program = find(path).filter(|program| program.role == ProgramRole::Wrong);
        let program = program.ok_or_else(|| format!("'{path}' is no wrong program"))?;
        broken_in.insert(program.language);
    }
    let mut offered = package.problem.starters.keys();
    match offered.find(|language| !broken_in.contains(language)) {
        Some(language) => Err(format!("none is in {language}")),
        None => Ok(()),
    }
}

/// Checks that each numbered rule of the statement is named.
fn numbered(statement: &str, rules: &[Rule]) -> Result<(), ContentError> {
    let items = statement.split("\n\n").flat_map(items);
    for item in items {
        let text = spaced(&item);
        if !rules.iter().any(|rule| text.contains(&spaced(&rule.text))) {
            let problem = format!("no rule is named of the statement's '{text}'");
            return Err(ContentError::invalid(RULES, "rule", problem));
        }
    }
    Ok(())
}

/// The items of a numbered list, each with the lines that belong to it.
fn items(paragraph: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in paragraph.lines() {
        let (number, rest) = line.split_once(". ").unwrap_or(("", line));
        let begins = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        match items.last_mut() {
            _ if begins => items.push(rest.to_owned()),
            Some(item) => {
                item.push(' ');
                item.push_str(line);
            }
            None => {}
        }
    }
    items
}

/// A text with single blanks.
pub(super) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
