//! Whatever is pressed and whatever comes in: nothing panics, no line is lost.

use proptest::prelude::*;

use super::*;

/// What a monkey may do.
fn msgs() -> impl Strategy<Value = Msg> {
    let codes = prop_oneof![
        8 => any::<char>().prop_map(KeyCode::Char),
        8 => prop::sample::select("abcdefhjknpuwy?/ \u{301}漢".chars().collect::<Vec<_>>()).prop_map(KeyCode::Char),
        6 => prop::sample::select(vec![
            KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down, KeyCode::Home, KeyCode::End,
            KeyCode::PageUp, KeyCode::PageDown, KeyCode::Backspace, KeyCode::Delete, KeyCode::Tab,
            KeyCode::Enter, KeyCode::Esc, KeyCode::F(1),
        ]),
    ];
    let modifiers = prop::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::CONTROL,
        KeyModifiers::ALT,
    ]);
    prop_oneof![
        12 => (codes, modifiers).prop_map(|(code, m)| Msg::Key(KeyEvent::new(code, m))),
        2 => (0u16..140, 0u16..50).prop_map(|(c, r)| Msg::Resize(c, r)),
        2 => "(?s).{0,40}".prop_map(Msg::Paste),
        1 => Just(()).prop_map(|()| Msg::Waiting),
        1 => Just(()).prop_map(|()| refused("no")),
        1 => Just(()).prop_map(|()| accepted(vec![])),
        1 => (0u64..2000).prop_map(|s| Msg::Tick(Duration::from_secs(s))),
        1 => (0usize..7, "(?s).{0,60}").prop_map(|(n, text)| {
            comes(told(100 + n as u64, Channel::Interviewer, &text))
        }),
        1 => (0usize..7).prop_map(|n| {
            let view = samples::views().into_iter().chain([open()]).nth(n).unwrap();
            Msg::View(Box::new(snapshot(view)))
        }),
        1 => prop::sample::select(samples::records()).prop_map(|r| Msg::Event(Box::new(r))),
        1 => prop::sample::select(vec![Link::Lost(Loss::Broken), Link::Lost(Loss::Stopped), Link::Up]).prop_map(Msg::Connection),
    ]
}

/// The text without what the editor may reorder around the cursor.
fn kept(app: &App, line: &str) -> bool {
    let mut app = app.editor.clone();
    if app.draft() == Some(line) {
        return true;
    }
    (0..400).any(|_| {
        app.up();
        app.text() == line
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_pressed_nothing_panics_and_no_line_is_lost(
        all in prop::collection::vec(msgs(), 1..80),
    ) {
        let mut app = app();
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        for msg in all {
            if let Msg::Resize(columns, rows) = msg {
                terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
            }
            let (draft, pending) = (app.editor.clone(), app.pending.clone());
            let waited = app.waiting.front().map(|waiting| waiting.line.clone());
            let answer = matches!(msg, Msg::Answered(Err(_)));
            let edits = matches!(msg, Msg::Key(_) | Msg::Paste(_));
            let sent = app.update(msg).iter().any(|a| matches!(a, Action::Send(_)));
            // Only a person's own key changes what stands in the line.
            if !(edits || answer && draft.is_empty()) {
                prop_assert_eq!(app.editor.text(), draft.text());
            }
            // The line itself, or the first of those that waited for the one before.
            if sent {
                let line = &app.pending.as_ref().unwrap().line;
                prop_assert!(line == draft.text() || Some(line) == waited.as_ref(), "{line:?}");
            }
            if answer && let Some(pending) = pending {
                prop_assert!(kept(&app, &pending.line), "lost: {:?}", pending.line);
            }
            terminal.draw(|frame| draw(&app, frame)).unwrap();
        }
    }
}
