//! The screen as a picture of its state: nothing is asked, nothing is changed.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use vosim_protocol::Role;
use vosim_protocol::v1::service::PresenceNotice;

use crate::client::Loss;
use crate::render::look::{Look, Tone};
use crate::render::text::{LongWords, columns, count, cut, wrap};
use crate::tui::app::App;
use crate::tui::aside::Aside;
use crate::tui::bench;
use crate::tui::entry::{plain, prose};
use crate::tui::input::Rows;
use crate::tui::overlay::{SMALLEST, over, too_small};
use crate::tui::panel::{Heading, KindPanel, Pinned};
use crate::tui::style::{dash, dot, more, shorten, shown, tone};
use crate::tui::viewing::Viewing;

/// What stands before the input.
const PROMPT: &str = "> ";
/// The keys of a form, of which narrow screens tell fewer.
const FORM_KEYS: [&str; 3] = [
    "Tab: next field, Ctrl-S: send, Ctrl-O: $EDITOR, Esc: commands; F1 helps",
    "Tab: next field, Ctrl-S: send, Esc: commands; F1 helps",
    "Tab: next, Ctrl-S: send; F1 helps",
];
/// What who cannot type is told.
const WATCHING: [&str; 2] = [
    "You are only watching; to answer: attach --as candidate. q leaves, F1 helps.",
    "You are only watching. q leaves.",
];
/// What there is when it is over.
const OVER: [&str; 2] = [
    "/discussion tells how it can be solved; Ctrl-C leaves",
    "/discussion tells how; Ctrl-C leaves",
];

/// What the empty line says, and the keys of it alone.
fn of_line(text: &str) -> [String; 2] {
    let keys = "F1 helps, Ctrl-C leaves";
    [format!("{PROMPT}{text}; {keys}"), format!("{PROMPT}{keys}")]
}

/// How many lines each part gets.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) transcript: usize,
    /// How the transcript is drawn: what stands beside it takes room.
    pub(crate) talk: Viewing,
    pub(crate) aside: Aside,
    banner: Vec<Line<'static>>,
    pinned: Vec<Line<'static>>,
    facts: Vec<Line<'static>>,
    remark: Vec<Line<'static>>,
    /// Rows of the input that are shown.
    input: usize,
}

/// The parts of the screen at its size.
pub(crate) fn layout<P: KindPanel>(app: &App<P>) -> Layout {
    let viewing = app.viewing();
    let (width, height) = (usize::from(app.size.0), usize::from(app.size.1));
    let banner = banner(app, width);
    let mut pinned = pinned(app, &viewing);
    shorten(&mut pinned, (height / 4).max(2), &app.look, width);
    let facts = facts(app, &viewing, height);
    let mut remark = remark(app, width);
    shorten(&mut remark, if height < 16 { 2 } else { 3 }, &app.look, width);
    let rows = Rows::of(&app.editor, &app.look, width.saturating_sub(PROMPT.len()));
    let input = if app.types() { rows.rows.len().min((height / 5).max(1)) } else { 1 };
    let pages = usize::from(names_pages(app));
    // Two lines of header, the rule below the transcript.
    let taken = 3 + pages + banner.len() + pinned.len() + facts.len() + remark.len() + input;
    let transcript = height.saturating_sub(taken);
    let aside = Aside::of(&app.panel, &viewing.look);
    let look = Look { width: aside.rest(width), ..viewing.look };
    let talk = Viewing { look, ..viewing };
    Layout { transcript, talk, aside, banner, pinned, facts, remark, input }
}

