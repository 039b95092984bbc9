//! What a language that extends another one takes over: a package that offers JavaScript offers
//! TypeScript, too, with the same programs to show and a starter to which the types of the interface
//! are added.

use vosim_protocol::v1::problem::{Function, Interface, Language, Param, Problem};

/// Adds what a package does not bring itself.
pub(super) fn extend(problem: &mut Problem) {
    for (language, base) in Language::ALL.iter().filter_map(|it| Some((*it, it.extends()?))) {
        if let Some(starter) = problem.starters.get(&base) {
            let typed = typed(starter, &problem.interface);
            problem.starters.entry(language).or_insert(typed);
        }
        if let Some(solution) = problem.solutions.get(&base) {
            let typed = typed(solution, &problem.interface);
            let typed = typed.replace(&format!("```{base}\n"), &format!("```{language}\n"));
            problem.solutions.entry(language).or_insert(typed);
        }
    }
}

/// A starter in JavaScript with the types that the interface declares; what it does not find stays as
/// it is, which is TypeScript as well.
fn typed(starter: &str, interface: &Interface) -> String {
    let made = |params: &[Param]| Function {
        name: "constructor".to_owned(),
        params: params.to_vec(),
        returns: None,
    };
    let functions = match interface {
        Interface::Class { constructor, methods, .. } => {
            std::iter::once(made(constructor)).chain(methods.iter().cloned()).collect()
        }
        Interface::Function(function) => vec![function.clone()],
    };
    let line = |line: &str| {
        let found = functions.iter().find_map(|function| with_types(line, function));
        // A module exports what it has; it is strict by itself.
        let found = found.unwrap_or_else(|| line.replace("module.exports =", "export"));
        format!("{found}\n")
    };
    starter.lines().map(line).collect::<String>().replace("\"use strict\";\n\n", "")
}

/// The line that opens a function, with types; none for any other line.
fn with_types(line: &str, function: &Function) -> Option<String> {
    let (before, rest) = line.split_once('(')?;
    let name = before.trim_start().trim_start_matches("function ");
    let (params, body) = rest.split_once(')')?;
    let named = params.split(',').map(str::trim).filter(|name| !name.is_empty());
    let same = named.eq(function.params.iter().map(|param| param.name.as_str()));
    if name != function.name || !same || !body.trim_start().starts_with('{') {
        return None;
    }
    let param = |param: &Param| match type_of(&param.kind) {
        Some(kind) => format!("{}: {kind}", param.name),
        None => param.name.clone(),
    };
    let params: Vec<_> = function.params.iter().map(param).collect();
    let returns = match &function.returns {
        _ if function.name == "constructor" => None,
        Some(returns) => type_of(returns),
        None => Some("void".to_owned()),
    };
    let returns = returns.map(|kind| format!(": {kind}")).unwrap_or_default();
    Some(format!("{before}({}){returns}{body}", params.join(", ")))
}

/// A type as packages write it, in TypeScript; none where it says more than a type can.
fn type_of(kind: &str) -> Option<String> {
    let kind = kind.trim();
    let items = ["list of ", "lists of "].iter().find_map(|start| kind.strip_prefix(start));
    let items = items.or_else(|| kind.strip_prefix("list[")?.strip_suffix(']'));
    if let Some(items) = items {
        let of = type_of(items)?;
        return Some(if of.contains(" | ") { format!("({of})[]") } else { format!("{of}[]") });
    }
    if let Some(parts) = kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let parts: Option<Vec<_>> = parts.split(", ").map(type_of).collect();
        return Some(format!("[{}]", parts?.join(", ")));
    }
    if kind.contains(" or ") {
        let either: Option<Vec<_>> = kind.split(" or ").map(type_of).collect();
        return Some(either?.join(" | "));
    }
    let plain = match kind.strip_suffix('s').unwrap_or(kind) {
        "int" | "float" | "number" => "number",
        "str" | "string" | "text" => "string",
        "bool" => "boolean",
        "null" => "null",
        _ => return None,
    };
    Some(plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::catalog;

    #[test]
    fn a_type_is_written_as_typescript_does_or_left_out() {
        for (kind, expected) in [
            ("int", Some("number")),
            ("list of lists of ints", Some("number[][]")),
            ("list[int]", Some("number[]")),
            ("list of [int, str]", Some("[number, string][]")),
            ("list of int or null", Some("(number | null)[]")),
            ("int or null", Some("number | null")),
            ("list of texts", Some("string[]")),
            ("list of int or dash", None),
        ] {
            assert_eq!(type_of(kind).as_deref(), expected, "{kind}");
        }
    }

    #[test]
    fn a_starter_in_typescript_has_the_types_of_the_interface() {
        let package = crate::content::find("lru_cache").unwrap();
        insta::assert_snapshot!(package.problem.starters[&Language::Typescript], @r"
        /** A cache of fixed size that drops the least recently used key. */
        class LRUCache {
          /** Start empty, with room for `capacity` keys. */
          constructor(capacity: number) {}

          /** Return the value of `key`, or -1 if it is not in the cache. */
          get(key: number): number {}

          /** Store `value` under `key`; a full cache makes room first. */
          put(key: number, value: number): void {}
        }

        export { LRUCache };
        ");
    }

    #[test]
    fn every_shipped_package_that_offers_javascript_offers_typescript() {
        for package in catalog().list() {
            let Problem { id, starters, solutions, .. } = &package.problem;
            let starter = &starters[&Language::Typescript];
            assert!(starter.contains("\nexport { ") && starter.contains(": "), "{id}: {starter}");
            let solution = &solutions[&Language::Typescript];
            assert!(solution.contains("\nexport { ") && !solution.contains("module."), "{id}");
            assert!(solution.contains("```typescript\n") && solution.contains(": "), "{id}");
        }
    }
}
