//! An error: what is wrong, and below it what to do (000: error messages).

use vosim_protocol::ErrorObject;

use crate::render::look::{Icon, Look, Tone};
use crate::render::page::Page;
use crate::render::text::sentence;

pub(crate) fn draw(error: &ErrorObject, look: &Look) -> String {
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
        page.say(Tone::Plain, &sentence(hint));
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use vosim_protocol::ErrorCode;

    use super::*;
    use crate::errors::{Failure, Fault};
    use crate::render::look::Charset;

    #[test]
    fn an_error_is_one_clear_line_and_the_next_step() {
        let error = ErrorObject::new(ErrorCode::NoActiveSession, "no active interview session.")
            .hint("Start a new session with: vosimctl start");
        insta::assert_snapshot!(draw(&error, &Look::PLAIN), @r#"
        ❌ Error: No active interview session.
        Start a new session with: vosimctl start
        "#);
    }

    #[test]
    fn errors_of_the_client_itself() {
        let faults = [
            Fault::FileMissing { path: "missing.py".to_owned() },
            Fault::Directory { path: "src".to_owned() },
            Fault::Binary { path: "a.pyc".to_owned(), at: 2 },
            Fault::TooLarge { path: "a.py".to_owned(), bytes: 600_000 },
            Fault::UnknownLanguage { path: "a.txt".to_owned() },
            Fault::NotRunning { socket: "/run/user/7/vosim/vosimd.sock".into() },
            Fault::StaleSocket { socket: "/run/user/7/vosim/vosimd.sock".into() },
            Fault::SocketPathTooLong { path: "/x/long".into(), bytes: 130 },
            Fault::StartFailed { reason: "the store is damaged".to_owned() },
        ];
        let look = Look { charset: Charset::Ascii, ..Look::PLAIN };
        let text: String = faults
            .into_iter()
            .map(|fault| draw(&Failure::from(fault).object().unwrap(), &look))
            .collect();
        insta::assert_snapshot!(text, @r#"
        Error: File not found: missing.py
        Error: This is a directory, not a file: src
        Error: This is not a program text, its byte 2 is zero: a.pyc
        Submit the source file, saved as text.
        Error: The file has 600000 bytes, a submission may have 524288 (512 KiB): a.py
        Error: The name a.txt does not tell the language
        Say it with --language python or --language javascript.
        Error: The daemon is not running: nothing listens on
          /run/user/7/vosim/vosimd.sock
        Start it with: vosimctl daemon start
        Error: The daemon is not running: /run/user/7/vosim/vosimd.sock is left from one
          that is gone
        Start it with: vosimctl daemon start
        Error: The socket path has 130 bytes, 107 are possible: /x/long
        Name a shorter path in VOSIM_SOCKET.
        Error: The daemon could not be started: the store is damaged
        Look closer with: vosimctl doctor
        "#);
    }

    #[test]
    fn a_long_error_is_broken_between_words_and_where_it_is_narrow_too() {
        let fault = Fault::Elsewhere { socket: "/run/user/7/vosim/vosimd.sock".into() };
        let look = Look { width: 40, ..Look::PLAIN };
        insta::assert_snapshot!(draw(&Failure::from(fault).object().unwrap(), &look), @r#"
        ❌ Error: The daemon of this data runs
          already, on another socket:
          /run/user/7/vosim/vosimd.sock
        Speak to it with:
        VOSIM_SOCKET=/run/user/7/vosim/vosimd.sock
        vosimctl ...
        "#);
    }

    #[test]
    fn in_words_alone_no_picture_is_read_aloud() {
        let fault = Fault::FileMissing { path: "missing.py".to_owned() };
        let drawn = draw(&Failure::from(fault).object().unwrap(), &Look::PLAIN.in_words());
        assert_eq!(drawn, "Error: File not found: missing.py\n");
    }

    #[test]
    fn foreign_text_in_an_error_is_harmless() {
        let error = ErrorObject::new(ErrorCode::BadPath, "cannot read \u{1b}]0;x\u{7}.py");
        assert!(!draw(&error, &Look::PLAIN).contains('\u{1b}'));
    }
}
