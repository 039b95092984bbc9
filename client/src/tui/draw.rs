//! The screen as a picture of its state: nothing is asked, nothing is changed.

use ratatui::Frame;
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use vosim_protocol::Role;
use vosim_protocol::v1::interview::{Phase, Substate};

use crate::render::interview::words::{class, clock};
use crate::render::look::{Charset, Colour, Look, Tone};
use crate::render::text::{LongWords, clean, columns, count, cut, wrap};
use crate::tui::app::App;
use crate::tui::input::Rows;
use crate::tui::overlay::{over, too_small};
use crate::tui::stepper::stepper;
use crate::tui::transcript;

/// Below this there is no room for a conversation.
pub(crate) const SMALLEST: (u16, u16) = (40, 10);
/// What stands before the input.
const PROMPT: &str = "> ";
/// From here on the time left is a warning, milliseconds (001 5.1).
const SOON_MS: u64 = 120_000;

/// How many lines each part gets.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) transcript: usize,
    banner: Vec<Line<'static>>,
    pinned: Vec<Line<'static>>,
    facts: Vec<Line<'static>>,
    notice: Vec<Line<'static>>,
    /// Rows of the input that are shown.
    input: usize,
}

/// The parts of the screen at its size.
pub(crate) fn layout(app: &App) -> Layout {
    let (width, height) = (usize::from(app.size.0), usize::from(app.size.1));
    let banner = banner(app, width);
    let mut pinned = pinned(app, width);
    shorten(&mut pinned, (height / 4).max(2), &app.look, width);
    let facts = facts(app, width, height);
    let mut notice = notice(app, width);
    shorten(&mut notice, if height < 16 { 2 } else { 3 }, &app.look, width);
    let rows = Rows::of(&app.editor, &app.look, width.saturating_sub(PROMPT.len()));
    let input = if app.types() { rows.rows.len().min((height / 5).max(1)) } else { 1 };
    // Two lines of header, the rule below the transcript.
    let taken = 3 + banner.len() + pinned.len() + facts.len() + notice.len() + input;
    Layout { transcript: height.saturating_sub(taken), banner, pinned, facts, notice, input }
}

/// Draws all of it.
pub(crate) fn draw(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return too_small(app, frame);
    }
    let width = usize::from(area.width);
    let parts = layout(app);
    let mut lines = vec![header(app, width), steps(app, width)];
    lines.extend(parts.banner);
    let mut said = transcript::visible(app, width, parts.transcript);
    said.resize_with(parts.transcript, Line::default);
    lines.extend(said);
    lines.push(rule(app, width));
    lines.extend(parts.pinned);
    lines.extend(parts.facts);
    lines.extend(parts.notice);
    let top = lines.len();
    let (rows, cursor) = input(app, width, parts.input);
    lines.extend(rows);
    frame.render_widget(Paragraph::new(lines), area);
    if let Some(overlay) = app.overlay {
        over(app, overlay, frame);
    } else if let Some((row, column)) = cursor {
        let x = area.x.saturating_add(u16::try_from(column).unwrap_or(0));
        let y = area.y.saturating_add(u16::try_from(top + row).unwrap_or(0));
        if x < area.right() && y < area.bottom() {
            frame.set_cursor_position(Position { x, y });
        }
    }
}

/// A tone as the terminal shows it; without colour, weight alone.
pub(crate) fn tone(look: &Look, tone: Tone) -> Style {
    let style = match tone {
        Tone::Plain => Style::new(),
        Tone::Good | Tone::Bad | Tone::Strong => Style::new().add_modifier(Modifier::BOLD),
        Tone::Warn => Style::new(),
        Tone::Dim => return Style::new().add_modifier(Modifier::DIM),
    };
    let colour = match tone {
        Tone::Good => Color::Green,
        Tone::Bad => Color::Red,
        Tone::Warn => Color::Yellow,
        Tone::Plain | Tone::Dim | Tone::Strong => return style,
    };
    if look.colour == Colour::On { style.fg(colour) } else { style.add_modifier(Modifier::BOLD) }
}

/// Our own words beside foreign ones, as the character set shows them, one line.
pub(crate) fn shown(look: &Look, text: &str) -> String {
    clean(&look.spell(text)).into_owned()
}

