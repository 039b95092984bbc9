//! Forms: fields with headings, filled on the live screen or as a text in an editor.
//!
//! The text is also the draft on disk, so both ways of filling a form go on where the other has stopped.

use crate::errors::{Failure, usage_error};

/// Longest text of a form that is read, bytes.
pub(crate) const FORM_MAX_BYTES: u64 = 256 * 1024;

/// What can be filled and then sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Its name among the forms of its kind of sessions.
    pub(crate) name: &'static str,
    /// What is done by sending it: "Explain the problem".
    pub(crate) title: &'static str,
    pub(crate) fields: Vec<Field>,
}

/// One place of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its name in the form.
    pub(crate) name: String,
    pub(crate) heading: String,
    /// What belongs there, one line.
    pub(crate) about: String,
    pub(crate) takes: Takes,
    /// What stands there.
    pub(crate) value: String,
    /// The field and its value with which alone this one counts.
    pub(crate) only_with: Option<(&'static str, String)>,
}

/// What can stand in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Any number of lines.
    Text,
    /// One line.
    Line,
    /// One of these.
    One(Vec<Choice>),
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) value: String,
    /// What is read beside it, if it does not say all by itself.
    pub(crate) text: String,
}

impl Choice {
    /// What is read of it.
    pub(crate) fn shown(&self) -> &str {
        if self.text.is_empty() { &self.value } else { &self.text }
    }
}

impl Field {
    /// An empty field.
    pub(crate) fn new(name: &str, heading: &str, about: &str, takes: Takes) -> Self {
        let (name, heading, about) = (name.to_owned(), heading.to_owned(), about.to_owned());
        Self { name, heading, about, takes, value: String::new(), only_with: None }
    }

    /// The same with something in it.
    #[must_use]
    pub(crate) fn holding(self, value: &str) -> Self {
        Self { value: value.to_owned(), ..self }
    }

    /// What may be chosen here; nothing where one writes.
    pub(crate) fn choices(&self) -> &[Choice] {
        match &self.takes {
            Takes::One(choices) => choices,
            Takes::Text | Takes::Line => &[],
        }
    }

    /// Takes what a line or a text of a form says of the field.
    fn read(&mut self, text: &str) -> Result<(), Failure> {
        let text = text.trim();
        self.value = match &self.takes {
            Takes::Text => text.to_owned(),
            Takes::Line if text.contains('\n') => {
                return Err(no_form(&format!("the field '{}' takes one line", self.heading)));
            }
            Takes::Line => text.to_owned(),
            Takes::One(_) if text.is_empty() => String::new(),
            Takes::One(choices) => {
                let known = choices.iter().find(|choice| choice.value == text);
                let known = known.ok_or_else(|| {
                    no_form(&format!("the field '{}' has no choice '{text}'", self.heading))
                })?;
                known.value.clone()
            }
        };
        Ok(())
    }
}

impl Form {
    /// What stands in a field, without blanks around it; nothing where the field does not count.
    pub(crate) fn value(&self, name: &str) -> &str {
        let field = self.fields.iter().find(|field| field.name == name);
        field.filter(|field| self.counts(field)).map_or("", |field| field.value.trim())
    }

    /// Whether what stands in a field is of any use.
    pub(crate) fn counts(&self, field: &Field) -> bool {
        field.only_with.as_ref().is_none_or(|(name, value)| {
            self.fields.iter().any(|other| other.name == *name && other.value == *value)
        })
    }

    /// The form as a text to be edited.
    pub(crate) fn text(&self) -> String {
        let head =
            format!("# {}. Lines that begin with # are not sent. Keep the headings.", self.title);
        self.fields.iter().fold(head + "\n", |mut text, field| {
            text.push_str(&format!("\n== {} ==\n", field.heading));
            if !field.about.is_empty() {
                text.push_str(&format!("# {}.\n", field.about));
            }
            for Choice { value, text: meaning } in field.choices() {
                let meaning =
                    if meaning.is_empty() { String::new() } else { format!(": {meaning}") };
                text.push_str(&format!("# {value}{meaning}\n"));
            }
            for line in field.value.lines() {
                let mark = if is_marked(line) { "\\" } else { "" };
                text.push_str(&format!("{mark}{line}\n"));
            }
            text
        })
    }

