//! What goes in and out: standard streams, the channel, environment, files.

use std::io::Write as _;

use vosim_sandbox_spec::Verdict;

use crate::harness::{Helper, printed, run, spec};

#[test]
fn the_environment_is_exactly_the_given_one() {
    let mut asked = spec("import posix; print(sorted(posix.environ))");
    asked.env =
        [("LC_ALL".to_owned(), "C.UTF-8".to_owned()), ("A".to_owned(), String::new())].into();
    assert_eq!(run(&asked).stdout.head, "[b'A', b'LC_ALL']\n");
}

#[test]
fn standard_input_is_the_given_text_or_empty() {
    let mut asked = spec("import sys; print(repr(sys.stdin.read()))");
    assert_eq!(run(&asked).stdout.head, "''\n");
    asked.stdin = Some("a\nb".to_owned());
    assert_eq!(run(&asked).stdout.head, "'a\\nb'\n");
}

#[test]
fn only_the_three_streams_are_open() {
    let code = "import posix\nfound = []\nfor fd in range(1024):\n\
                \x20try: posix.fstat(fd); found.append(fd)\n except OSError: pass\nprint(found)";
    assert_eq!(printed(code), "[0, 1, 2]");
}

#[test]
fn the_channel_is_descriptor_3_and_closes_with_the_program() {
    let mut asked = spec("import posix; posix.write(3, posix.read(3, 9)[::-1])");
    asked.channel = true;
    let mut helper = Helper::start();
    helper.ask(&asked);
    helper.channel.write_all(b"abc").unwrap();
    assert_eq!(helper.channel_text(), "cba");
    assert_eq!(helper.report().verdict, Verdict::Ok);
}

#[test]
fn bytes_of_any_kind_give_a_valid_report() {
    let code =
        "import posix; posix.write(1, b'a\\0\\xff\\xed\\xa0\\x80z'); posix.write(2, b'\\x1b[2J')";
    let report = run(&spec(code));
    assert_eq!(report.verdict, Verdict::Ok);
    assert!(report.stdout.head.starts_with("a\0\u{fffd}") && report.stdout.head.ends_with('z'));
    assert_eq!((report.stdout.bytes, report.stderr.head.as_str()), (7, "\u{1b}[2J"));
}

#[test]
fn closing_the_streams_is_no_failure() {
    let report = run(&spec(
        "import posix\nfor fd in range(9):\n try: posix.close(fd)\n except OSError: pass\nposix._exit(0)",
    ));
    assert_eq!((report.verdict, report.stdout.bytes), (Verdict::Ok, 0));
}

#[test]
fn output_before_a_limit_is_kept() {
    let mut asked = spec("print('so far', flush=True)\nwhile True: pass");
    asked.limits.cpu_ms = 200;
    assert_eq!(run(&asked).stdout.head, "so far\n");
}

#[test]
fn the_request_s_files_stand_in_the_working_directory_read_only() {
    let mut asked = spec(
        "import posix\nprint(posix.getcwd(), posix.listdir('.'), open('größe a.txt').read())\n\
         try: open('größe a.txt', 'a')\nexcept OSError: print('read-only')",
    );
    asked.files = [("größe a.txt".to_owned(), "text".to_owned())].into();
    asked.env.insert("LC_ALL".to_owned(), "C.UTF-8".to_owned());
    assert_eq!(run(&asked).stdout.head, "/work ['größe a.txt'] text\nread-only\n");
}
