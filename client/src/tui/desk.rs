//! What is filled on the screen: the forms of the session as it is, which of them has the keys, and which
//! panel of the workbench is looked at.

use std::collections::BTreeMap;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;

use crate::errors::Failure;
use crate::form::{Choice, Form, Takes};
use crate::render::look::Look;
use crate::tui::editor::Editor;
use crate::tui::input::Rows;

/// How many panels a workbench has.
pub(crate) const PANELS: usize = 3;
/// The panel in which the forms stand.
pub(crate) const FORMS: usize = 1;
/// The panel in which it stands what was said to the candidate.
pub(crate) const COACH: usize = 2;
/// From this width on the panels stand side by side, columns.
const BESIDE_FROM: usize = 120;
/// Between two drafts of what is typed at least.
const KEPT_EVERY: Duration = Duration::from_millis(150);

/// Whether panels stand side by side at this width.
pub(crate) fn beside(width: usize) -> bool {
    width >= BESIDE_FROM
}

/// The place at which forms are filled.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    pub(crate) forms: Vec<Filling>,
    /// The form and its field that have the cursor.
    at: (usize, usize),
    /// Whether whoever types wants to fill forms, and not to write a line.
    pub(crate) wanted: bool,
    /// The panel that is looked at; the one behind the last is the transcript.
    pub(crate) page: usize,
    /// Lines by which each panel is moved.
    pub(crate) scroll: [usize; PANELS],
    /// Something was said since the panel was looked at in which that stands.
    pub(crate) unread: bool,
    /// The panel with the forms moves so that the cursor is seen.
    pub(crate) follows: bool,
    /// What was typed in earlier sessions of this terminal, or elsewhere, and not sent.
    drafts: BTreeMap<String, String>,
    /// What was typed last into forms that have gone since.
    gone: Vec<(&'static str, String)>,
    /// A form was accepted: what is the most pressing then has the cursor.
    anew: bool,
    /// When drafts were handed out last.
    kept: Option<Duration>,
}

/// A form that is being filled.
#[derive(Debug)]
pub(crate) struct Filling {
    /// What stands in it now.
    pub(crate) form: Form,
    /// A cursor for each field that is written in.
    pub(crate) editors: Vec<Editor>,
    /// Something stands in it that was not sent.
    pub(crate) touched: bool,
    /// Something stands in it that is in no draft.
    changed: bool,
}

impl Filling {
    fn new(form: Form) -> Self {
        let mut filling = Self { form, editors: Vec::new(), touched: false, changed: false };
        filling.shows_values();
        filling
    }

    /// Puts what stands in the fields before the cursors.
    fn shows_values(&mut self) {
        self.editors.resize_with(self.form.fields.len(), Editor::default);
        for (field, editor) in self.form.fields.iter().zip(&mut self.editors) {
            if editor.text() != field.value {
                editor.set(field.value.clone());
            }
        }
    }

    /// Takes the form as the session has it now. What was typed stays, as far as there is a place for it.
    fn becomes(&mut self, mut form: Form) {
        if self.touched {
            let before = std::mem::take(&mut self.form.fields);
            for field in &mut form.fields {
                let Some(old) = before.iter().find(|old| old.name == field.name) else { continue };
                let choices = field.choices();
                if choices.is_empty() || choices.iter().any(|choice| choice.value == old.value) {
                    field.value.clone_from(&old.value);
                }
            }
        }
        self.form = form;
        self.shows_values();
    }

    /// Whether a field is shown and can be filled.
    pub(crate) fn is_open(&self, field: usize) -> bool {
        self.form.fields.get(field).is_some_and(|field| self.form.counts(field))
    }

    fn edited(&mut self, field: usize) {
        self.form.fields[field].value = self.editors[field].text().to_owned();
        (self.touched, self.changed) = (true, true);
    }

    fn choose(&mut self, field: usize, value: String) {
        self.form.fields[field].value = value;
        self.shows_values();
        (self.touched, self.changed) = (true, true);
    }
}

/// What a key in a form was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// It is done.
    Done,
    /// The form shall be sent.
    Send,
    /// It belongs to the editor of a field.
    Writes,
}

impl Desk {
    /// The desk as a terminal finds it, with what was typed before.
    pub(crate) fn new(forms: Vec<Form>, drafts: BTreeMap<String, String>, page: usize) -> Self {
        let mut desk = Self { drafts, page, wanted: true, follows: true, ..Self::default() };
        desk.take(forms);
        desk
    }

    /// Whether it can be read at this width what is said.
    pub(crate) fn shows_said(&self, width: usize) -> bool {
        self.page >= COACH || beside(width)
    }