    /// Takes what an edited text says; a field that it does not name stays as it is.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), Failure> {
        for (at, said) in self.parts(text)? {
            self.fields[at].read(&said)?;
        }
        Ok(())
    }

    /// The same with what can still be chosen: the session may have gone on since the text was written.
    pub(crate) fn read_draft(&mut self, text: &str) {
        for (at, said) in self.parts(text).unwrap_or_default() {
            // What is no choice any more is chosen anew.
            self.fields[at].read(&said).ok();
        }
    }

    /// The fields that a text names, with what it says of them.
    fn parts(&self, text: &str) -> Result<Vec<(usize, String)>, Failure> {
        let mut parts: Vec<(usize, String)> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let heading = line.trim().strip_prefix("== ").and_then(|line| line.strip_suffix(" =="));
            match (heading, parts.last_mut()) {
                (Some(heading), _) => {
                    let known = |field: &Field| field.heading == heading.trim();
                    let at = self.fields.iter().position(known);
                    let at = at.ok_or_else(|| no_form(&format!("it has no field '{heading}'")))?;
                    parts.push((at, String::new()));
                }
                (None, Some((_, said))) => {
                    let bare = line.strip_prefix('\\').filter(|bare| is_marked(bare));
                    said.push_str(bare.unwrap_or(line));
                    said.push('\n');
                }
                (None, None) if line.trim().is_empty() => {}
                (None, None) => return Err(no_form("a text stands above its first heading")),
            }
        }
        Ok(parts)
    }
}

/// Whether a line of a value would be taken for something else in the text.
fn is_marked(line: &str) -> bool {
    line.starts_with(['#', '\\']) || line.trim_start().starts_with("== ")
}

fn no_form(why: &str) -> Failure {
    usage_error(format!("this is not the form: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Form {
        let sure = ["1", "2"].map(|value| Choice { value: value.to_owned(), text: String::new() });
        let only_with = Some(("sure", "2".to_owned()));
        let last = Field { only_with, ..Field::new("why", "Why", "", Takes::Line) };
        Form {
            name: "plan",
            title: "Choose",
            fields: vec![
                Field::new("words", "In your words", "A few sentences", Takes::Text),
                Field::new("sure", "How sure you are", "", Takes::One(sure.into())),
                last,
            ],
        }
    }

    #[test]
    fn a_form_is_read_field_by_field_and_its_comments_are_left_out() {
        let mut form = form();
        let text = form.text();
        assert_eq!(
            text,
            "# Choose. Lines that begin with # are not sent. Keep the headings.\n\n\
             == In your words ==\n# A few sentences.\n\n\
             == How sure you are ==\n# 1\n# 2\n\n== Why ==\n"
        );
        let filled = text
            .replace("# A few sentences.", "# Mine.\nIt keeps keys.\n\nA few.")
            .replace("# 2\n", "2\n");
        form.read(&filled).unwrap();
        assert_eq!(form.value("words"), "It keeps keys.\n\nA few.");
        assert_eq!(form.value("sure"), "2");
    }

    #[test]
    fn whatever_is_typed_is_the_same_after_the_way_over_the_disk() {
        for typed in ["# no comment\nx", "== Why ==", "\\# a\n\\\\b\n  == c", "a\n\n# b\n漢字 👩‍👩‍👧"]
        {
            let mut form = form();
            form.fields[0].value = typed.to_owned();
            let mut back = self::form();
            back.read(&form.text()).unwrap();
            assert_eq!(back, form, "{typed}");
        }
    }

    #[test]
    fn a_field_that_hangs_on_another_counts_only_with_it() {
        let mut form = form();
        form.fields[2].value = "so".to_owned();
        assert_eq!(form.value("why"), "");
        form.fields[1].value = "2".to_owned();
        assert_eq!(form.value("why"), "so");
    }

    #[test]
    fn what_is_no_form_says_so_and_a_draft_is_taken_as_far_as_it_can_be() {
        for (text, why) in [
            ("hello\n", "a text stands above its first heading"),
            ("== Other ==\n", "it has no field 'Other'"),
            ("== How sure you are ==\n7\n", "the field 'How sure you are' has no choice '7'"),
            ("== Why ==\na\nb\n", "the field 'Why' takes one line"),
        ] {
            let failure = form().read(text).unwrap_err().to_string();
            assert_eq!(failure, format!("this is not the form: {why}"), "{text}");
        }
        let mut form = form();
        form.read_draft("== How sure you are ==\n7\n== Why ==\nso\n");
        assert_eq!((form.value("sure"), form.fields[2].value.as_str()), ("", "so"));
    }
}
