//! Keeps drafts on a thread of its own, so that a slow disk holds up no key, and tells when somebody else
//! has written one: the same session on another terminal, or an editor.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::drafts::Drafts;
use crate::edit::in_editor;
use crate::errors::{Failure, usage_error};
use crate::files::text_file;
use crate::form::FORM_MAX_BYTES;
use crate::tui::app::Msg;

/// How often it looks for drafts that others have written.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What is to be done with a draft.
#[derive(Debug)]
pub(crate) enum Keep {
    Write {
        form: &'static str,
        text: String,
    },
    Sent {
        form: &'static str,
        text: String,
    },
    /// The editor has written it.
    Edited {
        form: &'static str,
        text: String,
    },
    /// Says when all of the above is done.
    Tell(Sender<()>),
}

/// What keeps drafts, and the way to it; nothing is kept where there is no place for it.
#[derive(Debug)]
pub(crate) struct Keeping {
    to: Option<(Drafts, Sender<Keep>, JoinHandle<()>)>,
}

impl Keeping {
    pub(crate) fn start<V: Send + 'static>(
        drafts: Option<Drafts>,
        known: BTreeMap<String, String>,
        out: &SyncSender<Msg<V>>,
    ) -> Result<Self, Failure> {
        let Some(drafts) = drafts else { return Ok(Self { to: None }) };
        let (inbox, keeps) = channel();
        let (ours, out) = (drafts.clone(), out.clone());
        let serve = move || serve(&ours, known, &keeps, &out);
        let thread = thread::Builder::new().name("drafts".to_owned()).spawn(serve);
        let thread = thread.map_err(anyhow::Error::from)?;
        Ok(Self { to: Some((drafts, inbox, thread)) })
    }

    pub(crate) fn send(&self, keep: Keep) {
        if let Some((_, inbox, _)) = &self.to {
            // It ends with us.
            inbox.send(keep).ok();
        }
    }

    /// Has a form filled in the editor.
    pub(crate) fn edited(&self, form: &'static str, text: String) -> Result<String, Failure> {
        let Some((drafts, inbox, _)) = &self.to else {
            return Err(usage_error("there is no place for a file to be edited".to_owned()));
        };
        let (done, told) = channel();
        self.send(Keep::Write { form, text });
        if inbox.send(Keep::Tell(done)).is_ok() {
            // The file is there, or it is said that it could not be written.
            told.recv().ok();
        }
        let path = drafts.path(form);
        in_editor(&path)?;
        let text = text_file(&path, "a form", FORM_MAX_BYTES)?;
        self.send(Keep::Edited { form, text: text.clone() });
        Ok(text)
    }

    /// Keeps what was typed last, and waits until that is done.
    pub(crate) fn finish(self, rest: Vec<(&'static str, String)>) {
        let Some((_, inbox, thread)) = self.to else { return };
        for (form, text) in rest {
            inbox.send(Keep::Write { form, text }).ok();
        }
        drop(inbox);
        // A panic in it has been told where it happened.
        thread.join().ok();
    }
}

/// Keeps what comes until nobody sends any more.
fn serve<V>(
    drafts: &Drafts,
    mut known: BTreeMap<String, String>,
    inbox: &Receiver<Keep>,
    out: &SyncSender<Msg<V>>,
) {
    loop {
        let told = match inbox.recv_timeout(LOOK_EVERY) {
            Ok(keep) => keep_one(drafts, &mut known, keep).map(Msg::Kept).into_iter().collect(),
            Err(RecvTimeoutError::Timeout) => foreign(drafts, &mut known),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        for msg in told {
            // Where the screen is gone its last drafts are written all the same.
            out.send(msg).ok();
        }
    }
}

/// Does one thing; answers what there is to say about it.
fn keep_one(drafts: &Drafts, known: &mut BTreeMap<String, String>, keep: Keep) -> Option<String> {
    match keep {
        Keep::Write { form, text } => {
            let kept = drafts.keep(form, &text, known.get(form).map(String::as_str));
            match kept {
                Ok(aside) => {
                    known.insert(form.to_owned(), text);
                    let aside = aside?;
                    Some(format!(
                        "Somebody else wrote in the same form; their text is kept in {}.",
                        aside.display()
                    ))
                }
                Err(failure) => Some(format!("What you type is not kept on disk: {failure}.")),
            }
        }
        Keep::Sent { form, text } => {
            drafts.sent(form, &text);
            known.remove(form);
            None
        }
        Keep::Edited { form, text } => {
            known.insert(form.to_owned(), text);
            None
        }
        Keep::Tell(done) => {
            // Who does not wait any more need not be told.
            done.send(()).ok();
            None
        }
    }
}

/// What others have written or removed since the last look.
fn foreign<V>(drafts: &Drafts, known: &mut BTreeMap<String, String>) -> Vec<Msg<V>> {
    let now = drafts.all();
    let gone = known.keys().filter(|form| !now.contains_key(*form)).cloned();
    let gone = gone.map(|form| Msg::Draft { form, text: None });
    let new = now.iter().filter(|(form, text)| known.get(*form) != Some(text));
    let new = new.map(|(form, text)| Msg::Draft { form: form.clone(), text: Some(text.clone()) });
    let told = gone.chain(new).collect();
    *known = now;
    told
}
