//! Which follow-up is chosen and what is said of the others.

use proptest::prelude::*;

use super::*;

fn dimension(id: &str, required: bool, questions: usize) -> Dimension {
    Dimension {
        id: id.to_owned(),
        title: id.to_owned(),
        required,
        signals: Vec::new(),
        evidence: None,
        questions: (0..questions).map(|index| format!("{id} {index}?")).collect(),
    }
}

/// What `a:1 b:2!` leads to: `a` used one question, `b` two and was declined; the level of a
/// dimension is `-` not, `~` partly, `+` covered; `?` behind the number is a last question to which
/// nothing was said.
fn choose(state: &str, budget: u32) -> (String, String) {
    choose_of(&FollowupRule::ALL.into(), state, budget)
}

fn choose_of(allowed: &BTreeSet<FollowupRule>, state: &str, budget: u32) -> (String, String) {
    let mut asked = BTreeMap::new();
    let mut declined = BTreeSet::new();
    let mut coverage = CoverageMap::new();
    let mut unanswered = None;
    for word in state.split_whitespace() {
        let (id, rest) = word.split_at(1);
        let level = match &rest[..1] {
            "-" => Coverage::NotCovered,
            "~" => Coverage::PartiallyCovered,
            _ => Coverage::Covered,
        };
        coverage.insert(id.to_owned(), level);
        asked.insert(id.to_owned(), rest[1..].trim_end_matches(['!', '?']).parse().unwrap_or(0));
        if rest.ends_with('?') {
            unanswered = Some(id);
        }
        if rest.contains('!') {
            declined.insert(id.to_owned());
        }
    }
    let required = ["a", "b", "c"].map(|id| dimension(id, true, 3));
    let dimensions: Vec<_> = [dimension("x", false, 3)].into_iter().chain(required).collect();
    let pool = Pool {
        dimensions: &dimensions,
        coverage: &coverage,
        asked: &asked,
        declined: &declined,
        unanswered,
        budget,
        allowed,
    };
    let Some(choice) = pool.choose() else { return ("-".to_owned(), String::new()) };
    let others = pool.alternatives(&choice).into_iter();
    let others: Vec<_> = others.map(|(id, why)| format!("{id}: {}", why.text)).collect();
    (format!("{} {:?}", choice.question, choice.rule), others.join("; "))
}

#[test]
fn uncovered_ones_come_first_then_partly_covered_ones_by_priority() {
    for (state, budget, expected) in [
        ("", 4, "a 0? UncoveredFirst"),
        ("a-1?", 4, "a 1? InOtherWords"),
        ("a-1?", 2, "b 0? UncoveredFirst"),
        ("a-1? b~ c-", 2, "a 1? InOtherWords"),
        ("a-1? b~ c-", 1, "c 0? UncoveredFirst"),
        ("a-1? b+ c~1", 1, "a 1? InOtherWords"),
        ("a-2? b~1", 4, "c 0? UncoveredFirst"),
        ("a-1!? b~1", 4, "c 0? UncoveredFirst"),
        ("a~1? b-1", 4, "c 0? UncoveredFirst"),
        ("a~", 4, "b 0? UncoveredFirst"),
        ("a+ b~ c-", 4, "c 0? UncoveredFirst"),
        ("a~ b~ c+", 4, "a 0? DeepenPartial"),
        ("a~1 b~ c+", 4, "b 0? DeepenPartial"),
        ("a~1 b~1 c+", 4, "a 1? DeepenPartial"),
        ("a-1 b-1 c-", 4, "c 0? UncoveredFirst"),
        ("a-1 b~ c+", 4, "a 1? UncoveredFirst"),
        ("a~3 b~ c+", 4, "b 0? DeepenPartial"),
        ("a-! b~ c+", 4, "b 0? DeepenPartial"),
        ("a-3 b-2 c+", 4, "b 2? UncoveredFirst"),
        ("a-! b-! c-!", 4, "-"),
        ("a+ b+ c+ x-", 4, "-"),
        ("", 0, "-"),
        ("a-9 b~9 c~9", 4, "-"),
    ] {
        assert_eq!(choose(state, budget).0, expected, "{state}, budget {budget}");
    }
}

