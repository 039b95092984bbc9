//! What the four tools do (002 4.2), first as an answer and a change that was not made yet.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use vosim_protocol::blob::Blob;
use vosim_protocol::ids::Hash;
use vosim_protocol::wire::Json;

use super::beneath::{FILE_MAX_BYTES, FileChange, Workspace};
use super::calls::FileCall;
use super::listing;
use super::name::FileName;
use super::refusal::FileRefusal;
use super::text;

/// Most places of a passage that are told.
const PLACES_MAX: usize = 8;

/// What each file held when the model last read or wrote it. A write over anything else is refused, so
/// that no save of the user's is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seen(BTreeMap<FileName, Hash>);

/// How a call comes out.
#[derive(Clone, Debug, PartialEq)]
pub struct FileAnswer {
    /// The result for the model.
    pub told: Json,
    /// Why it was not carried out.
    pub refusal: Option<FileRefusal>,
    /// The file that the model knows now, with its hash; nothing for one that is gone.
    pub seen: Option<(FileName, Option<Hash>)>,
}

/// A call that was looked at: its answer, and what is to be carried out for it to be true.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreseen {
    /// The answer.
    pub answer: FileAnswer,
    /// The change; nothing where the call changes nothing.
    pub change: Option<FileChange>,
}

impl Seen {
    /// Takes an answer into account.
    pub fn note(&mut self, seen: Option<(FileName, Option<Hash>)>) {
        match seen {
            Some((path, Some(hash))) => drop(self.0.insert(path, hash)),
            Some((path, None)) => drop(self.0.remove(&path)),
            None => {}
        }
    }

    fn of(&self, path: &FileName) -> Option<&Hash> {
        self.0.get(path)
    }
}

impl Workspace {
    /// Looks at what a call would do. Nothing is written.
    pub fn foresee(&self, seen: &Seen, call: &FileCall) -> Foreseen {
        let looked = match call {
            FileCall::Create { path, content } => self.create(seen, path, content),
            FileCall::Read { path } => self.read(path),
            FileCall::List => Ok(self.list()),
            FileCall::Edit { path, old, new } => self.edit(seen, path, old, new),
        };
        looked.unwrap_or_else(Foreseen::refused)
    }

    /// Carries out a call, and takes down what the model has seen by it.
    pub fn act(&self, seen: &mut Seen, call: &FileCall) -> Foreseen {
        let mut foreseen = self.foresee(seen, call);
        let done = foreseen.change.as_ref().map_or(Ok(()), |change| self.carry_out(change));
        if let Err(refusal) = done {
            foreseen = Foreseen::refused(refusal);
        }
        seen.note(foreseen.answer.seen.clone());
        foreseen
    }

    /// The names of all files, without those of tools and of version control: what is scanned.
    pub fn files(&self) -> Vec<FileName> {
        let listing = listing::list(self, usize::MAX);
        listing.files.iter().filter_map(|file| FileName::parse(&file.path).ok()).collect()
    }

    fn create(&self, seen: &Seen, path: &FileName, content: &str) -> Result<Foreseen, FileRefusal> {
        if content.contains('\0') {
            return Err(FileRefusal::NotText);
        }
        let present = self.look(path)?;
        let before = present.as_ref().map(|present| text_of(path, &present.bytes)).transpose()?;
        let after = before
            .map_or_else(|| content.to_owned(), |before| text::in_the_manner_of(before, content));
        if before == Some(after.as_str()) {
            return Ok(unchanged(path, &after));
        }
        guard(seen, path, before)?;
        if let Some(line) = text::placeholder(content).filter(|_| before.is_some()) {
            return Err(FileRefusal::Placeholder { line });
        }
        written(path, before, after)
    }

    fn edit(
        &self,
        seen: &Seen,
        path: &FileName,
        old: &str,
        new: &str,
    ) -> Result<Foreseen, FileRefusal> {
        if old == new {
            return Err(FileRefusal::SameText);
        }
        if new.contains('\0') {
            return Err(FileRefusal::NotText);
        }
        let present = self.look(path)?;
        let present = present.ok_or_else(|| FileRefusal::NotFound { path: path.to_string() })?;
        let before = text_of(path, &present.bytes)?;
        guard(seen, path, Some(before))?;
        let ends = text::LineEnds::of(before);
        let (old, new) = (ends.given(old), ends.given(new));
        let places = if old.is_empty() { Vec::new() } else { text::places(before, &old) };
        match places[..] {
            [] => Err(FileRefusal::NoMatch { path: path.to_string() }),
            [at] => {
                let after = [&before[..at], &new, &before[at + old.len()..]].concat();
                written(path, Some(before), after)
            }
            _ => {
                let line = |at: &usize| before[..*at].matches('\n').count() + 1;
                let lines = places.iter().take(PLACES_MAX).map(line).collect();
                Err(FileRefusal::ManyMatches { path: path.to_string(), lines })
            }
        }
    }