    /// Whether the forms are seen at this width, so that keys may go to them.
    pub(crate) fn shows_forms(&self, width: usize) -> bool {
        self.page == FORMS || (self.page < PANELS && beside(width))
    }

    /// Takes the forms of the session as it is now.
    pub(crate) fn take(&mut self, forms: Vec<Form>) {
        let with_cursor = self.forms.get(self.at.0).map(|filling| filling.form.name);
        let with_cursor = with_cursor.filter(|_| !std::mem::take(&mut self.anew));
        let mut before = std::mem::take(&mut self.forms);
        for form in forms {
            let known = before.iter().position(|filling| filling.form.name == form.name);
            let filling = match known {
                Some(at) => {
                    let mut filling = before.swap_remove(at);
                    filling.becomes(form);
                    filling
                }
                None => {
                    let mut filling = Filling::new(form);
                    if let Some(draft) = self.drafts.get(filling.form.name) {
                        filling.form.read_draft(draft);
                        filling.shows_values();
                        filling.touched = true;
                    }
                    filling
                }
            };
            self.forms.push(filling);
        }
        for filling in before.into_iter().filter(|filling| filling.changed) {
            let (form, text) = (filling.form.name, filling.form.text());
            self.drafts.insert(form.to_owned(), text.clone());
            self.gone.push((form, text));
        }
        let still = self.forms.iter().position(|filling| Some(filling.form.name) == with_cursor);
        match still {
            Some(form) if self.forms[form].is_open(self.at.1) => self.at.0 = form,
            Some(form) => self.at = (form, 0),
            None => (self.at, self.follows) = ((0, 0), true),
        }
    }

    /// The form and field with the cursor, where there are forms.
    pub(crate) fn place(&self) -> Option<(usize, usize)> {
        (!self.forms.is_empty()).then_some(self.at)
    }

    /// The form with the cursor.
    pub(crate) fn current(&self) -> Option<&Filling> {
        self.forms.get(self.at.0)
    }

    /// The editor with the cursor; None where one chooses.
    pub(crate) fn editor(&mut self) -> Option<&mut Editor> {
        let (form, field) = self.place()?;
        let filling = self.forms.get_mut(form)?;
        match filling.form.fields.get(field)?.takes {
            Takes::One(_) => None,
            Takes::Text | Takes::Line => filling.editors.get_mut(field),
        }
    }

    /// What was done with the editor is in the form, too.
    pub(crate) fn edited(&mut self) {
        let (form, field) = self.at;
        self.follows = true;
        if let Some(filling) = self.forms.get_mut(form)
            && filling.editors.get(field).map(Editor::text)
                != filling.form.fields.get(field).map(|field| field.value.as_str())
        {
            filling.edited(field);
        }
    }

    /// Takes a pasted text; false where it does not fit.
    pub(crate) fn paste(&mut self, text: &str) -> bool {
        let (form, field) = self.at;
        let line = self.forms.get(form).and_then(|filling| filling.form.fields.get(field));
        let one_line = line.is_some_and(|field| field.takes == Takes::Line);
        let text = if one_line { text.trim().replace('\n', " ") } else { text.to_owned() };
        let taken = self.editor().is_none_or(|editor| editor.insert(&text));
        self.edited();
        taken
    }

    /// Takes a key that is for no editor, or says that it is for one.
    pub(crate) fn press(&mut self, code: KeyCode, look: &Look, width: usize) -> Pressed {
        let Some((form, field)) = self.place() else { return Pressed::Done };
        self.follows = true;
        let takes = self.forms[form].form.fields.get(field).map(|field| field.takes.clone());
        match (takes, code) {
            (_, KeyCode::Tab) => self.step(1),
            (_, KeyCode::BackTab) => self.step(-1),
            (Some(Takes::One(choices)), code) => self.choose(&choices, code),
            (Some(Takes::Line), KeyCode::Enter) => {
                let only = self.forms[form].form.fields.len() == 1;
                if only {
                    return Pressed::Send;
                }
                self.step(1);
            }
            (Some(Takes::Line | Takes::Text), KeyCode::Up) => self.rows(-1, look, width),
            (Some(Takes::Line | Takes::Text), KeyCode::Down) => self.rows(1, look, width),
            (Some(Takes::Line | Takes::Text), _) => return Pressed::Writes,
            (None, _) => {}
        }
        Pressed::Done
    }

