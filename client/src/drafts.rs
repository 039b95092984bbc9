//! What is typed into forms stays on disk until it was sent: it outlives an editor, a terminal and a
//! daemon that end in between.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use vosim_protocol::SessionId;
use vosim_protocol::trouble::Location;

use crate::errors::Failure;
use crate::files::{make_folder, text_file, unreadable};
use crate::form::FORM_MAX_BYTES;
use crate::places::Places;
use crate::put::{Kind, Over, Target};

/// The drafts of one session, by the names of their forms.
#[derive(Clone, Debug)]
pub(crate) struct Drafts {
    folder: PathBuf,
    /// The store's folder, in which no draft is put.
    data: PathBuf,
    session: SessionId,
}

impl Drafts {
    /// Makes the private folder where there is none.
    pub(crate) fn of(session: SessionId) -> Result<Self, Failure> {
        let places = Places::from_env()?;
        let paths = places.paths()?;
        Self::in_folder(paths.state.join("drafts"), paths.data.clone(), session)
    }

    fn in_folder(folder: PathBuf, data: PathBuf, session: SessionId) -> Result<Self, Failure> {
        make_folder(&folder, Location::Log)?;
        Ok(Self { folder, data, session })
    }

    /// Where the draft of a form stands.
    pub(crate) fn path(&self, form: &str) -> PathBuf {
        self.folder.join(format!("{}{form}.txt", self.prefix()))
    }

    fn prefix(&self) -> String {
        format!("{}-", self.session)
    }

    /// The draft of a form, if there is one.
    pub(crate) fn read(&self, form: &str) -> Result<Option<String>, Failure> {
        let path = self.path(form);
        match path.symlink_metadata() {
            Ok(_) => text_file(&path, "a draft", FORM_MAX_BYTES).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(&path, &error)),
        }
    }

    /// All drafts that can be read, without those that were put aside.
    pub(crate) fn all(&self) -> BTreeMap<String, String> {
        let Ok(found) = fs::read_dir(&self.folder) else { return BTreeMap::new() };
        let names = found.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let prefix = self.prefix();
        let forms = names
            .filter_map(|name| name.strip_prefix(&prefix)?.strip_suffix(".txt").map(str::to_owned));
        let forms = forms.filter(|form| !form.contains('.'));
        forms.filter_map(|form| Some((form.clone(), self.read(&form).ok()??))).collect()
    }

    /// Writes a draft, whole or not at all. What somebody else has written there since it was `known` is
    /// put aside; answers where.
    pub(crate) fn keep(
        &self,
        form: &str,
        text: &str,
        known: Option<&str>,
    ) -> Result<Option<PathBuf>, Failure> {
        let path = self.path(form);
        let there = self.read(form)?;
        let foreign = there.filter(|there| Some(there.as_str()) != known && there != text);
        let aside = match &foreign {
            Some(foreign) => Some(self.put_aside(form, foreign)?),
            None => None,
        };
        self.put(&path, text)?;
        Ok(aside)
    }

    fn put_aside(&self, form: &str, text: &str) -> Result<PathBuf, Failure> {
        let named = |n: u32| self.folder.join(format!("{}{form}.{n}.txt", self.prefix()));
        let free = (1..).map(named).find(|path| path.symlink_metadata().is_err());
        let path = free.unwrap_or_else(|| named(0));
        self.put(&path, text)?;
        Ok(path)
    }

    fn put(&self, path: &Path, text: &str) -> Result<(), Failure> {
        Target::at(path, Kind::Draft, Over::AnyFile, &self.data)?.write(text.as_bytes())
    }

    /// Removes a draft that was sent, unless something else stands there by now.
    pub(crate) fn sent(&self, form: &str, text: &str) {
        if self.read(form).is_ok_and(|there| there.as_deref() == Some(text)) {
            // One that stays is offered once more.
            fs::remove_file(self.path(form)).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use uuid::Uuid;

    use super::*;

    fn drafts(dir: &Path) -> Drafts {
        Drafts::in_folder(dir.join("state/drafts"), dir.join("data"), SessionId(Uuid::nil()))
            .unwrap()
    }

    #[test]
    fn a_draft_is_what_was_typed_last_until_it_was_sent() {
        let dir = tempfile::tempdir().unwrap();
        let drafts = drafts(dir.path());
        assert_eq!(drafts.read("plan").unwrap(), None);
        assert_eq!(drafts.keep("plan", "one", None).unwrap(), None);
        assert_eq!(drafts.keep("plan", "two", Some("one")).unwrap(), None);
        assert_eq!(drafts.all(), BTreeMap::from([("plan".to_owned(), "two".to_owned())]));
        let mode = drafts.path("plan").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drafts.sent("plan", "one");
        assert_eq!(
            drafts.read("plan").unwrap().as_deref(),
            Some("two"),
            "it was changed meanwhile"
        );
        drafts.sent("plan", "two");
        assert_eq!(drafts.read("plan").unwrap(), None);
    }

    #[test]
    fn what_somebody_else_wrote_is_put_aside_and_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        let drafts = drafts(dir.path());
        drafts.keep("plan", "mine", None).unwrap();
        fs::write(drafts.path("plan"), "theirs").unwrap();
        let aside = drafts.keep("plan", "mine, longer", Some("mine")).unwrap().unwrap();
        assert_eq!(fs::read_to_string(aside).unwrap(), "theirs");
        assert_eq!(drafts.read("plan").unwrap().as_deref(), Some("mine, longer"));
    }

    #[test]
    fn nothing_but_a_file_is_written_over() {
        let dir = tempfile::tempdir().unwrap();
        let drafts = drafts(dir.path());
        symlink("/dev/zero", drafts.path("plan")).unwrap();
        assert!(drafts.keep("plan", "mine", None).is_err());
        fs::create_dir(drafts.path("understand")).unwrap();
        assert!(drafts.keep("understand", "mine", None).is_err());
    }
}