fn dot(look: &Look) -> &'static str {
    match look.charset {
        Charset::Unicode => " · ",
        Charset::Ascii => " - ",
    }
}

pub(crate) fn more(look: &Look) -> &'static str {
    match look.charset {
        Charset::Unicode => "…",
        Charset::Ascii => "...",
    }
}

/// Which interview, which section, how long: the time left is never cut.
fn header(app: &App, width: usize) -> Line<'static> {
    let (look, view) = (&app.look, &app.view);
    let mut right = Vec::new();
    if !app.connected {
        let lost = if width < 60 { "LOST" } else { "CONNECTION LOST, reconnecting" };
        right.push(lost.to_owned());
    }
    let mut soon = false;
    if let Some(now) = &view.current_section {
        let left = app.left(now.deadline);
        soon = left <= SOON_MS;
        right.push(format!("{} left", clock(left)));
    } else if view.phase == Phase::Closing
        && let Some(until) = view.grace_until
    {
        right.push(format!("{} for late messages", clock(app.left(until))));
    } else {
        right.push(phase(view.phase).to_owned());
    }
    let right = cut(&shown(look, &right.join(dot(look))), width, "");
    let mut left = view.title.clone();
    if let Some(now) = &view.current_section {
        let of = view.sections.len();
        left = format!("{left}{}section {} of {of}, {}", dot(look), now.number, now.title);
    }
    if width >= 80 {
        left = format!("{}  {left}", look.clock(app.clock.time(app.now)));
    }
    let room = width.saturating_sub(columns(&right) + 2);
    let left = cut(&shown(look, &left), room, more(look));
    let gap = width.saturating_sub(columns(&left) + columns(&right));
    let urgent = if soon || !app.connected { Tone::Warn } else { Tone::Strong };
    let style = tone(look, urgent).add_modifier(Modifier::REVERSED);
    Line::styled(format!("{left}{}{right}", " ".repeat(gap)), style)
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::NotStarted => "not started",
        Phase::InProgress => "in progress",
        Phase::Paused => "paused",
        Phase::Closing => "closing",
        Phase::Completed => "completed",
        Phase::Terminated => "ended early",
    }
}

fn steps(app: &App, width: usize) -> Line<'static> {
    Line::from(stepper(&app.view, &app.look, width))
}

fn banner(app: &App, width: usize) -> Vec<Line<'static>> {
    let Some(banner) = &app.banner else { return Vec::new() };
    let kind = if banner.warns { Tone::Warn } else { Tone::Strong };
    let style = tone(&app.look, kind).add_modifier(Modifier::REVERSED);
    let mark = if banner.warns { "!" } else { " " };
    let room = width.saturating_sub(4);
    let centred = |text: &str| {
        let text = cut(text, room, more(&app.look));
        let text = format!("{mark} {text} {mark}");
        let gap = width.saturating_sub(columns(&text));
        Line::styled(format!("{}{text}{}", " ".repeat(gap / 2), " ".repeat(gap - gap / 2)), style)
    };
    let text = shown(&app.look, &banner.text);
    let roomy = app.size.1 >= 20;
    // The newer of two comes last and must be read whole, so each has a line of its own.
    let texts = match text.split_once("  ") {
        Some((before, after)) if columns(&text) > room && roomy => vec![before, after],
        Some((_, after)) if columns(&text) > room => vec![after],
        _ => vec![text.as_str()],
    };
    let mut lines: Vec<_> = texts.into_iter().map(centred).collect();
    // More lines are seen from further away; a small screen has no room for them.
    if banner.large && roomy {
        let edge = Line::styled(mark.repeat(width), style);
        lines.insert(0, edge.clone());
        lines.push(edge);
    }
    lines
}

/// Between what was said and what is asked; it tells when newer entries are below.
fn rule(app: &App, width: usize) -> Line<'static> {
    let line = match app.look.charset {
        Charset::Unicode => "─",
        Charset::Ascii => "-",
    };
    let text = match (app.scroll, app.unseen) {
        (0, _) => return Line::styled(line.repeat(width), Modifier::DIM),
        (_, 0) => " older entries; End returns to the newest ".to_owned(),
        (_, 1) => " 1 new entry below; End shows it ".to_owned(),
        (_, n) => format!(" {n} new entries below; End shows them "),
    };
    let rest = width.saturating_sub(columns(&text) + 2);
    let text = format!("{line}{line}{text}{}", line.repeat(rest));
    Line::styled(cut(&text, width, ""), Modifier::BOLD)
}

