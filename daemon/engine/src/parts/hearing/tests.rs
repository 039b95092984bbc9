//! Laws of the weights that are in the program.

use proptest::prelude::*;

use super::*;
use crate::problem;

const PROMPT: &str = "How would you build it, and what does it cost?";
const EXACT: &str =
    "O(1) on average, since the map finds the node and relinking it takes four steps.";

fn weigh(dimension: &str, asked: Option<usize>, text: &str) -> Weighed {
    weigh_by(&CURRENT.1, dimension, asked, text)
}

fn weigh_by(model: &Model, dimension: &str, asked: Option<usize>, text: &str) -> Weighed {
    let problem = problem::spec().problem;
    let names = model.names(&problem.interface, &problem.statement);
    let asked = AskedFor { about: asked.map(|place| (dimension, place)), text: PROMPT };
    let message = model.read(text, asked, &names);
    // As if it hit most of the groups of signals: neither a heap nor a denial is saved by them.
    model.weigh(&message, dimension, asked, &BTreeSet::from([0, 2, 3])).expect("it was learned")
}

#[test]
fn a_file_of_weights_reads_back_to_the_same_bytes_and_a_cut_one_is_refused() {
    let model = Model::from_bytes(WEIGHTS).expect("it was written by `make hearing`");
    assert_eq!(model.to_bytes(), WEIGHTS);
    for length in [0, 3, 16, 17, 40, 4_000, WEIGHTS.len() - 1] {
        assert!(Model::from_bytes(&WEIGHTS[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn a_stricter_model_asks_more_of_what_covers_and_as_much_of_what_touches() {
    const FAR: i64 = 1_000_000_000_000;
    let model = Model::from_bytes(WEIGHTS).expect("it was written by `make hearing`");
    let level = |by, text| weigh_by(&model.stricter(by), "complexity", Some(0), text).level;
    assert_eq!(model.stricter(0).to_bytes(), WEIGHTS);
    assert_eq!(
        (level(0, EXACT), level(FAR, EXACT)),
        (Coverage::Covered, Coverage::PartiallyCovered)
    );
    let other = "It is a nice day.";
    assert!(level(0, other) < Coverage::Covered);
    assert_eq!(level(-FAR, other), Coverage::Covered);
}

#[test]
fn a_session_that_names_other_weights_is_refused() {
    assert_eq!((check(None), check(Some(current()))), (Ok(()), Ok(())));
    assert!(check(Some(Hash::of(b"others"))).is_err());
}

#[test]
fn a_short_exact_answer_covers_and_a_denial_or_a_heap_of_words_does_not() {
    let cost = |text| weigh("complexity", Some(0), text).level;
    assert_eq!(cost(EXACT), Coverage::Covered);
    for text in [
        "I did not think about the complexity at all.",
        "complexity linear worst average amortized memory o(n) o(1)",
        "No idea, sorry.",
    ] {
        assert!(cost(text) < Coverage::Covered, "{text}");
    }
}

#[test]
fn terms_that_a_plus_or_an_each_holds_together_are_no_heap() {
    let problem = problem::spec().problem;
    let listener = Listener::new(Some(current()), &problem.interface, &problem.statement).unwrap();
    let is_heap = |text: &str| {
        let asked = AskedFor { about: Some(("approach", FIELD)), text: "" };
        let said = Utterance { text, before: "", asked, dimensions: &[], told: &[] };
        listener.weigh(text, said, &Signals::new()).1
    };
    assert!(!is_heap("Hash map plus doubly linked list: O(1) each."));
    assert!(is_heap("hash map linked list heap tree O(1) O(n) memory"));
}

#[test]
fn words_that_only_answer_a_person_are_heard_as_nothing() {
    let problem = problem::spec().problem;
    let listener = Listener::new(Some(current()), &problem.interface, &problem.statement);
    let ids = ["requirements", "metrics", "approach", "failure_modes", "verification"];
    let dimensions = ids.map(|id| Dimension {
        id: id.to_owned(),
        title: id.to_owned(),
        required: true,
        signals: Vec::new(),
        evidence: None,
        questions: Vec::new(),
    });
    let asked = AskedFor { about: None, text: PROMPT };
    let heard = |text: &str, before: &str| {
        let said = Utterance { text, before, asked, dimensions: &dimensions, told: &[] };
        listen(listener.as_ref(), said).heard.weighed
    };
    let before = "A map from the keys to the nodes of a doubly linked list, newest first.";
    assert!(heard(before, "").values().any(|level| *level > Coverage::NotCovered));
    for text in ["Good.", "ok", "Done!", "On it.", "Hmm, right, let's go.", "..."] {
        let levels = heard(text, before);
        assert_eq!(levels.len(), ids.len(), "{text}");
        assert!(levels.values().all(|level| *level == Coverage::NotCovered), "{text}: {levels:?}");
    }
}

#[test]
fn a_slip_of_a_finger_costs_nothing() {
    let right = "Both calls take constant time, O(1) on average, because the dictionary finds the node and nothing is scanned.";
    let slips = "Both calls take cosntant time, O(1) on averge, becuase the dictionry finds the node and nothin is scaned.";
    let (right, slips) = (weigh("complexity", Some(0), right), weigh("complexity", Some(0), slips));
    assert_eq!((slips.level, right.level), (Coverage::Covered, Coverage::Covered));
}

#[test]
fn what_spoke_for_and_against_are_words_of_the_message() {
    let text = "It is O(1) because each call touches a fixed number of nodes, though I am not sure";
    let weighed = weigh("complexity", Some(0), text);
    assert!(!weighed.spoke_for.is_empty() && !weighed.against.is_empty(), "{weighed:?}");
    let said = crate::parts::text::words(text).join(" ");
    for phrase in weighed.spoke_for.iter().chain(&weighed.against) {
        assert!(said.contains(phrase), "{phrase}");
    }
}

proptest! {
    #[test]
    fn any_text_is_weighed_and_the_same_way_each_time(text in ".{0,400}") {
        prop_assert_eq!(weigh("approach", None, &text), weigh("approach", None, &text));
    }
}
