//! The grammar: sound, told whole in the help, and kind to slips.

use clap::CommandFactory as _;

use vosim_protocol::v1::assistant::AskKind;

use super::*;

#[test]
fn the_grammar_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn the_short_way_to_status_means_what_the_grammar_means() {
    let parsed = Cli::try_parse_from(["vosimctl", "status"]).unwrap();
    assert_eq!(format!("{:?}", bare_status()), format!("{parsed:?}"));
}

#[test]
fn the_help_names_every_subcommand_in_its_own_words() {
    for command in Cli::command().get_subcommands() {
        let about = command.get_about().unwrap().to_string();
        let line = format!("  {:<11}  {about}\n", command.get_name());
        assert!(HELP.contains(&line), "{line}");
    }
}

#[test]
fn a_file_can_be_named_both_ways_but_not_twice() {
    let parse = |args: &[&str]| Cli::try_parse_from([&["vosimctl", "submit"], args].concat());
    let file = |cli: Cli| match cli.command {
        Command::Submit(submit) => submit.file().unwrap().clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(file(parse(&["a b.py"]).unwrap()), PathBuf::from("a b.py"));
    assert_eq!(file(parse(&["--file", "a.py"]).unwrap()), PathBuf::from("a.py"));
    assert!(parse(&["a.py", "--file", "b.py"]).is_err());
    assert!(parse(&[]).is_err());
}

#[test]
fn global_options_stand_before_or_behind_the_subcommand() {
    for args in [["vosimctl", "--json", "status"], ["vosimctl", "status", "--json"]] {
        assert!(Cli::try_parse_from(args).unwrap().global.json);
    }
}

#[test]
fn a_role_is_named_both_ways() {
    for flag in ["--as", "--role"] {
        let cli = Cli::try_parse_from(["vosimctl", "attach", flag, "candidate"]).unwrap();
        assert!(matches!(cli.command, Command::Attach(Attach { role: Role::Candidate, .. })));
    }
    assert!(Cli::try_parse_from(["vosimctl", "attach", "--as", "judge"]).is_err());
}

#[test]
fn times_below_the_schema_s_and_beyond_four_times_are_refused() {
    let start = |time: &str| {
        let args = ["vosimctl", "interview", "start", "--time", time];
        Cli::try_parse_from(args).map_err(|error| error.to_string())
    };
    assert!(start("100").is_ok() && start("400").is_ok());
    for bad in ["99", "401", "-1", "1.5", "x", ""] {
        let told = start(bad).unwrap_err();
        assert!(told.contains("invalid value") || told.contains("unexpected"), "{told}");
    }
}

#[test]
fn a_question_is_of_one_kind() {
    let parse = |args: &[&str]| Cli::try_parse_from([&["vosimctl", "ask"], args].concat());
    let about = |cli: Cli| match cli.command {
        Command::Ask(ask) => (ask.about().0, ask.text.words.join(" ")),
        other => panic!("{other:?}"),
    };
    let asked = about(parse(&["what", "is", "a", "heap"]).unwrap());
    assert_eq!(asked, (AskKind::Concept, "what is a heap".to_owned()));
    assert_eq!(about(parse(&["--error", "-"]).unwrap()), (AskKind::Error, "-".to_owned()));
    assert_eq!(about(parse(&["--code", "a.py", "x"]).unwrap()).0, AskKind::Code);
    assert!(parse(&["--code", "a.py", "--error", "x"]).is_err());
}

#[test]
fn usage_errors_are_the_user_s_and_help_is_done() {
    let misuse = |args: &[&str]| exit_of(Cli::try_parse_from(args).unwrap_err().kind());
    assert_eq!(misuse(&["vosimctl", "--help"]), Exit::Done);
    assert_eq!(misuse(&["vosimctl", "--version"]), Exit::Done);
    assert_eq!(misuse(&["vosimctl", "no-such-command"]), Exit::Fixable);
    assert_eq!(misuse(&["vosimctl", "why", "x"]), Exit::Fixable);
    assert_eq!(misuse(&["vosimctl"]), Exit::Fixable);
}

#[test]
fn a_misuse_as_data_keeps_what_is_missing_and_the_tip() {
    let told = |args: &[&str]| {
        let error = Cli::try_parse_from(args).unwrap_err();
        let object = misuse(&error.render().to_string()).unwrap();
        format!("{} / {}", object.message, object.hint.unwrap())
    };
    let all = [told(&["vosimctl", "test"]), told(&["vosimctl", "statsu"])];
    insta::assert_snapshot!(all.join("\n"), @"
    the following required arguments were not provided: <FILE> / See: vosimctl --help
    unrecognized subcommand 'statsu' / some similar subcommands exist: 'start', 'status'
    ");
}
