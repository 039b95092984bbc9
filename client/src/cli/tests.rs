//! The grammar: sound, told whole in the help, and kind to slips.

use std::collections::BTreeSet;

use vosim_protocol::Role;
use vosim_protocol::v1::assistant::AskKind;

use super::*;

#[test]
fn the_grammar_is_sound() {
    grammar().debug_assert();
}

/// The arguments of the commands below one that have the name of one of these options.
fn named_like(options: &[&str], above: &clap::Command) -> Vec<String> {
    let of = |command: &clap::Command| {
        let ids = command.get_arguments().map(|argument| argument.get_id().as_str());
        let mut found: Vec<_> = ids
            .filter(|id| options.contains(id))
            .map(|id| format!("{} {id}", command.get_name()))
            .collect();
        found.extend(named_like(options, command));
        found
    };
    above.get_subcommands().flat_map(of).collect()
}

#[test]
fn no_argument_is_taken_for_a_global_option() {
    let grammar = grammar();
    let globals = grammar.get_arguments().filter(|argument| argument.is_global_set());
    let globals: Vec<_> = globals.map(|argument| argument.get_id().as_str()).collect();
    assert!(globals.contains(&"session"), "{globals:?}");
    assert_eq!(named_like(&globals, &grammar), Vec::<String>::new());
}

#[test]
fn the_short_way_to_status_means_what_the_grammar_means() {
    let parsed = parse(["vosimctl", "status"]).unwrap();
    assert_eq!(format!("{:?}", bare_status()), format!("{parsed:?}"));
}

#[test]
fn the_help_shows_every_subcommand_in_one_group() {
    let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    let grammar = grammar();
    let shown = grammar.get_subcommands().filter(|command| !command.is_hide_set());
    let mut all: Vec<_> = shown.map(clap::Command::get_name).chain([HELP]).collect();
    grouped.sort_unstable();
    all.sort_unstable();
    assert_eq!(grouped, all);
}

