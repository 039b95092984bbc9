//! The scenarios of 001 section 13 and the rules of DECISIONS 9 to 14, as scripts and the logs they
//! lead to. Every script is also replayed: each decision follows from its inputs.

mod belonging;
mod bounds;
mod ends;
mod followups;
mod forged;
mod growth;
mod rewording;
mod script;
mod teaching;
mod testimony;
mod typing;
mod variations;
mod why;

use insta::assert_snapshot;
use vosim_protocol::v1::effect::Effect;
use vosim_protocol::v1::interview::{Accommodation, Command, View};
use vosim_protocol::{CommandId, Json, Role, Wire};

use crate::rejection::Rejection;
use crate::schema::spec;
use crate::session::{Advance, Answer, AnySession, CommandInput, Input};
use script::{Script, log, time};

/// The lines of a log that hold one of these.
fn only(log: &str, types: &[&str]) -> String {
    let holds = |line: &&str| types.iter().any(|kind| line.contains(kind));
    log.lines().filter(holds).collect::<Vec<_>>().join("\n")
}

#[test]
fn normal_flow_completes_all_sections() {
    assert_snapshot!(log("
        00:00 here
        00:00 begin
        00:30 cover requirements constraints
        00:40 tick
        01:00 cover metrics
        01:30 view
        01:40 tick
        02:00 cover approach complexity failure_modes tradeoffs
        02:30 tick
        03:00 watch /home/me/lru.py
        04:00 saved #1
        04:10 submit /home/me/lru.py #1
        04:12 verdict 5/12
        04:20 say Only 5 of 12 tests pass, the rest fail.
        04:30 tick
        05:00 hint
        05:30 test /home/me/lru.py #2
        05:31 tried 1/1
        06:00 submit /home/me/lru.py #2
        06:01 verdict 12/12
        06:05 view interviewer
        06:10 say All 12 tests pass now.
        06:20 cover correctness
        06:50 tick
        06:50 captured #2
        07:00 cover reflection
        07:30 tick
        07:31 view
    "));
}

#[test]
fn candidate_never_responds_times_out_each_section_and_completes() {
    // The daemon was down from the first minute on: the passed sections end at their right times.
    assert_snapshot!(log("
        00:00 begin
        50:00 tick
        50:00 say Am I late?
    "));
}

#[test]
fn a_tick_every_second_gives_the_log_of_one_tick_at_the_end() {
    let once = Script::play("00:00 begin\n 00:20 cover requirements\n 50:00 tick");
    let mut often = Script::play("00:00 begin\n 00:20 cover requirements");
    for second in 21..3_000 {
        often.line(&format!("{:02}:{:02} tick", second / 60, second % 60));
    }
    // Words come when they come; everything else is the same, byte for byte in its payload.
    let told = |script: &Script| {
        let events = script.events().into_iter();
        let lasting = events.filter(|event| !event.event_type.ends_with("_PRESENTED"));
        lasting.map(|event| (event.event_type, event.timestamp)).collect::<Vec<_>>()
    };
    assert_eq!(told(&often), told(&once));
}

#[test]
fn candidate_responds_late_within_and_after_the_grace() {
    assert_snapshot!(log("
        00:00 begin
        10:00 tick
        10:14.9 say @frame The input is a key and the output is 1 value, as I said.
        10:14.95 say This names no section and still belongs to the one before.
        10:14.96 say @design This names the current one.
        10:15 say The very last instant counts as late.
        10:15.1 say Now it belongs to the design.
        10:15.2 say @frame The grace is over, so this is attached to the next section.
        10:16 say @build It has not begun.
        10:16 say @nowhere There is no such section.
    "));
}

#[test]
fn a_section_that_ended_before_its_time_has_no_grace() {
    assert_snapshot!(only(
        &log("
        00:00 begin
        01:00 cover requirements constraints metrics
        01:05 done
        01:06 say This belongs to the design section at once.
    "),
        &["SECTION_", "MESSAGE"]
    ));
}

#[test]
fn late_messages_of_the_last_section_are_taken_while_closing() {
    assert_snapshot!(
        log("
        00:00 begin
        44:59 tick
        45:00 view
        45:05 say One more thing that I learned today is late.
        45:05.5 say @build It was begun in an earlier section.
        45:06 done
        45:06 submit a.py #1
        45:06 end
        45:15.000001 view
        45:16 say Too late.
    ")
        .lines()
        .skip_while(|line| !line.contains("45:00"))
        .collect::<Vec<_>>()
        .join("\n")
    );
}

#[test]
fn candidate_disconnects_mid_section_and_the_time_runs_on() {
    assert_snapshot!(log("
        00:00 here
        00:00 begin
        02:00 gone
        02:05 view
        02:09 here
        03:00 gone
        03:10 view
        05:00 here
        06:00 gone
        07:00 say I go on through a single command.
        08:00 here
        08:30 gone
        08:35 say A command within the ten seconds resumes too.
        10:00 tick
    "));
}

#[test]
fn candidate_tries_to_skip_and_is_asked_for_a_minimum_once() {
    assert_snapshot!(log("
        00:00 begin
        00:10 done
        00:30 say fine
        00:40 say What about the frame? What about the frame? What about the frame?
        01:10 done
        01:20 done
        01:30 say I would use a hash map for the lookup and a linked list for the order, first the map, then the list, since both steps are constant: the map gives the node, the list moves it, and nothing else depends on the size of the cache at all.
        01:40 done
        01:50 done
        02:00 submit a.py #1
        02:01 done
        02:02 verdict 5/12
        02:03 done
        02:10 done
        02:20 say Next time I would write my own test for capacity one before anything else.
        02:30 done
    "));
}

#[test]
fn followup_budget_exhausted_leaves_the_section_open_without_questions() {
    let log = log("
        00:00 begin
        00:10 say Well, let me think about this one.
        00:15 say I am still thinking about it.
        00:20 say And I am thinking some more.
        00:25 say And there is what comes next here.
        00:35 say Anything else, or shall we go on?
        00:50 say So there are no more questions now.
        10:00 tick
    ");
    assert_snapshot!(only(&log, &["FOLLOWUP_", "SECTION_"]));
}

#[test]
fn interviewer_model_fails_and_the_text_of_the_schema_is_used() {
    assert_snapshot!(log("
        00:00 manual
        00:00 begin
        00:01 wanted
        00:01 words !the model did not answer within 3 s
        00:02 wanted
        00:03 words !the model did not answer within 3 s
        00:10 say I think about this one for a while.
        00:15 tick
        00:15 words !broken
        00:16 words And question 1 about requirements, with a reason?
        00:20 say I think about this one some more.
        00:25 tick
        00:25 words Two questions? At once?
        00:26 words  
        00:30 say I think about this one once more.
        00:35 tick
    "));
}

#[test]
fn a_slow_model_never_holds_up_the_clock() {
    let log = log("
        00:00 manual
        00:00 begin
        10:20 tick
        10:20 wanted
        10:30 view
    ");
    assert_snapshot!(log);
}

#[test]
fn a_coding_section_with_failing_tests_does_not_end_as_covered() {
    let log = log("
        00:00 begin
        00:10 cover requirements constraints metrics
        00:40 tick
        00:50 cover approach complexity failure_modes tradeoffs
        01:20 tick
        02:00 submit a.py #1
        02:01 verdict 11/12
        02:05 test a.py #1
        02:06 tried 0/1
        02:10 say 11 of 12 tests pass and 1 fails.
        02:20 cover correctness
        03:30 view interviewer
        04:00 submit a.py #2
        04:01 verdict 12/12
        04:10 submit a.py #3
        04:11 verdict 3/12
        05:00 view
        05:10 submit a.py #2 again
        05:11 verdict 12/12
        05:20 saved_never tick
    "
    .replace("05:20 saved_never tick", "05:32 tick")
    .as_str());
    assert_snapshot!(only(&log, &["COVERAGE_SATISFIED", "SECTION_ENDED", "EVAL_RESULT", "view"]));
}

#[test]
fn a_declined_question_never_returns() {
    let log = log("
        00:00 begin
        00:10 say I would begin with this one first.
        00:15 tick
        00:20 say I don't know
        00:25 tick
        00:30 say pass
        00:35 tick
        00:40 say no idea
        00:45 tick
        00:50 say Let me think about this one again.
        09:00 tick
    ");
    assert_snapshot!(only(&log, &["FOLLOWUP_SELECTED", "declined"]));
}

#[test]
fn no_question_while_a_run_is_going_or_right_after_a_save() {
    let log = log("
        00:00 watch /a.py
        00:00 begin
        00:10 cover requirements constraints metrics
        00:40 tick
        00:50 cover approach complexity failure_modes tradeoffs
        01:20 tick
        02:00 say I begin with the map and then the list of nodes.
        02:03 saved #1
        02:12 saved #2
        02:21 saved #3
        02:30 submit /a.py #3
        03:30 tick
        03:40 verdict 5/12
        03:50 tick
    ");
    assert_snapshot!(only(&log, &["FOLLOWUP_", "SAVED", "EVAL_RESULT"]));
}

#[test]
fn the_watched_file_is_submitted_at_the_deadline() {
    let script = "
        00:00 watch /a.py
        00:00 begin
        30:00 saved #1
        40:00 tick
        40:00 wanted
    ";
    let after = |rest: &str| {
        let log = log(&format!("{script}{rest}"));
        let from = log.lines().skip_while(|line| !line.contains("SOLUTION_SAVED"));
        from.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(after(
        "
        40:01 captured #2
        40:02 verdict 12/12
        40:03 watch /a.py
    "
    ));
    let kept = ["SUBMISSION", "UNWATCHED"];
    assert_snapshot!("only_the_last_save", only(&after("40:01 captured -"), &kept));
    assert_snapshot!("captured_late", only(&after("42:01 captured #2 late"), &kept));
    let twice =
        log(&script
            .replace("40:00 tick", "31:00 submit /a.py #1\n 31:01 verdict 3/12\n 40:00 tick"));
    assert_snapshot!("nothing_new", only(&twice, &["wanted"]));
}

#[test]
fn what_came_in_the_last_instant_is_judged_before_the_end() {
    let log = log("
        00:00 begin
        39:59 submit a.py #1
        40:10 say Next time I would test capacity one before I write anything else at all.
        40:16 say Next time I would test capacity one before I write anything else at all.
        40:20 done
        40:30 verdict 12/12
    ");
    assert_snapshot!(only(&log, &["SUBMISSION", "EVAL_RESULT", "SECTION_ENDED", "COMPLETED"]));
}

#[test]
fn the_assistant_answers_beside_the_interview_and_changes_nothing() {
    assert_snapshot!(log("
        00:00 ask concept What is a linked list?
        00:00 begin
        00:10 ask concept What is a linked list?
        00:11 ask concept And a heap?
        00:12 wanted
        00:20 cover requirements constraints metrics
        00:50 answer A list whose elements each know the next one.
        00:55 ask concept What is the answer to everything?
        00:56 answer -
        01:00 ask code Why does it fail?
        01:01 ask error  
    "));
}

#[test]
fn a_clarifying_question_is_answered_from_its_card() {
    let log = log("
        00:00 begin
        00:10 say Is a missing key an error?
        00:20 say And is a missing key always an error?
        00:30 say A missing key is no error.
    ");
    assert_snapshot!(only(&log, &["MESSAGE", "CLARIFICATION"]));
}

#[test]
fn every_question_is_answered_at_once_and_what_only_sounds_like_one_is_an_answer() {
    let log = log("
        00:00 begin
        00:05 say And blue?
        00:10 say Sorry, could you repeat the question?
        00:20 say give me a minute to think please
        00:30 say How much time do I have left?
        00:40 say Is that right so far?
        00:50 say Should it be safe for several threads?
        01:00 say Can keys be missing or negative?
        01:10 say the second
        01:20 say the second
        01:30 say I guess get is O(1)?
        01:40 say What happens on a miss? We return -1.
        01:50 say Is the florbnix quantal?
    ");
    assert_snapshot!(only(&log, &["MESSAGE", "CLARIFICATION", "INQUIRY"]));
}

#[test]
fn what_is_told_beside_a_question_asks_for_no_card() {
    let log = log("
        00:00 begin
        00:10 say A missing key is an error, I think. Is v1.5 of it wanted?
        00:20 say I see. Or is a missing key no error? That matters.
    ");
    assert_snapshot!(only(&log, &["MESSAGE", "CLARIFICATION"]));
}

#[test]
fn the_same_message_id_sent_twice_is_one_message() {
    let mut script = Script::play("00:00 begin");
    let say = |text: &str| Command::Say { text: text.to_owned(), section: None };
    script.command_as(100, &say("The same thing."), &[], time("00:10"));
    script.command_as(100, &say("The same thing."), &[], time("00:20"));
    script.command_as(100, &say("Another thing."), &[], time("00:30"));
    assert_snapshot!(script.output);
    script.check();
}

#[test]
fn daemon_down_across_two_section_ends() {
    // Nothing reaches the session for 26 minutes; then a message does.
    let down = log("
        00:00 begin
        00:20 cover requirements
        26:20 say I was gone for a while, where are we now?
    ");
    assert_snapshot!(only(&down, &["SECTION_", "CANDIDATE_MESSAGE"]));
    let looked_at = (1..=1_580).map(|secs| format!("{:02}:{:02} tick\n", secs / 60, secs % 60));
    let (before, after): (Vec<_>, Vec<_>) = looked_at.partition(|line| line.as_str() < "00:20");
    let up = log(&format!(
        "00:00 begin\n{}00:20 cover requirements\n{}26:20 say I was gone for a while, where are \
         we now?",
        before.concat(),
        after.concat(),
    ));
    // Whether somebody looked makes no difference to the sections, their times and warnings.
    let sections = |log: &str| -> Vec<String> {
        let lines = only(log, &["SECTION_STARTED", "SECTION_TIME", "SECTION_ENDED"]);
        lines.lines().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
    };
    assert_eq!(sections(&up), sections(&down));
}

#[test]
fn whoever_only_asks_is_answered_and_not_asked() {
    let asked = log("
        00:00 begin
        00:10 say Can keys be strings?
        00:40 say Are there several threads?
        01:10 tick
        01:20 say Then I would keep the keys in a map of their own.
        01:40 tick
    ");
    assert_snapshot!(only(&asked, &["MESSAGE", "FOLLOWUP"]));
}

#[test]
fn done_ends_the_section_that_was_meant_and_no_other() {
    let mut script = Script::play("00:00 begin\n10:16 tick");
    script.output.clear();
    let done = |section: &str| Command::Done { section: Some(section.to_owned()) };
    script.command(&done("frame"), &[], time("10:17"));
    assert_snapshot!(script.output, @"! invalid_transition: cannot end the section in current state: the one that was meant is not open | see where you are (Status)");
    script.command(&done("design"), &[], time("10:18"));
    assert!(script.output.contains("CONTENT_REQUESTED section_id=\"design\""), "{}", script.output);
    script.check();
}

// 001 7.1
#[test]
fn what_is_kept_of_a_section_goes_with_the_words_of_the_next_ones() {
    let script = Script::play("00:00 begin\n00:10 cover requirements\n10:14 manual\n10:16 tick");
    let kept = "The input is one key, and each operation gives the caller exactly 1 value back, \
                or -1.";
    let wanted = script.session.wanted_effects();
    // Asked for before the first section was sealed, and still wanted.
    assert!(matches!(&wanted[0].1, Effect::Word(word) if word.context == [kept]));
    for role in [Role::Candidate, Role::Interviewer] {
        let view = View::from_json(script.session.view(role, time("10:17"))).unwrap();
        let summaries: Vec<_> = view.sections.iter().map(|section| &*section.summary).collect();
        assert_eq!(summaries[0].iter().map(|s| s.text.as_str()).collect::<Vec<_>>(), [kept]);
        assert!(summaries[1..].iter().all(|summary| summary.is_empty()));
    }
}

#[test]
fn two_terminals_answering_at_once() {
    let mut script = Script::play("00:00 begin\n00:05 here");
    let seen = script.events().last().unwrap().event_id;
    for (id, text) in [(100, "What the one terminal says."), (101, "What the other one says.")] {
        let say = Command::Say { text: text.to_owned(), section: None };
        script.command_as(id, &say, &[], time("00:10"));
    }
    // Both are heard, in the order in which they came; a client that had asked to be told would
    // learn that the session has moved on.
    assert_snapshot!(only(&script.output, &["CANDIDATE_"]));
    let text = ("text".to_owned(), Json::from("What I say if nobody else did."));
    let args = Json::from_iter([text]);
    let command = CommandInput {
        id: CommandId(uuid::Uuid::from_u128(102)),
        if_cursor: Some(seen),
        name: "say",
        args: &args,
        blobs: &[],
        role: Role::Candidate,
    };
    let input = Input::Command(command);
    let Advance { records, answer, .. } = script.session.advance(&input, time("00:10"));
    assert!(records.is_empty());
    assert!(matches!(answer, Answer::Refused(Rejection::Conflict { .. })), "{answer:?}");
    script.check();
}

#[test]
fn the_clock_set_forward_and_back_by_an_hour_takes_and_gives_no_time() {
    let stepped = log("
        00:00 begin
        01:00 step 3600
        02:00 view
        05:00 step -7200
        06:00 view
        09:59.9 tick
        10:00.1 tick
        12:00 view
    ");
    assert_snapshot!(only(&stepped, &["view", "CLOCK", "SECTION_"]));
}

#[test]
fn extra_time_moves_sections_and_warnings_along() {
    let mut spec = spec();
    spec.accommodation = Accommodation { time_percent: 150, larger_warnings: true };
    let played = Script::play_with(&spec, "00:00 begin\n 70:00 tick");
    played.check();
    assert_snapshot!(only(&played.output, &["SECTION_STARTED", "WARNING", "SECTION_ENDED"]));
    let created = &played.events()[1].payload;
    assert_eq!(created["total_ms"], Json::from(45 * 60_000 * 3 / 2));
}

#[test]
fn leaving_seals_what_there_is() {
    assert_snapshot!(log("
        00:00 end
        00:01 begin
    "));
    assert_snapshot!(
        "in_the_middle",
        log("
        00:00 begin
        00:20 cover requirements
        00:30 end
        00:31 say Hello?
    ")
    );
}

#[test]
fn what_each_phase_refuses_and_what_to_do_instead() {
    assert_snapshot!(
        log("
        00:00 say hello
        00:00 done
        00:00 submit a.py #1
        00:00 hint
        00:00 unwatch
        00:00 watch relative.py
        00:01 begin
        00:02 begin
        00:03 submit a.py #1
        00:04 test a.py #1
        00:05 hint
        00:06 say   
        25:00 tick
        25:01 hint
        25:02 submit a.py #1
        25:03 submit a.py #2
        25:04 hint
        25:05 done
        25:06 verdict 12/12
        25:07 submit a.py #1
        25:08 hint
        40:20 submit a.py #2
    ")
        .lines()
        .filter(|line| line.starts_with('!'))
        .collect::<Vec<_>>()
        .join("\n")
    );
}

#[test]
fn a_message_outside_its_bounds_is_refused() {
    let mut script = Script::play("00:00 begin");
    let say = |text: String| Command::Say { text, section: None };
    script.output.clear();
    script.command(&say("x".repeat(32 * 1024 + 1)), &[], time("00:10"));
    script.command(&say("\u{1}".repeat(10_000)), &[], time("00:11"));
    assert_snapshot!(script.output, @r"
    ! too_large: the message has 32769 bytes, more than 32768 | make it smaller, then try again
    ! too_large: the message has 60000 bytes, more than 49152 | make it smaller, then try again
    ");
    script.command(&say("x ".repeat(16 * 1024)), &[], time("00:12"));
    script.command(&say("\u{1b}[31mred\u{7}".to_owned()), &[], time("00:13"));
    let events = script.events();
    assert_eq!(events[events.len() - 1].payload["text"], Json::from("\u{1b}[31mred\u{7}"));
    script.check();
}