/// The open question, or what there is to know instead.
fn pinned(app: &App, width: usize) -> Vec<Line<'static>> {
    let (look, view) = (&app.look, &app.view);
    let strong = tone(look, Tone::Strong);
    let say = |text: &str| {
        let lines = transcript::plain(text, width, look).into_iter();
        lines.map(|line| Line::styled(line, strong)).collect::<Vec<_>>()
    };
    let mut lines = match view.phase {
        Phase::NotStarted => {
            let next = if app.role == Role::Candidate { " /begin starts it." } else { "" };
            say(&format!("The clock does not run yet.{next}"))
        }
        Phase::Closing => say("The last section's time is up. Late messages are still taken."),
        Phase::Completed => say("The interview is over: all sections are done. Ctrl-C leaves."),
        Phase::Terminated => say("The interview was ended before its time. Ctrl-C leaves."),
        Phase::InProgress | Phase::Paused => Vec::new(),
    };
    if view.phase == Phase::Paused {
        lines.extend(say("Paused: no terminal of the candidate is there. The time runs on."));
    }
    let Some(now) = &view.current_section else { return lines };
    if let Some(ends) = now.ends_at {
        let left = clock(app.left(ends));
        lines.extend(say(&format!("Everything asked for is covered; the section ends in {left}.")));
    }
    let kind = match now.substate {
        Substate::SectionIntro => "",
        Substate::SectionQuestionActive => "Question: ",
        Substate::SectionFollowupActive => "Follow-up: ",
        Substate::SectionWrapup => "Last question: ",
    };
    match &now.question {
        Some(question) => {
            let text = transcript::prose(&format!("{kind}{question}"), width, look).into_iter();
            lines.extend(text.map(|line| Line::styled(line, strong)));
        }
        None => lines.extend(say(&format!("Goal: {} The question is on its way.", now.goal))),
    }
    lines
}

/// Verdict, runs, files and who is there: one line each while there is room.
fn facts(app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
    let (look, view) = (&app.look, &app.view);
    let line = |kind, text: &str| {
        Line::styled(cut(&shown(look, text), width, more(look)), tone(look, kind))
    };
    let mut lines = Vec::new();
    if let Some(text) = running(app) {
        lines.push(line(Tone::Warn, &text));
    } else if let Some(last) = view.history.last() {
        // In the words of the transcript above, with the place of all that does not fit here.
        let (kind, more) = match last.tests_failed {
            0 => (Tone::Good, ""),
            _ => (Tone::Bad, "; see: vosimctl result"),
        };
        let (number, passed) = (last.attempt_number, last.tests_passed);
        let (class, total) = (class(last.failure_type, last.detail), passed + last.tests_failed);
        let text = format!("Last verdict: submission {number}, {class}, {passed} of {total} tests");
        lines.push(line(kind, &(text + more)));
    }
    let mut about = vec![format!("as {}", role(app.role))];
    if let Some(watched) = &view.watched {
        let name = watched.file_path.rsplit('/').next().unwrap_or_default();
        about.push(match watched.last_save {
            Some(at) => format!("{name} saved {}", look.clock(at)),
            None => format!("{name} not saved yet"),
        });
    }
    if let Some(own) = &view.own_tests {
        about.push(format!("own tests {} of {}", own.passed, own.passed + own.failed));
    }
    if !view.hint_levels.is_empty() {
        about.push(count(u32::try_from(view.hint_levels.len()).unwrap_or(u32::MAX), "hint"));
    }
    if let Some(granted) = &view.accommodation {
        about.push(granted.clone());
    }
    if let Some(now) = &view.current_section
        && let (Some(asked), Some(cap)) = (now.followups_asked, now.followup_cap)
    {
        about.push(format!("follow-ups {asked} of {cap}"));
    }
    // Who is there changes nothing that the others tell: it may be cut.
    about.push(presence(app));
    about.retain(|text| !text.is_empty());
    lines.push(line(Tone::Dim, &about.join(dot(look))));
    if let Some(pauses) = view.pauses_at {
        let left = clock(app.left(pauses));
        let text = format!("No terminal of the candidate is there; it pauses in {left}.");
        lines.insert(0, line(Tone::Warn, &text));
    }
    lines.truncate(if height < 14 { 1 } else { 3 });
    lines
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Candidate => "candidate",
        Role::Observer => "observer",
        Role::Interviewer => "interviewer",
    }
}

