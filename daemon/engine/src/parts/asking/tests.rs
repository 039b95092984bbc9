//! What asks and what does not, on a problem with two cards.

use std::sync::Arc;

use vosim_protocol::v1::interview::{Clarification, Inquiry};

use super::form::{Form, pieces};
use super::{Chosen, Phrasebook, Subject, chosen};

fn cards() -> Vec<Clarification> {
    let card = |id: &str, question: &str, ways: &[&str]| Clarification {
        id: id.to_owned(),
        question: question.to_owned(),
        ways: ways.iter().map(|&way| way.to_owned()).collect(),
        answer: "No.".to_owned(),
        dimension: "requirements".to_owned(),
    };
    vec![
        card(
            "missing_key",
            "Is a missing key an error?",
            &[
                "what happens when the key is not there",
                "does get throw for unknown keys",
                "absent key?",
            ],
        ),
        card(
            "negative_keys",
            "Can keys be negative?",
            &["are keys below zero allowed", "is -5 a good key", "do I get keys smaller than 0?"],
        ),
    ]
}

fn subjects(text: &str) -> (Vec<String>, bool, bool) {
    let cards = cards();
    let left_open = ["Shall it be safe for several threads?".to_owned()];
    let in_statement = ["what is dropped when it is full".to_owned()];
    let asking = Phrasebook::new(&cards, &left_open, &in_statement);
    let found = asking.questions(text);
    let subject = |subject: &Subject<'_>| match subject {
        Subject::Card(card) => (*card).to_owned(),
        Subject::Offer(cards) => format!("offer {}", cards.join(" ")),
        Subject::Inquiry(inquiry) => format!("{inquiry:?}"),
    };
    (found.asked.iter().map(|asked| subject(&asked.subject)).collect(), found.only, found.answers)
}

#[test]
fn a_message_asks_for_what_its_words_come_nearest_to() {
    for (text, expected) in [
        ("What happens if the key is not there?", "missing_key"),
        ("may keys be negative", "negative_keys"),
        ("Shall it be safe for several threads at once?", "LeftOpen"),
        ("What gets dropped when it is full?", "InStatement"),
        ("Sorry, what was the question again?", "Repeat"),
        ("What do you mean?", "Reword"),
        ("could you rephrase that please", "Reword"),
        ("I don't understand.", "Reword"),
        ("Can I see the statement again?", "Statement"),
        ("give me a minute to think please", "Pause"),
        ("Hm.", "Pause"),
        ("I'm done", "Onward"),
        ("How much time is left in this section?", "TimeLeft"),
        ("Am I on the right track?", "Judgement"),
        ("could you give me a hint please", "Help"),
        ("Is the florbnix quantal?", "Unclear"),
        ("Does it matter?", "Unclear"),
        ("Do I need comments?", "Onward"),
        ("You lost me.", "Reword"),
        ("I'm lost", "Reword"),
        ("I do not follow", "Reword"),
        ("I do not understand.", "Reword"),
        ("You've lost me completely.", "Reword"),
        ("Sorry, come again.", "Reword"),
        ("Pardon me.", "Repeat"),
        ("I did not get that.", "Reword"),
        ("I have no idea what you mean", "Reword"),
        ("I am confused.", "Reword"),
        ("I'm not sure I follow", "Reword"),
        ("brb", "Pause"),
        ("How many tests are there?", "Running"),
        ("How is this scored?", "Judgement"),
        ("Please end the interview.", "Onward"),
        ("How many sections are there?", "TimeLeft"),
        ("Is it ok to use recursion?", "Judgement"),
        ("Can I assume the input is valid?", "Unclear"),
    ] {
        let (found, only, answers) = subjects(text);
        assert_eq!(found, [expected], "{text}");
        assert!(only && !answers, "{text}");
    }
}