    /// Moves the choice, or leaves it.
    fn choose(&mut self, choices: &[Choice], code: KeyCode) {
        let (form, field) = self.at;
        let filling = &mut self.forms[form];
        let value = &filling.form.fields[field].value;
        let now = choices.iter().position(|choice| choice.value == *value);
        let last = choices.len().saturating_sub(1);
        let to = match code {
            KeyCode::Up | KeyCode::Left => now.map_or(last, |now| now.saturating_sub(1)),
            KeyCode::Down | KeyCode::Right => now.map_or(0, |now| (now + 1).min(last)),
            KeyCode::Char(' ') => now.map_or(0, |now| if now == last { 0 } else { now + 1 }),
            KeyCode::Char(c) => {
                let begins = |choice: &Choice| {
                    let first = choice.shown().chars().next();
                    first.is_some_and(|first| first.to_lowercase().eq(c.to_lowercase()))
                };
                let named = choices.iter().position(begins);
                let counted = c.to_digit(10).and_then(|n| usize::try_from(n).ok()?.checked_sub(1));
                match named.or(counted) {
                    Some(to) => to,
                    None => return,
                }
            }
            KeyCode::Enter => return self.step(1),
            _ => return,
        };
        if let Some(choice) = choices.get(to) {
            filling.choose(field, choice.value.clone());
        }
    }

    /// Goes to the next field that is open, or to the one before.
    fn step(&mut self, by: isize) {
        let all: Vec<(usize, usize)> = self
            .forms
            .iter()
            .enumerate()
            .flat_map(|(form, filling)| {
                let open = (0..filling.form.fields.len()).filter(|field| filling.is_open(*field));
                open.map(move |field| (form, field))
            })
            .collect();
        let now = all.iter().position(|place| *place == self.at).unwrap_or(0);
        let to = now.checked_add_signed(by).filter(|to| *to < all.len());
        // The last one leads to the first.
        let around = if by > 0 { 0 } else { all.len().saturating_sub(1) };
        if let Some(place) = all.get(to.unwrap_or(around)) {
            self.at = *place;
        }
    }

    /// Goes to the row above or below, or to the field there.
    fn rows(&mut self, by: isize, look: &Look, width: usize) {
        let Some(editor) = self.editor() else { return };
        match Rows::of_text(editor, look, width).beside(editor, by) {
            Some(byte) => editor.stand(byte),
            None => self.step(by),
        }
    }

    /// The drafts that are due: what has been typed since the last ones.
    pub(crate) fn due(&mut self, now: Duration) -> Vec<(&'static str, String)> {
        let waits = self.kept.is_some_and(|kept| now < kept + KEPT_EVERY);
        if waits { Vec::new() } else { self.rest(now) }
    }

    /// All drafts that were not written yet.
    pub(crate) fn rest(&mut self, now: Duration) -> Vec<(&'static str, String)> {
        let changed = self.forms.iter_mut().filter(|filling| filling.changed);
        let mut due = std::mem::take(&mut self.gone);
        due.extend(changed.map(|filling| {
            filling.changed = false;
            (filling.form.name, filling.form.text())
        }));
        for (form, text) in &due {
            self.kept = Some(now);
            self.drafts.insert((*form).to_owned(), text.clone());
        }
        due
    }

    /// Takes what stands in a draft that somebody else has written, unless more has been typed here.
    pub(crate) fn follow(&mut self, form: &str, text: Option<&str>) {
        match text {
            Some(text) => drop(self.drafts.insert(form.to_owned(), text.to_owned())),
            None => drop(self.drafts.remove(form)),
        }
        let open = self.forms.iter_mut().find(|filling| filling.form.name == form);
        let Some(filling) = open.filter(|filling| !filling.changed) else { return };
        filling.touched = text.is_some();
        if let Some(text) = text {
            filling.form.read_draft(text);
            filling.shows_values();
        }
    }

    /// Takes what the editor has made of a form.
    pub(crate) fn take_text(&mut self, form: &str, text: &str) -> Result<(), Failure> {
        let open = self.forms.iter_mut().find(|filling| filling.form.name == form);
        let Some(filling) = open else { return Ok(()) };
        let mut read = filling.form.clone();
        read.read(text)?;
        (filling.form, filling.touched) = (read, true);
        filling.shows_values();
        self.drafts.insert(form.to_owned(), text.to_owned());
        Ok(())
    }

    /// A form was accepted: it begins anew, unless more has been typed since it was sent.
    pub(crate) fn sent(&mut self, form: &str, text: &str) {
        if self.drafts.get(form).is_some_and(|draft| draft == text) {
            self.drafts.remove(form);
        }
        let sent = self.forms.iter_mut().find(|filling| filling.form.name == form);
        if let Some(filling) = sent.filter(|filling| filling.form.text() == text) {
            (filling.touched, filling.changed) = (false, false);
            self.anew = true;
        }
    }

    /// Whether something was typed into a form that was not sent.
    pub(crate) fn is_touched(&self) -> bool {
        self.forms.iter().any(|filling| filling.touched)
    }
}
