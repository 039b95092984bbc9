//! No module needs, by whatever way round, a module that needs it.
//!
//! A parent may gather what its children offer; but children that use items of their parent's file,
//! while the parent uses the children, are a circle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::crates;
use super::modules::{Arrows, Crate};

#[test]
fn modules_need_each_other_in_no_circle() {
    let found: Vec<_> = crates().iter().flat_map(circles).collect();
    assert!(found.is_empty(), "{found:#?}");
}

fn circles(of: &Crate) -> BTreeSet<String> {
    let arrows = of.arrows();
    let mut found = BTreeSet::new();
    for (from, targets) in &arrows {
        for to in targets {
            if let Some(circle) = shortest_way(&arrows, *to, *from)
                && !has_short_cut(&arrows, &circle)
            {
                found.insert(told(of, &circle));
            }
        }
    }
    found
}

fn shortest_way(arrows: &Arrows, from: usize, to: usize) -> Option<Vec<usize>> {
    let mut reached_from = BTreeMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == to {
            let mut way = vec![to];
            while way[way.len() - 1] != from {
                way.push(reached_from[&way[way.len() - 1]]);
            }
            way.reverse();
            return Some(way);
        }
        for next in &arrows[&at] {
            if !reached_from.contains_key(next) {
                reached_from.insert(*next, at);
                queue.push_back(*next);
            }
        }
    }
    None
}

/// Whether an arrow between two of a circle makes a shorter circle of some of them.
fn has_short_cut(arrows: &Arrows, circle: &[usize]) -> bool {
    let arrows_inside = |from: &usize| arrows[from].iter().filter(|to| circle.contains(to)).count();
    circle.iter().map(arrows_inside).sum::<usize>() > circle.len()
}

/// `crate: a -> b -> a`, beginning with the name that sorts first.
fn told(of: &Crate, circle: &[usize]) -> String {
    let mut names: Vec<_> = circle.iter().map(|index| of.module_name(*index)).collect();
    let first = (0..names.len()).min_by_key(|index| names[*index]).unwrap_or_default();
    names.rotate_left(first);
    names.push(names[0]);
    format!("{}: {}", of.name, names.join(" -> "))
}

/// The circles of a crate of these files.
#[track_caller]
fn check(files: &[(&str, &str)], circles_expected: &[&str]) {
    let found = circles(&Crate::of(files));
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), circles_expected);
}

#[test]
fn a_circle_that_goes_by_a_re_export_is_found() {
    check(
        &[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::Deep; fn one(_: Deep) {}"),
            ("b.rs", "mod deep; pub(crate) use deep::Deep;"),
            ("b/deep.rs", "use crate::c; pub(crate) struct Deep(c::Two);"),
            ("c.rs", "pub(crate) struct Two; fn two() { crate::a::one() }"),
        ],
        &["small: a -> b::deep -> c -> a"],
    );
}

#[test]
fn a_parent_that_only_offers_its_children_is_in_no_circle() {
    let child = ("a/child.rs", "use super::Base; pub(crate) struct Child(Base);");
    let offers = "mod child; pub(crate) use child::Child; struct Base;";
    check(&[("lib.rs", "mod a;"), ("a.rs", offers), child], &[]);
    let uses = format!("{offers} fn of(_: Child) {{}}");
    check(&[("lib.rs", "mod a;"), ("a.rs", &uses), child], &["small: a -> a::child -> a"]);
}

#[test]
fn what_tests_name_is_no_circle() {
    check(
        &[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub(crate) struct A(B);"),
            ("b.rs", "pub(crate) struct B; #[cfg(test)] mod tests { use crate::a::A; }"),
        ],
        &[],
    );
}