#[test]
fn who_counts_what_the_problem_has_is_told_nothing_of_the_interview() {
    for text in [
        "How many calls will there be?",
        "how many calls are there?",
        "how many people are there?",
        "How many items can there be?",
        "how many rows can there be",
        "So how many are there?",
        "How much data is there?",
        "how much input is there",
    ] {
        let (found, ..) = subjects(text);
        for told in ["Running", "TimeLeft", "Judgement", "Onward", "Help", "Repeat"] {
            assert!(found.iter().all(|it| it != told), "{text}: {found:?}");
        }
        assert!(!found.is_empty(), "{text}");
    }
    for (text, expected) in [
        ("How many minutes are left?", "TimeLeft"),
        ("How much time is left?", "TimeLeft"),
        ("How many more sections are there?", "TimeLeft"),
        ("How many hidden tests are there?", "Running"),
    ] {
        assert_eq!(subjects(text).0, [expected], "{text}");
    }
}

#[test]
fn what_sounds_like_a_question_and_answers_gets_no_reply() {
    for (text, answers) in [
        ("I guess get is O(1)?", true),
        ("Probably a dict plus a linked list, maybe?", true),
        ("What happens on a miss? We return -1 and touch nothing.", false),
        ("Memory is proportional to the number of keys we keep.", false),
        ("When the key is missing, get returns -1.", false),
        ("hm, a hash map and a list, then", false),
        ("I am done with the map, so now the list holds the order of use.", false),
        ("", false),
    ] {
        let found = subjects(text);
        assert!(found.0.is_empty() && !found.1, "{text}: {found:?}");
        assert!(found.2 || !answers, "{text}");
    }
}

#[test]
fn who_hedges_is_not_asked_what_is_meant() {
    let cards = cards();
    let asking = Phrasebook::new(&cards, &[], &[]);
    for text in [
        "I guess keys are numbers?",
        "Maybe the key is negative, or not there?",
        "Perhaps keys below zero are an error?",
        "Maybe that it is correct for all keys, and linear?",
        "I suppose -5 is not there?",
    ] {
        let found = asking.questions(text);
        assert!(found.hedges, "{text}");
        for asked in found.asked {
            let back =
                matches!(asked.subject, Subject::Offer(_) | Subject::Inquiry(Inquiry::Unclear));
            assert!(!back, "{text}: {asked:?}");
        }
    }
    assert!(!asking.questions("Keys are numbers?").hedges);
}

#[test]
fn of_a_long_message_only_what_asks_is_looked_at_and_each_subject_once() {
    let long = "I would keep a dict from the keys to the nodes of a doubly linked list, with the newest at \
                the front, so that both calls take the same short time. Can keys be negative?";
    assert_eq!(subjects(long), (vec!["negative_keys".to_owned()], false, false));
    let two = "Can keys be negative? Is a missing key an error? And are keys below zero allowed?";
    let (found, only, _) = subjects(two);
    assert_eq!(found, ["negative_keys", "missing_key"]);
    assert!(only);
    let told = "A missing key is an error, I think. Can keys be negative?";
    assert!(!subjects(told).1);
    assert_eq!(subjects("One moment, my editor has crashed. What was the question?").0, ["Repeat"]);
}

#[test]
fn pieces_are_the_questions_or_a_short_whole() {
    let joined = |text| (pieces(text).0.join("|"), pieces(text).1);
    for (text, expected, whole) in [
        ("Is it? Or not? Yes.", "Is it?|Or not?", false),
        ("One? Two? Three? Four?", "One?|Two?|Three?", false),
        ("One? Two?", "One?|Two?", true),
        (" can i go on ", "can i go on", true),
        ("It is full.", "", false),
    ] {
        assert_eq!(joined(text), (expected.to_owned(), whole), "{text}");
    }
}

#[test]
fn a_question_is_known_by_its_form() {
    for (text, expected) in [
        ("can i go on", Form::Question),
        ("Ok, so how many keys", Form::Question),
        ("What is it?", Form::Question),
        ("Keys are whole numbers?", Form::Marked),
        ("So I think keys are whole numbers?", Form::Hedged),
        ("And O(1) memory maybe, since it is fixed?", Form::Hedged),
        ("Should I maybe use a map?", Form::Unsure),
        ("How? By a list.", Form::Unsure),
        ("Keys are whole numbers.", Form::Plain),
        ("", Form::Plain),
    ] {
        assert_eq!(Form::of(text), expected, "{text}");
    }
}

