//! Input and output of a program: standard streams, the channel, environment, files.

use std::io::Write as _;

use vosim_sandbox_spec::Verdict;

use crate::harness::{Helper, run, spec};

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
fn the_request_s_files_stand_in_the_working_directory_read_only() {
    let mut asked = spec(
        "import posix\nprint(posix.getcwd(), posix.listdir('.'), open('größe a.txt').read())\n\
         try: open('größe a.txt', 'a')\nexcept OSError: print('read-only')",
    );
    asked.files = [("größe a.txt".to_owned(), "text".to_owned().into())].into();
    asked.env.insert("LC_ALL".to_owned(), "C.UTF-8".to_owned());
    assert_eq!(run(&asked).stdout.head, "/work ['größe a.txt'] text\nread-only\n");
}
