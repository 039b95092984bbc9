//! Keys come out of what terminals send, whole or in pieces, and nothing else does.

use proptest::prelude::*;

use super::*;

/// What bytes are, as one would write it down.
fn read(bytes: &[u8]) -> String {
    let mut decoder = Decoder::default();
    let mut typed = decoder.push(bytes);
    typed.extend(decoder.rest());
    spelled(&typed)
}

fn spelled(typed: &[Stroke]) -> String {
    let word = |one: &Stroke| match one {
        Stroke::Paste(text) => format!("paste({text})"),
        Stroke::Key(KeyEvent { code, modifiers, .. }) => {
            let held = [
                (KeyModifiers::CONTROL, "C-"),
                (KeyModifiers::ALT, "A-"),
                (KeyModifiers::SHIFT, "S-"),
            ];
            let held =
                held.iter().filter(|(bit, _)| modifiers.contains(*bit)).map(|(_, sign)| *sign);
            let key = match code {
                KeyCode::Char(c) => c.to_string(),
                other => format!("{other:?}"),
            };
            held.collect::<String>() + &key
        }
    };
    typed.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_are_read_as_terminals_send_them() {
    for (bytes, keys) in [
        (&b"a\r\tZ~"[..], "a Enter Tab Z ~"),
        ("ä漢🎲".as_bytes(), "ä 漢 🎲"),
        (b"\x01\x0a\x1a\x00\x1f\x7f\x08", "C-a C-j C-z C-  C-7 Backspace C-h"),
        (b"\x1b[A\x1bOB\x1b[1;5C\x1b[1;2D", "Up Down C-Right S-Left"),
        (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "Home End Home End Home End"),
        (b"\x1b[2~\x1b[3~\x1b[5~\x1b[6~\x1b[3;5~", "Insert Delete PageUp PageDown C-Delete"),
        (
            b"\x1bOP\x1b[12~\x1b[[C\x1b[15~\x1b[17~\x1b[17;2~\x1b[24~",
            "F(1) F(2) F(3) F(5) F(6) S-F(6) F(12)",
        ),
        (b"\x1b[Z\x1b\r\x1bb\x1b\x7f", "S-BackTab A-Enter A-b A-Backspace"),
        (b"\x1bOM\x1bOp\x1bOk", "Enter 0 +"),
        (b"\x1b[97;5u\x1b[27;5;9~\x1b[13;3u", "C-a C-Tab A-Enter"),
        (b"\x1b", "Esc"),
        (b"\x1b\x1b[A", "Esc Up"),
        (b"\x1b[", "A-["),
        (b"\x1b]", "A-]"),
        (b"\xff\xc3(", "\u{fffd} \u{fffd} ("),
    ] {
        assert_eq!(read(bytes), keys, "{:?}", bytes.escape_ascii().to_string());
    }
}

/// What terminals say by themselves or when somebody asks them.
const REPLIES: [&[u8]; 19] = [
    b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
    b"\x1b]10;rgb:ffff/ffff/ffff\x07",
    b"\x1b]4;1;rgb:cdcd/0000/0000\x07",
    b"\x1b]52;c;aGVsbG8=\x1b\\",
    b"\x1bP>|XTerm(380)\x1b\\",
    b"\x1bP1+r544e=787465726d\x1b\\",
    b"\x1bP1$r0m\x1b\\",
    b"\x1b_Gi=31;OK\x1b\\",
    b"\x1b^private\x1b\\",
    b"\x1bXstart\x1b\\",
    b"\x1b[>0q",
    b"\x1b[>41;380;0c",
    b"\x1b[?62;22c",
    b"\x1b[24;80R",
    b"\x1b[?2026;2$y",
    b"\x1b[?1u",
    b"\x1b[I\x1b[O",
    b"\x1b[M !!",
    b"\x1b[<0;10;5M",
];

#[test]
fn what_a_terminal_answers_is_never_typed() {
    for reply in REPLIES {
        let all = [b"a".as_slice(), reply, b"b\r"].concat();
        assert_eq!(read(&all), "a b Enter", "{:?}", reply.escape_ascii().to_string());
    }
}

#[test]
fn a_reply_that_is_broken_off_swallows_no_keys_for_long() {
    assert_eq!(read(b"\x1b]11;rgb:\x1b[A"), "Up", "another sequence ends it");
    assert_eq!(read(b"\x1bP>|x\x18y"), "y");
    let mut decoder = Decoder::default();
    assert_eq!(decoder.push(b"\x1b]11;rgb"), []);
    assert!(decoder.waits());
    assert_eq!(decoder.rest(), []);
    assert_eq!(spelled(&decoder.push(b"ok")), "o k");
}

#[test]
fn a_pasted_text_is_one_text_and_obeys_nothing() {
    let paste = b"\x1b[200~one\rtwo\x1b[A\x03\xc3\xa4\x1b[201~\r";
    assert_eq!(read(paste), "paste(one\rtwo\u{1b}[A\u{3}ä) Enter");
    let mut decoder = Decoder::default();
    assert_eq!(decoder.push(b"\x1b[200~half"), []);
    assert!(!decoder.waits());
    assert_eq!(decoder.rest(), [], "the rest of it is no key, however long it takes");
    assert_eq!(spelled(&decoder.push(b" more\x1b[201~")), "paste(half more)");
}

#[test]
fn a_pasted_text_without_end_takes_no_memory_without_end() {
    let mut decoder = Decoder::default();
    decoder.push(b"\x1b[200~");
    for _ in 0..3 {
        decoder.push(&vec![b'x'; PASTE_MAX_BYTES]);
    }
    let typed = decoder.push(b"\x1b[201~y");
    let [Stroke::Paste(text), Stroke::Key(_)] = &typed[..] else { panic!("{}", typed.len()) };
    assert!(text.len() <= PASTE_MAX_BYTES && text.len() > PASTE_MAX_BYTES / 2);
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::sample::select(&REPLIES[..]).prop_map(<[u8]>::to_vec),
        3 => "[a-zä漢🎲 ]{1,4}".prop_map(String::into_bytes),
        2 => prop::sample::select(vec!["\r", "\x1b[A", "\x1bOP", "\x1b[3;5~", "\x1b\r", "\x03"])
            .prop_map(|keys| keys.as_bytes().to_vec()),
        1 => "[a-z\r\n]{0,9}".prop_map(|text| format!("\x1b[200~{text}\x1b[201~").into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ]
}

proptest! {
    /// However bytes are cut into reads, the same keys come out.
    #[test]
    fn the_same_keys_come_out_of_any_pieces(
        pieces in prop::collection::vec(piece(), 0..8),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let bytes = pieces.concat();
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut decoder = Decoder::default();
        let mut typed = Vec::new();
        for ends in cuts.windows(2) {
            typed.extend(decoder.push(&bytes[ends[0]..ends[1]]));
        }
        typed.extend(decoder.rest());
        prop_assert_eq!(spelled(&typed), read(&bytes));
    }

    /// Of replies alone nothing is typed, wherever they are cut.
    #[test]
    fn replies_type_nothing(
        replies in prop::collection::vec(prop::sample::select(&REPLIES[..]), 0..6),
    ) {
        prop_assert_eq!(read(&replies.concat()), "");
    }
}