#[test]
fn a_book_is_made_once_for_the_same_ways() {
    let left_open = ["Shall it be fast?".to_owned()];
    let book = Phrasebook::of(&cards(), &left_open, &[]);
    assert!(Arc::ptr_eq(&book, &Phrasebook::of(&cards(), &left_open, &[])));
    let mut others = cards();
    others[1].ways.push("minus one as a key?".to_owned());
    for other in [
        Phrasebook::of(&others, &left_open, &[]),
        Phrasebook::of(&cards(), &[], &left_open),
        Phrasebook::of(&cards()[1..], &left_open, &[]),
    ] {
        assert!(!Arc::ptr_eq(&book, &other));
    }
}

#[test]
fn one_of_two_cards_is_chosen_in_a_word_or_two() {
    for (text, expected) in [
        ("yes", Some(Chosen::First)),
        ("The second one.", Some(Chosen::Second)),
        ("both, please", Some(Chosen::Both)),
        ("The second pass takes longer.", None),
    ] {
        assert_eq!(chosen(text), expected, "{text}");
    }
}

#[test]
fn a_statement_answers_by_its_nearest_sentence_or_not_at_all() {
    let cards = cards();
    let in_statement = ["what is dropped when it is full".to_owned(), "how many calls".to_owned()];
    let asking = Phrasebook::new(&cards, &[], &in_statement);
    let statement = "# Cache\n\nIt is small. When it is full, the key that was used\nleast recently is dropped.\n\n\
                     - There are at most ten calls.\n";
    let said = |question| asking.said(statement, question);
    let dropped = "When it is full, the key that was used least recently is dropped.";
    assert_eq!(said("What gets dropped when it is full?").as_deref(), Some(dropped));
    assert_eq!(said("How many calls are there?").as_deref(), Some("There are at most ten calls."));
    assert_eq!(said("Is the florbnix quantal?"), None);
}

// Whatever is said, the same is heard, and nothing panics.
#[test]
fn odd_texts_ask_for_no_card() {
    for text in ["?", "???", "？", "\u{200b}?", "🙂?", &"what ".repeat(5000), &"a? ".repeat(5000)]
    {
        let (found, ..) = subjects(text);
        assert!(found.len() <= 1, "{text:.20}: {found:?}");
        assert!(!found.iter().any(|it| it.contains("key")), "{text:.20}: {found:?}");
    }
}

#[test]
fn a_number_is_told_only_of_what_is_counted() {
    let card = |id: &str, ways: [&str; 4]| Clarification {
        id: id.to_owned(),
        question: ways[0].to_owned(),
        ways: ways[1..].iter().map(|&way| way.to_owned()).collect(),
        answer: "One.".to_owned(),
        dimension: "constraints".to_owned(),
    };
    let callers = [
        "How many callers are there?",
        "How many callers at once?",
        "Are there several callers at a time?",
        "May two callers call it at once?",
    ];
    let keys = [
        "How many keys are there at most?",
        "Up to how many keys?",
        "What is the largest number of keys?",
        "How many entries fit in?",
    ];
    let cards = [card("callers", callers), card("size", keys)];
    let in_statement = ["How many calls does one test make?".to_owned()];
    let statement = "A caller waits. Each call takes O(1). There are no other callers of it. A test makes at most 1,000 calls.";
    let asking = Phrasebook::new(&cards, &[], &in_statement);
    let subject = |text: &'static str| asking.questions(text).asked.remove(0).subject;
    for text in ["How many calls are there?", "how many calls will there be at once"] {
        assert_eq!(subject(text), Subject::Inquiry(Inquiry::InStatement), "{text}");
    }
    assert_eq!(
        asking.said(statement, "How many calls are there?").unwrap(),
        "A test makes at most 1,000 calls."
    );
    assert_eq!(subject("How many callers are there at once?"), Subject::Card("callers"));
    assert_eq!(subject("How many keys are there?"), Subject::Card("size"));
    // What nobody counts is offered at most.
    let threads = subject("How many visitors are there at once?");
    assert!(!matches!(threads, Subject::Card(_)), "{threads:?}");
}