#[test]
fn a_file_can_be_named_both_ways_but_not_twice() {
    let parsed = |args: &[&str]| parse([&["vosimctl", "submit"], args].concat());
    let file = |cli: Cli| match cli.command {
        Command::Submit(submit) => submit.file().unwrap().clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(file(parsed(&["a b.py"]).unwrap()), PathBuf::from("a b.py"));
    assert_eq!(file(parsed(&["--file", "a.py"]).unwrap()), PathBuf::from("a.py"));
    assert!(parsed(&["a.py", "--file", "b.py"]).is_err());
    assert!(
        matches!(parsed(&[]).unwrap().command, Command::Submit(submit) if submit.file().is_none())
    );
}

#[test]
fn a_mode_and_an_answer_are_taken_in_capital_letters_too() {
    for words in ["attempt mode EXPERT", "attempt start --mode Beginner", "attempt discover YES"] {
        assert!(parse(["vosimctl"].into_iter().chain(words.split(' '))).is_ok(), "{words}");
    }
    assert!(parse(["vosimctl", "attempt", "mode", "wizard"]).is_err());
}

#[test]
fn an_error_points_at_the_help_of_the_command_that_was_typed() {
    for (words, named) in [
        ("why x", "vosimctl why"),
        ("--json interview start --time 3", "vosimctl interview start"),
        ("say interview", "vosimctl say"),
        ("--no-start", "vosimctl"),
    ] {
        assert_eq!(named_in(words.split(' ').map(OsString::from)), named, "{words}");
    }
}

#[test]
fn global_options_stand_before_or_behind_the_subcommand() {
    for args in [["vosimctl", "--json", "status"], ["vosimctl", "status", "--json"]] {
        assert!(parse(args).unwrap().global.json);
    }
}

/// Commands with a use for `--session`, each with the arguments that it needs.
const ABOUT_A_SESSION: &[&str] = &[
    "submit",
    "test",
    "hint",
    "give-up",
    "result",
    "status",
    "end",
    "attempt mode beginner",
    "attempt understand",
    "attempt answer 1 yes",
    "attempt plan",
    "attempt discover yes",
    "attempt choose",
    "attempt approach words",
    "attempt watch",
    "attempt explain 1 words",
    "attempt trace",
    "attempt case add words",
    "attempt case list",
    "attempt case remove 1",
    "attempt stress a.py --against b.py",
    "attempt debug",
    "attempt note words",
    "attempt retry",
    "attempt challenge words",
    "attempt reflect",
    "attempt skip",
    "interview begin",
    "interview watch a.py",
    "interview unwatch",
    "interview say words",
    "interview ask words",
    "interview done",
    "say words",
    "ask words",
    "done",
    "task resume",
    "task pause",
    "task show",
    "task diff",
    "task recording",
    "task approve",
    "task deny",
    "task rewind 1",
    "task end",
    "log",
    "attach",
    "note words",
    "notes",
    "replay",
    "verify",
    "why",
    "code",
    "cancel",
    "report",
    "export",
    "problem show",
    "problem discussion",
    "diff",
    "delete",
];

/// Commands with no use for it.
const ABOUT_NONE: &[&str] = &[
    "start",
    "attempt start",
    "interview start",
    "task run",
    "task history",
    "task stats",
    "approvals",
    "list",
    "use 1f",
    "verify a.jsonl",
    "progress",
    "problems",
    "problems list",
    "problems new mine",
    "problems check mine",
    "problems harden lru_cache",
    "problems add mine",
    "problems remove lru_cache",
    "review",
    "schema check a.toml",
    "schema show",
    "backup copy",
    "restore copy",
    "quarantine",
    "quarantine list",
    "quarantine put-back 1",
    "quarantine erase 1",
    "store compact",
    "store stats",
    "config show",
    "protocol describe",
    "daemon start",
    "daemon stop",
    "daemon status",
    "doctor",
    "completions bash",
    "version",
    "man pages",
    "socket-path",
];

/// The commands below one that can be given, by their whole names.
fn given(above: &clap::Command, name: &str) -> BTreeSet<String> {
    let named = |command: &clap::Command| format!("{name} {}", command.get_name());
    let below = |command: &clap::Command| match command.has_subcommands() {
        true => given(command, &named(command)),
        false => BTreeSet::from([named(command)]),
    };
    above.get_subcommands().flat_map(below).collect()
}

#[test]
fn a_session_is_named_only_to_a_command_that_is_about_one() {
    let mut missing = given(&grammar(), "vosimctl");
    for (is_about, lines) in [(true, ABOUT_A_SESSION), (false, ABOUT_NONE)] {
        for line in lines {
            let typed = |before: &str| {
                let words = format!("vosimctl {before}{line}");
                parse(words.split(' ').map(OsString::from)).unwrap()
            };
            assert!(typed("").check().is_ok(), "{line}");
            assert_eq!(typed("--session 1f ").check().is_ok(), is_about, "{line}");
            missing.remove(&named_in(line.split(' ').map(OsString::from)));
        }
    }
    assert_eq!(missing, BTreeSet::new(), "in neither list");
}

#[test]
fn a_session_that_is_named_in_vain_is_a_misuse_with_a_step() {
    let told = |words: &str| {
        let cli = parse(words.split(' ').map(OsString::from)).unwrap();
        let failure = cli.check().unwrap_err();
        assert_eq!(failure.exit(), Exit::Fixable);
        let error = failure.text(Spelling::CommandLine).unwrap();
        format!("{} / {}", error.message, error.hint.unwrap())
    };
    let refused = "this command has no use for --session";
    assert_eq!(told("vosimctl start --session 1f"), format!("{refused} / Leave out --session"));
    assert_eq!(
        told("vosimctl use 1f --session 2f"),
        format!("{refused} / Name the session without the option: vosimctl use ID")
    );
    assert_eq!(
        told("vosimctl verify a.jsonl --session 1f"),
        format!("{refused} / Leave out --session, or the file")
    );
}

#[test]
fn a_role_is_named_both_ways() {
    for flag in ["--as", "--role"] {
        let cli = parse(["vosimctl", "attach", flag, "candidate"]).unwrap();
        assert!(matches!(cli.command, Command::Attach(Attach { role: Role::Candidate, .. })));
    }
    assert!(parse(["vosimctl", "attach", "--as", "judge"]).is_err());
}

#[test]
fn times_below_a_quarter_and_beyond_four_times_are_refused() {
    let start = |time: &str| {
        let args = ["vosimctl", "interview", "start", "--time", time];
        parse(args).map_err(|error| error.to_string())
    };
    for good in ["25", "50", "100", "400", "50%"] {
        assert!(start(good).is_ok(), "{good}");
    }
    for bad in ["24", "0", "401", "1.5", "x", "99999999999", "%"] {
        let told = start(bad).unwrap_err();
        assert!(told.contains("expected 25 to 400 percent of the schema's time"), "{told}");
    }
    for bad in ["-1", ""] {
        let told = start(bad).unwrap_err();
        assert!(told.contains("value") || told.contains("unexpected"), "{told}");
    }
}

#[test]
fn a_question_is_of_one_kind() {
    let parsed = |args: &[&str]| parse([&["vosimctl", "ask"], args].concat());
    let about = |cli: Cli| match cli.command {
        Command::Ask(ask) => (ask.about().0, ask.text.words.join(" ")),
        other => panic!("{other:?}"),
    };
    let asked = about(parsed(&["what", "is", "a", "heap"]).unwrap());
    assert_eq!(asked, (AskKind::Concept, "what is a heap".to_owned()));
    assert_eq!(about(parsed(&["--error", "-"]).unwrap()), (AskKind::Error, "-".to_owned()));
    assert_eq!(about(parsed(&["--code", "a.py", "x"]).unwrap()).0, AskKind::Code);
    assert!(parsed(&["--code", "a.py", "--error", "x"]).is_err());
}

#[test]
fn usage_errors_are_the_user_s_and_help_is_done() {
    let misuse = |args: &[&str]| exit_of(parse(args).unwrap_err().kind());
    assert_eq!(misuse(&["vosimctl", "--help"]), Exit::Done);
    assert_eq!(misuse(&["vosimctl", "help", "attempt", "start"]), Exit::Done);
    assert_eq!(misuse(&["vosimctl", "attempt", "help"]), Exit::Done);
    assert_eq!(misuse(&["vosimctl", "help", "no-such-command"]), Exit::Fixable);
    assert_eq!(misuse(&["vosimctl", "--version"]), Exit::Done);
    assert_eq!(misuse(&["vosimctl", "no-such-command"]), Exit::Fixable);
    assert_eq!(misuse(&["vosimctl", "why", "x"]), Exit::Fixable);
    assert_eq!(misuse(&["vosimctl"]), Exit::Fixable);
}

#[test]
fn help_takes_global_options_like_any_other_command() {
    let told = |line: &str| {
        let error = parse(line.split(' ')).unwrap_err();
        (exit_of(error.kind()), error.to_string())
    };
    for (word, option) in [
        ("vosimctl help --json", "vosimctl --help"),
        ("vosimctl help start --json", "vosimctl start --help"),
        ("vosimctl help start --color never --no-start", "vosimctl start --help"),
        ("vosimctl attempt help case --session 1f", "vosimctl attempt case --help"),
    ] {
        assert_eq!(told(word), told(option), "{word}");
        assert_eq!(told(word).0, Exit::Done, "{word}");
    }
    for line in ["vosimctl help frobnicate --json", "vosimctl help start --frobnicate"] {
        assert_eq!(told(line).0, Exit::Fixable, "{line}");
        assert!(told(line).1.contains("frobnicate'"), "{line}");
    }
    assert!(parse(["vosimctl", "say", "help", "--json"]).is_ok());
}

#[test]
fn a_misuse_is_a_sentence_with_what_is_missing_and_a_step_or_the_tip() {
    let told = |args: &[&str]| {
        let error = parse(args).unwrap_err();
        let object = misuse(&error.render().to_string()).unwrap();
        format!("{} / {}", object.message, object.hint.unwrap())
    };
    let all = [told(&["vosimctl", "use"]), told(&["vosimctl", "statsu"])];
    insta::assert_snapshot!(all.join("\n"), @"
    the following required arguments were not provided: <ID> / See: vosimctl use --help
    unrecognized subcommand 'statsu' / some similar subcommands exist: 'start', 'status'
    ");
}

#[test]
fn a_mistake_in_an_option_calls_it_as_it_was_typed() {
    let told = |option: &str| {
        let typed = ["vosimctl", "log", option, "judge"].map(OsString::from);
        let error = parse(typed.clone()).unwrap_err();
        misuse(&as_called(error.render().to_string(), &typed[1..])).unwrap().message
    };
    assert!(told("--as").contains("'--as <ROLE>'"), "{}", told("--as"));
    assert!(told("--role").contains("'--role <ROLE>'"), "{}", told("--role"));
}

#[test]
fn a_number_that_is_none_or_out_of_range_is_told_by_what_the_option_takes() {
    let told = |mistake: &str| plainly(mistake);
    let of = "invalid value 'x' for '--level <LEVEL>': ";
    assert_eq!(
        told(&format!("{of}invalid digit found in string")),
        format!("{of}it takes a whole number")
    );
    assert_eq!(
        told(&format!("{of}9 is not in 1..=4")),
        format!("{of}it takes a number from 1 to 4")
    );
    // What says it in words already stays.
    let named = "invalid value 'x' for '--as <ROLE>' [possible values: candidate, observer]";
    assert_eq!(told(named), named);
}