fn presence(app: &App) -> String {
    let Some(here) = &app.presence else { return String::new() };
    let kinds = [
        (here.candidates, "candidate"),
        (here.observers, "observer"),
        (here.interviewers, "interviewer"),
    ];
    let there: Vec<_> =
        kinds.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(n, noun)).collect();
    if there.is_empty() { String::new() } else { format!("here: {}", there.join(", ")) }
}

/// What is under way.
fn running(app: &App) -> Option<String> {
    let view = &app.view;
    let what = match (view.evaluating, view.testing, view.assistant.pending) {
        (Some(submission), _, _) => format!("Submission {submission} is being judged"),
        (None, true, _) => "Your own tests are being run".to_owned(),
        (None, false, Some(_)) => return Some("The assistant is answering".to_owned()),
        (None, false, None) => return None,
    };
    Some(match &app.progress {
        Some(p) => format!("{what}: {} ({} of {})", p.case, p.done.saturating_add(1), p.total),
        None => what,
    })
}

fn notice(app: &App, width: usize) -> Vec<Line<'static>> {
    let look = &app.look;
    let mut lines = Vec::new();
    if let Some(pending) = &app.pending {
        let text = match pending.waiting {
            true => "Waiting for the connection; your line is sent as soon as it is there: ",
            false => "Sending: ",
        };
        let line = shown(look, &format!("{text}{}", pending.line.replace('\n', " ")));
        lines.push(Line::styled(cut(&line, width, more(look)), tone(look, Tone::Warn)));
    }
    if let Some(notice) = &app.notice {
        let style = tone(look, if notice.bad { Tone::Warn } else { Tone::Dim });
        let text = shown(look, &notice.text);
        let text = wrap(&text, width, LongWords::Cut).into_iter();
        lines.extend(text.map(|line| Line::styled(line, style)));
    }
    lines
}

/// Not more lines than there is room for; the last one tells that it goes on.
pub(crate) fn shorten(lines: &mut Vec<Line<'static>>, most: usize, look: &Look, width: usize) {
    if lines.len() <= most {
        return;
    }
    lines.truncate(most);
    if let Some(last) = lines.last_mut() {
        let text: String = last.spans.iter().map(|span| span.content.as_ref()).collect();
        let style = last.style;
        let text = cut(&text, width.saturating_sub(columns(more(look)) + 1), "");
        *last = Line::styled(format!("{text} {}", more(look)), style);
    }
}

/// The rows of the input, and its cursor's row and column.
fn input(app: &App, width: usize, height: usize) -> (Vec<Line<'static>>, Option<(usize, usize)>) {
    if !app.types() {
        let text = "You read along; to answer: attach --as candidate. q leaves, F1 helps.";
        return (vec![Line::styled(cut(text, width, ""), Modifier::DIM)], None);
    }
    if app.editor.is_empty() {
        let text = match app.role {
            _ if app.is_over() => "Nothing more can be sent; Ctrl-C leaves",
            Role::Interviewer => "/note TEXT keeps a private note; F1 helps, Ctrl-C leaves",
            Role::Candidate | Role::Observer => "Type and press Enter; F1 helps, Ctrl-C leaves",
        };
        let text = cut(&format!("{PROMPT}{text}"), width, "");
        return (vec![Line::styled(text, Modifier::DIM)], Some((0, PROMPT.len())));
    }
    let rows = Rows::of(&app.editor, &app.look, width.saturating_sub(PROMPT.len()));
    let first = rows.window(height);
    let shown = rows
        .rows
        .iter()
        .enumerate()
        .skip(first)
        .take(height)
        .map(|(at, row)| Line::from(format!("{}{row}", if at == 0 { PROMPT } else { "  " })));
    let cursor = (rows.cursor.0.saturating_sub(first), rows.cursor.1 + PROMPT.len());
    (shown.collect(), Some(cursor))
}
