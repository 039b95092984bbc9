//! An error: what is wrong, and below it what to do (000: error messages).

use crate::errors::ErrorText;
use crate::render::look::{Icon, Look, Tone};
use crate::render::page::Page;
use crate::render::text::sentence;

pub(crate) fn draw(error: &ErrorText, look: &Look) -> String {
    let mut page = Page::new(look).whole_words();
    // The lead is painted afterwards, since colour in it would count as width.
    let icon = look.icon(Icon::Fail);
    let (lead, painted) =
        (format!("{icon}Error: "), format!("{icon}{} ", look.paint(Tone::Bad, "Error:")));
    let mut message = Page::new(look).whole_words();
    message.hanging(&lead, "  ", Tone::Plain, &sentence(&error.message));
    for line in message.finish().replacen(&lead, &painted, 1).lines() {
        page.raw(line);
    }
    if let Some(hint) = &error.hint {
        for line in hint.lines() {
            page.say(Tone::Plain, &sentence(line));
        }
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use vosim_protocol::next::{Action, Next};
    use vosim_protocol::{ErrorCode, ErrorObject};

    use super::*;
    use crate::code_file::unknown_language;
    use crate::connection::{ConnectError, Connection};
    use crate::errors::{Failure, user_error};
    use crate::files;
    use crate::launch::on_another_socket;
    use crate::render::look::Charset;
    use crate::spelling::Spelling;

    #[test]
    fn an_error_is_one_clear_line_and_the_next_step() {
        let start = Next::run("start a new session", Action::StartDrill);
        let error = ErrorObject::new(ErrorCode::NoActiveSession, "no active interview session.");
        let failure = Failure::from(error.next(start));
        insta::assert_snapshot!(drawn(&failure, &Look::PLAIN), @r#"
        ❌ Error: No active interview session.
        Start a new session with: vosimctl start
        "#);
    }

    fn drawn(failure: &Failure, look: &Look) -> String {
        draw(&failure.text(Spelling::CommandLine).unwrap(), look)
    }

    #[test]
    fn errors_of_the_client_itself() {
        let opened = |socket: &str| match Connection::open(Path::new(socket), &[]) {
            Err(
                ConnectError::Nobody(failure)
                | ConnectError::Unusable(failure)
                | ConnectError::NoSocket(failure),
            ) => failure,
            Ok(_) => panic!("{socket} is there"),
        };
        let failures = [
            files::missing(Path::new("missing.py")),
            files::is_directory(Path::new("src")),
            unknown_language(Path::new("a.txt")),
            opened("/nowhere/vosim/vosimd.sock"),
            opened(&format!("/tmp/{}", "x".repeat(104))),
        ];
        let look = Look { charset: Charset::Ascii, ..Look::PLAIN };
        let text: String = failures.iter().map(|failure| drawn(failure, &look)).collect();
        insta::assert_snapshot!(text, @r#"
        Error: File not found: missing.py
        Error: This is a directory, not a file: src
        Error: The language cannot be told from the name a.txt
        Name it with --language python, --language javascript or --language typescript
        Error: The daemon is not running: nothing listens on /nowhere/vosim/vosimd.sock
        Start it with: vosimctl daemon start
        Error: The socket path has 109 bytes; at most 107 are possible:
          /tmp/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        Name a shorter path in VOSIM_SOCKET
        "#);
    }

    #[test]
    fn a_long_error_is_broken_between_words_and_where_it_is_narrow_too() {
        let failure = on_another_socket(Path::new("/run/user/7/vosim/vosimd.sock"));
        let look = Look { width: 40, ..Look::PLAIN };
        insta::assert_snapshot!(drawn(&failure, &look), @r#"
        ❌ Error: The daemon of this data is
          already running, on another
          socket:
          /run/user/7/vosim/vosimd.sock
        Reach it with:
        VOSIM_SOCKET=/run/user/7/vosim/vosimd.sock
        vosimctl ...
        "#);
    }

    #[test]
    fn in_words_alone_no_picture_is_read_aloud() {
        let drawn = drawn(&files::missing(Path::new("missing.py")), &Look::PLAIN.in_words());
        assert_eq!(drawn, "Error: File not found: missing.py\n");
    }

    #[test]
    fn foreign_text_in_an_error_is_harmless() {
        let failure = user_error(ErrorCode::BadPath, "cannot read \u{1b}]0;x\u{7}.py");
        assert!(!drawn(&failure, &Look::PLAIN).contains('\u{1b}'));
    }
}
