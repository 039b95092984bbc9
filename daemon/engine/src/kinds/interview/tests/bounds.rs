//! What an interview holds at most, and that a script which fills it up finds a sentence, not a
//! view that no terminal can read.

use insta::assert_snapshot;
use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::frame::FRAME_MAX_BYTES;
use vosim_protocol::v1::effect::{Effect, EffectOutcome, Noticed, Saved};
use vosim_protocol::v1::interview::{Command, SAVES_MAX_BYTES, Spec};
use vosim_protocol::{BlobRef, Hash, Json, Role, Wire};

use super::script::{SESSION, Script, time};
use crate::failure::LoadError;
use crate::kinds::interview::Interview;
use crate::kinds::interview::sequence::DEPARTURES_MAX;
use crate::schema::spec;
use crate::session::{AnySession, Input, Session};

fn say(text: &str) -> Command {
    Command::Say { text: text.to_owned(), section: None }
}

#[test]
fn a_view_fits_into_a_frame_whatever_was_said() {
    let mut script = Script::play("00:00 begin");
    // Control characters take six bytes each.
    for _ in 0..32 {
        script.command(&say(&"\u{1}".repeat(8_000)), &[], time("00:10"));
    }
    let view = script.session.view(Role::Interviewer, time("00:11"));
    assert!(view.to_line().len() < FRAME_MAX_BYTES / 2);
}

#[test]
fn a_section_takes_so_much_talk_and_the_next_one_as_much_again() {
    let mut script = Script::play("00:00 begin");
    let much = "many words ".repeat(2_900);
    for _ in 0..8 {
        script.command(&say(&much), &[], time("00:10"));
    }
    script.output.clear();
    script.command(&say(&much), &[], time("00:11"));
    assert_snapshot!(script.output, @"! invalid_input: more than 256 KiB would have been said in this section | say it more briefly | wait for the time to run out");
    script.command(&say("A word more."), &[], time("00:12"));
    script.line("00:13 cover requirements");
    script.command(&Command::Done { section: None }, &[], time("00:14"));
    script.command(&say(&much), &[], time("00:15"));
    assert_eq!(script.output.lines().filter(|line| line.starts_with('!')).count(), 1);
    script.check();
}

#[test]
fn whoever_comes_and_goes_without_end_counts_as_there_and_may_go_on() {
    let mut script = Script::play("00:00 begin");
    let mut events = 0;
    for round in 0..2 * i64::from(DEPARTURES_MAX) {
        if round == i64::from(DEPARTURES_MAX) {
            events = script.lines.len();
        }
        for here in [true, false] {
            script.input(&Input::Presence(here), time("00:10").plus_micros(round));
        }
    }
    // The last one came and was not seen to go.
    assert_eq!(script.lines.len(), events + 1);
    script.command(&say("I am still here."), &[], time("00:20"));
    assert!(script.output.ends_with("until_deadline_micros=580000000\n"), "{}", script.output);
}

#[test]
fn a_spec_that_no_interview_can_follow_is_refused_when_it_is_read() {
    let refused = |spoil: fn(&mut Spec)| {
        let mut spec = spec();
        spoil(&mut spec);
        match Session::<Interview>::create(SESSION, &spec.to_line(), time("00:00")) {
            Err(LoadError::Spec { reason }) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(|spec| spec.schema.sections.clear()), "its schema has no section");
    let twice = refused(|spec| spec.schema.sections[1].id = spec.schema.sections[0].id.clone());
    assert_eq!(twice, "two sections of its schema have the same id");
    let eternal = refused(|spec| spec.accommodation.time_percent = u32::MAX);
    assert_eq!(eternal, "4294967295% of the time is more than may be granted");
    let instant = refused(|spec| spec.accommodation.time_percent = 0);
    assert_eq!(instant, "0% of the time is less than may be granted");
}

/// Saves as large as a file may be, until nobody waits for another one.
fn save_until_full(script: &mut Script) -> u64 {
    let bytes = SUBMISSION_MAX_BYTES as u64;
    let mut saves = 0;
    while let Some((effect, Effect::Watch(_))) = script.session.wanted_effects().pop() {
        saves += 1;
        let code =
            BlobRef { hash: Hash::of(&saves.to_string().into_bytes()), bytes, line_count: 1 };
        let at = time("26:00").plus_secs(i64::try_from(saves).unwrap());
        script.input(
            &Input::Outcome(
                effect,
                EffectOutcome::Watch(Ok(Noticed::Saved(Saved { code, modified: at }))),
            ),
            at,
        );
    }
    saves
}

#[test]
fn after_so_many_bytes_no_save_is_kept_and_the_file_still_counts_at_the_end() {
    let mut script = Script::play("00:00 begin\n25:30 watch /a.py");
    let view =
        |script: &Script| script.session.view(Role::Candidate, time("30:00"))["watched"].clone();
    assert_eq!(view(&script)["full"], Json::Null);
    assert_eq!(save_until_full(&mut script), SAVES_MAX_BYTES / SUBMISSION_MAX_BYTES as u64);
    assert_eq!(view(&script)["full"], true);
    assert!(!script.session.head().wants_waking);
    // Neither another look at the file nor another file gets more room.
    script.line("29:00 watch /b.py");
    assert_eq!(save_until_full(&mut script), 0);
    script.line("40:00 tick");
    script.line("40:01 captured #9");
    let submitted =
        script.events().into_iter().rfind(|e| e.event_type == "CANDIDATE_CODE_SUBMISSION");
    assert_eq!(submitted.unwrap().payload["file_path"], "/b.py");
    script.check();
}