/// Draws all of it.
pub(crate) fn draw<P: KindPanel>(app: &App<P>, frame: &mut Frame<'_>) {
    let area = frame.area();
    let viewing = app.viewing();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return too_small(&app.panel.heading(&viewing), &app.editor, frame);
    }
    let width = usize::from(area.width);
    let parts = layout(app);
    let mut lines = vec![header(app, &viewing), Line::from(app.panel.steps(&viewing))];
    lines.extend(parts.banner);
    if names_pages(app) {
        lines.push(bench::pages::<P>(app.desk.page, false, &viewing.look));
    }
    let (above, height) = (lines.len(), parts.transcript);
    let transcript = app.shows_transcript();
    let mut said = match transcript {
        true => app.transcript.visible(&parts.talk, height, parts.aside.before()),
        false => Vec::new(),
    };
    said.resize_with(height, Line::default);
    lines.extend(said);
    let scrolled = app.transcript.scrolled(&parts.talk, height, parts.aside.before().len());
    lines.push(match transcript {
        true => rule(&app.look, scrolled, app.transcript.unseen, width),
        false => Line::styled(dash(&app.look).repeat(width), Modifier::DIM),
    });
    lines.extend(parts.pinned);
    lines.extend(parts.facts);
    lines.extend(parts.remark);
    let top = lines.len();
    let (rows, cursor) = input(app, width, parts.input);
    lines.extend(rows);
    frame.render_widget(Paragraph::new(lines), area);
    let rows = |lines: usize| u16::try_from(lines).unwrap_or(area.height);
    let beside = Rect { y: area.y + rows(above), height: rows(height), ..area };
    let beside = beside.intersection(area);
    parts.aside.draw(&viewing.look, beside, frame);
    let on_bench = match transcript {
        true => None,
        false => bench::draw(app, beside, frame),
    };
    if let Some(overlay) = &app.overlay {
        over(app, overlay, frame);
    } else if app.on_form() {
        if let Some((x, y)) = on_bench {
            frame.set_cursor_position(Position { x, y });
        }
    } else if let Some((row, column)) = cursor {
        let x = area.x.saturating_add(u16::try_from(column).unwrap_or(0));
        let y = area.y.saturating_add(u16::try_from(top + row).unwrap_or(0));
        if x < area.right() && y < area.bottom() {
            frame.set_cursor_position(Position { x, y });
        }
    }
}

/// Whether the transcript is a page among others, whose names are told above it.
fn names_pages<P: KindPanel>(app: &App<P>) -> bool {
    !P::PANELS.is_empty() && app.shows_transcript()
}

/// Which session, where in it, how long: the time is never cut.
fn header<P: KindPanel>(app: &App<P>, viewing: &Viewing) -> Line<'static> {
    let (look, width) = (&viewing.look, viewing.look.width);
    let Heading { title, time, urgent } = app.panel.heading(viewing);
    let mut right = vec![time];
    if let Some(loss) = app.lost {
        let lost = match loss {
            Loss::Broken if width < 60 => "LOST",
            Loss::Broken => "CONNECTION LOST, reconnecting",
            Loss::Stopped if width < 60 => "STOPPED",
            Loss::Stopped => "VOSIMD WAS STOPPED",
        };
        right.insert(0, lost.to_owned());
    }
    let right = cut(&shown(look, &right.join(dot(look))), width, "");
    let title = match width {
        80.. => format!("{}  {title}", look.clock(app.clock.time(app.now))),
        _ => title,
    };
    let room = width.saturating_sub(columns(&right) + 2);
    let left = cut(&shown(look, &title), room, more(look));
    let gap = width.saturating_sub(columns(&left) + columns(&right));
    let urgent = if urgent || app.lost.is_some() { Tone::Warn } else { Tone::Strong };
    let style = tone(look, urgent).add_modifier(Modifier::REVERSED);
    Line::styled(format!("{left}{}{right}", " ".repeat(gap)), style)
}

fn banner<P: KindPanel>(app: &App<P>, width: usize) -> Vec<Line<'static>> {
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
fn rule(look: &Look, scrolled: usize, unseen: usize, width: usize) -> Line<'static> {
    let line = dash(look);
    let text = match (scrolled, unseen) {
        (0, _) => return Line::styled(line.repeat(width), Modifier::DIM),
        (_, 0) => " more below; End shows the newest ".to_owned(),
        (_, 1) => " 1 new entry below; End shows it ".to_owned(),
        (_, n) => format!(" {n} new entries below; End shows them "),
    };
    let rest = width.saturating_sub(columns(&text) + 2);
    let text = format!("{line}{line}{text}{}", line.repeat(rest));
    Line::styled(cut(&text, width, ""), Modifier::BOLD)
}

/// What is asked now, or what there is to know instead.
fn pinned<P: KindPanel>(app: &App<P>, viewing: &Viewing) -> Vec<Line<'static>> {
    let (look, width) = (&viewing.look, viewing.look.width);
    let strong = tone(look, Tone::Strong);
    let lines = app.panel.pinned(viewing).into_iter().flat_map(|pinned| match pinned {
        Pinned::Plain(text) => plain(&text, width, look),
        Pinned::Prose(text) => prose(&text, width, look),
    });
    lines.map(|line| Line::styled(line, strong)).collect()
}

