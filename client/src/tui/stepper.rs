//! All sections in one line: signs and words, so that neither colour nor signs alone tell.

use vosim_protocol::v1::interview::{SectionLine, SectionState, View};

use crate::render::look::{Charset, Look};
use crate::render::text::{clean, columns, cut};

/// As much as fits: titles of all (001 9), else of the open one, else numbers.
///
/// Where there is no room for a word at each, the open one has it: what stands before it is done,
/// and what stands behind it is to come.
pub(crate) fn stepper(view: &View, look: &Look, width: usize) -> String {
    let sections = &view.sections;
    let join = |step: &dyn Fn(usize, &SectionLine) -> String| {
        let steps = sections.iter().enumerate().map(|(at, line)| step(at + 1, line));
        steps.collect::<Vec<_>>().join("  ")
    };
    let sign = |line: &SectionLine| sign(line.state, look);
    let title = |line: &SectionLine| look.spell(&clean(&line.title)).into_owned();
    let now = |line: &SectionLine| match line.state {
        SectionState::Current => " now",
        SectionState::Ended | SectionState::Upcoming => "",
    };
    let full = join(&|_, line| format!("{} {} {}", sign(line), title(line), word(line.state)));
    let titles = join(&|_, line| format!("{} {}{}", sign(line), title(line), now(line)));
    let open = join(&|number, line| match line.state {
        SectionState::Current => format!("{} {number} {} now", sign(line), title(line)),
        SectionState::Ended | SectionState::Upcoming => {
            format!("{} {number} {}", sign(line), word(line.state))
        }
    });
    let short = join(&|number, line| format!("{} {number} {}", sign(line), word(line.state)));
    let signs = join(&|number, line| format!("{} {number}{}", sign(line), now(line)));
    let fits = [full, titles, open, short].into_iter().find(|text| columns(text) <= width);
    fits.unwrap_or_else(|| cut(&signs, width, ""))
}

fn sign(state: SectionState, look: &Look) -> &'static str {
    match (state, look.charset) {
        (SectionState::Ended, Charset::Unicode) => "✓",
        (SectionState::Current, Charset::Unicode) => "●",
        (SectionState::Upcoming, Charset::Unicode) => "○",
        (SectionState::Ended, Charset::Ascii) => "[x]",
        (SectionState::Current, Charset::Ascii) => "[>]",
        (SectionState::Upcoming, Charset::Ascii) => "[ ]",
    }
}

fn word(state: SectionState) -> &'static str {
    match state {
        SectionState::Ended => "done",
        SectionState::Current => "now",
        SectionState::Upcoming => "to come",
    }
}
