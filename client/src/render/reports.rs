//! What the daemon says about a log: why an event is as it is, a replay, a check of its chain.

use vosim_protocol::Json;
use vosim_protocol::v1::service::VerifyResult;
use vosim_protocol::v1::session::{Explanation, Input, NotTaken, ReplayReport};
use vosim_protocol::v1::telling::Telling;

use crate::render::look::{Icon, Look, Tone};
use crate::render::page::Page;
use crate::render::telling::parts;
use crate::render::text::{count, sentence};

pub(crate) fn why(explanation: &Explanation, look: &Look) -> String {
    let mut page = Page::new(look);
    let title = format!("Event {}: {}", explanation.event_id, explanation.event_type);
    page.say(Tone::Strong, &title);
    page.say(Tone::Plain, &told(&explanation.telling, look)).blank();
    page.hanging("Rule: ", "      ", Tone::Plain, &full(&explanation.rule.text));
    if !explanation.inputs.is_empty() {
        page.blank().say(Tone::Strong, "It looked at:");
    }
    for Input { clause, event_id } in &explanation.inputs {
        let from = event_id.map_or(String::new(), |id| format!(" (event {id})"));
        page.item(Tone::Plain, &full(&format!("{}{from}", clause.text)));
    }
    if !explanation.not_taken.is_empty() {
        page.blank().say(Tone::Strong, "Not taken:");
    }
    for NotTaken { rule, reason } in &explanation.not_taken {
        page.item(Tone::Plain, &full(&format!("{}: {}", rule.text, reason.text)));
    }
    page.finish()
}

/// What happened, in full.
fn told(telling: &Telling, look: &Look) -> String {
    match parts(telling, look) {
        (Some(line), Some(gist)) => format!("{} [{gist}]", full(&line)),
        (line, gist) => full(&line.or(gist).unwrap_or_default()),
    }
}

/// With a large letter and an end.
fn full(text: &str) -> String {
    let end = if text.ends_with(['.', '!', '?', ':']) { "" } else { "." };
    format!("{}{end}", sentence(text))
}

pub(crate) fn replay(report: &ReplayReport, look: &Look) -> String {
    let mut page = Page::new(look);
    let events = count(report.events, "event");
    page.say(Tone::Plain, &format!("{events} replayed. The session's phase: {}.", report.phase));
    if report.code_withheld > 0 {
        let submissions = count(report.code_withheld, "submission");
        page.say(Tone::Warn, &format!("{submissions}: code withheld, it has been deleted."));
    }
    if let Some(broken) = &report.chain {
        verdict(&mut page, false, &format!("The hash chain is broken at {broken}"));
    }
    match &report.differs {
        Some(differs) => {
            let found = format!("Event {}: {}", differs.event_id, differs.reason);
            verdict(&mut page, false, &found);
            page.hanging("   in the log: ", "     ", Tone::Plain, &differs.found.to_string());
            let computed = differs.computed.as_ref().map_or("nothing".to_owned(), Json::to_string);
            page.hanging("   computed:   ", "     ", Tone::Plain, &computed);
        }
        None if report.recomputed > 0 => {
            let decisions = count(report.recomputed, "decision");
            verdict(&mut page, true, &format!("{decisions} recomputed, all as in the log."));
        }
        None => {}
    }
    page.finish()
}

/// True when nothing is wrong with the replayed log.
pub(crate) fn replay_is_good(report: &ReplayReport) -> bool {
    report.differs.is_none() && report.chain.is_none()
}

pub(crate) fn verify(result: &VerifyResult, look: &Look) -> String {
    let mut page = Page::new(look);
    let records = count(result.records, "record");
    match (&result.broken, &result.head) {
        (Some(broken), _) => {
            verdict(&mut page, false, &format!("The log has been changed at {broken}"));
        }
        (None, Some(head)) => {
            verdict(&mut page, true, &format!("{records}, unbroken. The last one is {head}"));
        }
        (None, None) => verdict(&mut page, true, &format!("{records}, unbroken.")),
    }
    page.finish()
}

fn verdict(page: &mut Page<'_>, good: bool, text: &str) {
    let (tone, icon, word) =
        if good { (Tone::Good, Icon::Pass, "Good: ") } else { (Tone::Bad, Icon::Fail, "Bad: ") };
    let lead = format!("{}{word}", page.look.icon(icon));
    page.hanging(&lead, "   ", tone, text);
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vosim_protocol::record::ChainBreak;
    use vosim_protocol::v1::phrase::Phrase;
    use vosim_protocol::v1::session::Divergence;
    use vosim_protocol::v1::telling::Channel;
    use vosim_protocol::{EventId, Hash, phrase};

    use super::*;

    #[test]
    fn why_names_the_rule_its_inputs_and_the_rules_not_taken() {
        let input = |clause: &str, event_id| Input { clause: Phrase::said(clause), event_id };
        let explanation = Explanation {
            event_id: EventId(9),
            event_type: "HINT_GIVEN".to_owned(),
            telling: Telling::spoken(Channel::Interviewer, Phrase::said("Look at `get`.")),
            rule: phrase!("rule.hint.three"),
            inputs: vec![
                input("the last hint had level 1", Some(EventId(7))),
                input("3 different submissions had been judged", None),
            ],
            not_taken: vec![NotTaken {
                rule: phrase!("rule.hint.five"),
                reason: phrase!("not.hint.too_few", number = 3_u32),
            }],
        };
        insta::assert_snapshot!(why(&explanation, &Look::PLAIN), @r#"
        Event 9: HINT_GIVEN
        Look at get.

        Rule: Three submissions give at least level 2.

        It looked at:
          • The last hint had level 1 (event 7).
          • 3 different submissions had been judged.

        Not taken:
          • Five submissions give at least level 3: only 3 submissions count.
        "#);
    }

    #[test]
    fn a_replay_tells_what_it_found() {
        let good = ReplayReport {
            events: 12,
            phase: "done".to_owned(),
            view: json!({}),
            recomputed: 7,
            differs: None,
            chain: None,
            code_withheld: 1,
        };
        let bad = ReplayReport {
            differs: Some(Divergence {
                event_id: EventId(5),
                found: json!({ "hint_level": 3 }),
                computed: Some(json!({ "hint_level": 1 })),
                reason: "another hint level".to_owned(),
            }),
            ..good.clone()
        };
        assert!(replay_is_good(&good) && !replay_is_good(&bad));
        insta::assert_snapshot!(replay(&good, &Look::PLAIN) + &replay(&bad, &Look::PLAIN), @r#"
        12 events replayed. The session's phase: done.
        1 submission: code withheld, it has been deleted.
        ✅ Good: 7 decisions recomputed, all as in the log.
        12 events replayed. The session's phase: done.
        1 submission: code withheld, it has been deleted.
        ❌ Bad: Event 5: another hint level
           in the log: {"hint_level":3}
           computed:   {"hint_level":1}
        "#);
    }

    #[test]
    fn a_check_names_the_first_record_that_does_not_fit() {
        let whole = VerifyResult { records: 12, broken: None, head: Some(Hash::NONE) };
        let broken = ChainBreak { event_id: EventId(4), reason: "not a record".to_owned() };
        let broken = VerifyResult { records: 3, broken: Some(broken), head: None };
        insta::assert_snapshot!(verify(&whole, &Look::PLAIN) + &verify(&broken, &Look::PLAIN), @r#"
        ✅ Good: 12 records, unbroken. The last one is
           sha256:0000000000000000000000000000000000000000000000000000000000000000
        ❌ Bad: The log has been changed at event 4: not a record
        "#);
    }
}