/// Verdict, runs, files and who is there: one line each while there is room.
fn facts<P: KindPanel>(app: &App<P>, viewing: &Viewing, height: usize) -> Vec<Line<'static>> {
    let (look, width) = (&viewing.look, viewing.look.width);
    let line = |kind, text: &str| {
        Line::styled(cut(&shown(look, text), width, more(look)), tone(look, kind))
    };
    let facts = app.panel.facts(viewing).into_iter();
    let mut lines: Vec<_> = facts.map(|(tone, text)| line(tone, &text)).collect();
    let mut about = vec![format!("as {}", app.role.name())];
    about.extend(app.panel.about(viewing));
    // Who is there changes nothing that the others tell: it may be cut.
    about.extend(presence(app.presence.as_ref()));
    lines.push(line(Tone::Dim, &about.join(dot(look))));
    lines.truncate(if height < 14 { 1 } else { 3 });
    lines
}

fn presence(here: Option<&PresenceNotice>) -> Option<String> {
    let here = here?;
    let kinds = [
        (here.candidates, "candidate"),
        (here.observers, "observer"),
        (here.interviewers, "interviewer"),
        (here.agents, "agent"),
    ];
    let there: Vec<_> =
        kinds.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(n, noun)).collect();
    (!there.is_empty()).then(|| format!("here: {}", there.join(", ")))
}

fn remark<P: KindPanel>(app: &App<P>, width: usize) -> Vec<Line<'static>> {
    let look = &app.look;
    let mut lines = Vec::new();
    if let Some(pending) = &app.pending {
        let text = match (&app.progress, pending.waiting) {
            (_, true) => "Waiting for the connection; your line is sent as soon as it is there: ",
            (Some(_), false) if !app.panel.is_running() => "Running: ",
            (_, false) => "Sending: ",
        };
        let line = if pending.form.is_some() { "the form" } else { pending.line.as_str() };
        let typed = match (&app.progress, app.panel.is_running()) {
            (Some(_), false) => app.viewing().with_progress(line.to_owned()),
            (Some(_), true) | (None, _) => line.replace('\n', " "),
        };
        let line = shown(look, &format!("{text}{typed}"));
        lines.push(Line::styled(cut(&line, width, more(look)), tone(look, Tone::Warn)));
    }
    if !app.waiting.is_empty() {
        let lines_wait = match app.waiting.len() {
            1 => "1 more line waits until then.".to_owned(),
            n => format!("{n} more lines wait until then."),
        };
        lines.push(Line::styled(cut(&lines_wait, width, ""), tone(look, Tone::Dim)));
    }
    if let Some(question) = &app.question {
        let text = format!("{} Press y for yes, any other key for no.", question.text);
        let text = wrap(&shown(look, &text), width, LongWords::Cut).into_iter();
        lines.extend(text.map(|line| Line::styled(line, tone(look, Tone::Warn))));
    } else if let Some(remark) = &app.remark {
        let style = tone(look, if remark.bad { Tone::Warn } else { Tone::Dim });
        let text = shown(look, &remark.text);
        let text = wrap(&text, width, LongWords::Cut).into_iter();
        lines.extend(text.map(|line| Line::styled(line, style)));
    }
    lines
}

/// The first of these that is seen whole; the last one in any case.
fn fitting(texts: &[&str], width: usize) -> String {
    let fits = texts.iter().find(|text| columns(text) <= width);
    cut(fits.or(texts.last()).copied().unwrap_or_default(), width, "")
}

/// The rows of the input, and its cursor's row and column.
fn input<P: KindPanel>(
    app: &App<P>,
    width: usize,
    height: usize,
) -> (Vec<Line<'static>>, Option<(usize, usize)>) {
    if !app.types() {
        return (vec![Line::styled(fitting(&WATCHING, width), Modifier::DIM)], None);
    }
    if app.editor.is_empty() {
        if app.on_form() {
            return (vec![Line::styled(fitting(&FORM_KEYS, width), Modifier::DIM)], None);
        }
        let texts = match app.role {
            _ if app.panel.is_over() => OVER.map(|text| format!("{PROMPT}{text}")),
            Role::Interviewer => of_line("/note TEXT keeps a private note"),
            Role::Candidate | Role::Observer | Role::Agent => of_line(P::PROMPT),
        };
        let text = fitting(&texts.each_ref().map(String::as_str), width);
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