    fn read(&self, path: &FileName) -> Result<Foreseen, FileRefusal> {
        let present = self.look(path)?;
        let present = present.ok_or_else(|| FileRefusal::NotFound { path: path.to_string() })?;
        let content = text_of(path, &present.bytes)?;
        let told = json!({
            "success": true,
            "path": path.as_str(),
            "content": content,
            "size_bytes": content.len(),
        });
        Ok(Foreseen::answered(told, Some((path.clone(), Some(Hash::of(&present.bytes))))))
    }

    fn list(&self) -> Foreseen {
        let mut told = json!({ "success": true });
        // Plain texts and numbers: this cannot fail.
        let listing =
            serde_json::to_value(listing::list(self, listing::TOLD_MAX)).unwrap_or_default();
        if let (Json::Object(told), Json::Object(listing)) = (&mut told, listing) {
            told.extend(listing);
        }
        Foreseen::answered(told, None)
    }
}

impl Foreseen {
    const fn answered(told: Json, seen: Option<(FileName, Option<Hash>)>) -> Self {
        Self { answer: FileAnswer { told, refusal: None, seen }, change: None }
    }

    /// A call that is not carried out. Whoever is told what a file holds has seen it.
    pub fn refused(refusal: FileRefusal) -> Self {
        let named = |path: &String| FileName::parse(path).ok();
        let seen = match &refusal {
            FileRefusal::Stale { path, now } => {
                let hash = now.as_ref().map(|now| Hash::of(now.as_bytes()));
                named(path).map(|path| (path, hash))
            }
            FileRefusal::Unread { path, now } => {
                named(path).map(|path| (path, Some(Hash::of(now.as_bytes()))))
            }
            _ => None,
        };
        let told = refusal.told();
        Self { answer: FileAnswer { told, refusal: Some(refusal), seen }, change: None }
    }
}

/// Refuses to write over what the model does not know, and where nobody would look.
fn guard(seen: &Seen, path: &FileName, now: Option<&str>) -> Result<(), FileRefusal> {
    if listing::is_left_out(path) {
        return Err(FileRefusal::Protected { path: path.to_string() });
    }
    match (seen.of(path), now) {
        (None, None) => Ok(()),
        (Some(known), Some(now)) if *known == Hash::of(now.as_bytes()) => Ok(()),
        (None, Some(now)) => {
            Err(FileRefusal::Unread { path: path.to_string(), now: now.to_owned() })
        }
        (Some(_), _) => {
            Err(FileRefusal::Stale { path: path.to_string(), now: now.map(str::to_owned) })
        }
    }
}

fn text_of<'a>(path: &FileName, bytes: &'a [u8]) -> Result<&'a str, FileRefusal> {
    let binary = || FileRefusal::Binary { path: path.to_string(), bytes: bytes.len() };
    text::of_bytes(bytes).ok_or_else(binary)
}

fn unchanged(path: &FileName, content: &str) -> Foreseen {
    let told = json!({
        "success": true,
        "path": path.as_str(),
        "bytes_written": 0,
        "unchanged": true,
    });
    Foreseen::answered(told, Some((path.clone(), Some(Hash::of(content.as_bytes())))))
}

fn written(path: &FileName, before: Option<&str>, after: String) -> Result<Foreseen, FileRefusal> {
    let bytes = after.len();
    if bytes > FILE_MAX_BYTES {
        return Err(FileRefusal::TooLarge { path: path.to_string(), bytes, max: FILE_MAX_BYTES });
    }
    let told = json!({ "success": true, "path": path.as_str(), "bytes_written": bytes });
    let seen = Some((path.clone(), Some(Hash::of(after.as_bytes()))));
    let blob = |text: &str| Blob(text.as_bytes().to_vec());
    let change = FileChange {
        path: path.clone(),
        before: before.map(blob),
        after: Some(Blob(after.into_bytes())),
    };
    Ok(Foreseen { change: Some(change), ..Foreseen::answered(told, seen) })
}