#[test]
fn the_others_say_why_they_were_not_taken() {
    for (state, budget, expected) in [
        (
            "a+ b~ c-",
            4,
            "a: it is covered; b: it is partly covered, and what is not covered comes first",
        ),
        ("a- b- c-!", 1, "b: it comes later in the schema; c: the candidate declined it"),
        (
            "a~1 b~ c~3",
            1,
            "a: it was asked about before, and what was asked about less comes first; c: its \
             questions are used up",
        ),
        ("a~3 b~ c~", 1, "a: its questions are used up; c: it comes later in the schema"),
    ] {
        assert_eq!(choose(state, budget).1, expected, "{state}, budget {budget}");
    }
}

#[test]
fn what_is_of_a_type_that_the_section_does_not_allow_is_not_asked() {
    use FollowupRule::{DeepenPartial, InOtherWords, UncoveredFirst};
    let not_allowed = "the section allows no follow-up of the type that it would get";
    for (allowed, state, expected) in [
        (&[UncoveredFirst, DeepenPartial][..], "a-1?", "b 0? UncoveredFirst"),
        (&[UncoveredFirst, InOtherWords], "a-1?", "a 1? InOtherWords"),
        (&[UncoveredFirst, InOtherWords], "a~ b~ c+", "-"),
        (&[UncoveredFirst], "a~ b- c+", "b 0? UncoveredFirst"),
        (&[DeepenPartial], "a- b~ c-", "b 0? DeepenPartial"),
        (&[DeepenPartial], "a- b- c-", "-"),
        (&[], "a- b~ c-", "-"),
    ] {
        let allowed = allowed.iter().copied().collect();
        assert_eq!(choose_of(&allowed, state, 4).0, expected, "{allowed:?}: {state}");
    }
    let (_, others) = choose_of(&[DeepenPartial].into(), "a- b~ c-", 4);
    assert_eq!(others, format!("a: {not_allowed}; c: {not_allowed}"));
    let (_, others) = choose_of(&[UncoveredFirst].into(), "a- b~ c+", 4);
    assert_eq!(others, format!("b: {not_allowed}; c: it is covered"));
}

proptest! {
    #[test]
    fn a_choice_is_allowed_and_every_other_required_dimension_is_explained(
        dimensions in prop::collection::vec((any::<bool>(), 0_usize..4, 0_u32..5, any::<bool>(), 0_u8..3), 0..6),
        budget in 0_u32..3,
    ) {
        let mut asked = BTreeMap::new();
        let mut declined = BTreeSet::new();
        let mut coverage = CoverageMap::new();
        let mut all = Vec::new();
        for (index, (required, questions, used, no, level)) in dimensions.into_iter().enumerate() {
            let id = format!("d{index}");
            all.push(dimension(&id, required, questions));
            asked.insert(id.clone(), used);
            if no {
                declined.insert(id.clone());
            }
            let levels = [Coverage::NotCovered, Coverage::PartiallyCovered, Coverage::Covered];
            coverage.insert(id, levels[usize::from(level)]);
        }
        let pool = Pool { dimensions: &all, coverage: &coverage, asked: &asked, declined: &declined, unanswered: None, budget, allowed: &FollowupRule::ALL.into() };
        let required: Vec<_> = all.iter().filter(|d| d.required).collect();
        let choice = pool.choose();
        let open = |d: &Dimension| {
            coverage[&d.id] < Coverage::Covered
                && !declined.contains(&d.id)
                && (asked[&d.id] as usize) < d.questions.len()
        };
        prop_assert_eq!(choice.is_some(), budget > 0 && required.iter().any(|d| open(d)));
        if let Some(choice) = choice {
            let others = pool.alternatives(&choice).into_iter();
            let mut explained: Vec<_> = others.map(|(id, _)| id).collect();
            let chosen = required.iter().find(|d| d.id == choice.dimension);
            prop_assert!(chosen.is_some_and(|d| open(d)));
            let lower = required.iter().filter(|d| open(d)).all(|d| coverage[&d.id] >= coverage[&choice.dimension]);
            prop_assert!(lower);
            explained.push(choice.dimension);
            explained.sort();
            let ids: Vec<_> = required.iter().map(|d| d.id.clone()).collect();
            prop_assert_eq!(explained, ids);
        }
    }
}
