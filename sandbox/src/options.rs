//! The options with which the daemon starts the helper. They only name things; whether those can be
//! used is seen later.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::account::{Account, NOBODY};

/// The settings of a run that are not in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The account that a helper changes to when it is root.
    pub(crate) account: Account,
    /// The delegated control group; without it, the one around our own leaf is taken.
    pub(crate) place: Option<PathBuf>,
}

impl Options {
    /// Reads pairs of an option and its value; the error is one sentence for the user.
    pub(crate) fn parse(words: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut rest = words.iter();
        while let Some(option) = rest.next() {
            match (option.as_str(), rest.next()) {
                ("--user", Some(name)) => options.account = user(name)?,
                ("--cgroup", Some(dir)) if dir.starts_with('/') => options.place = Some(dir.into()),
                ("--cgroup", Some(dir)) => {
                    return Err(format!("--cgroup takes an absolute path, not `{dir}`"));
                }
                _ => {
                    return Err(
                        "it takes `run`, `probe`, `--user`, `--cgroup`, `--version` or `--help`"
                            .to_owned(),
                    );
                }
            }
        }
        Ok(options)
    }

    /// Returns the options as arguments.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let account = format!("{}:{}", self.account.uid, self.account.gid);
        let mut words = vec!["--user".into(), account.into()];
        if let Some(place) = &self.place {
            words.extend(["--cgroup".into(), place.into()]);
        }
        words
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { account: NOBODY, place: None }
    }
}

/// Reads the account of `--user`.
pub(crate) fn user(name: &str) -> Result<Account, String> {
    account(name).ok_or_else(|| format!("--user takes UID or UID:GID above 0, not `{name}`"))
}

fn account(text: &str) -> Option<Account> {
    let (uid, gid) = text.split_once(':').unwrap_or((text, text));
    let (uid, gid) = (uid.parse().ok()?, gid.parse().ok()?);
    (uid > 0 && gid > 0).then_some(Account { uid, gid })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Options, String> {
        Options::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn without_words_there_is_nobody_and_no_place() {
        assert_eq!(parse(&[]), Ok(Options::default()));
        let both = parse(&["--cgroup", "/sys/fs/cgroup/x", "--user", "5:6"]).unwrap();
        assert_eq!(both.account, Account { uid: 5, gid: 6 });
        assert_eq!(both.place, Some("/sys/fs/cgroup/x".into()));
        let words = both.words().into_iter().map(|word| word.into_string().unwrap());
        assert_eq!(Options::parse(&words.collect::<Vec<_>>()), Ok(both));
    }

    #[test]
    fn an_account_is_never_root() {
        assert_eq!(account("1000:100"), Some(Account { uid: 1000, gid: 100 }));
        assert_eq!(account("1000"), Some(Account { uid: 1000, gid: 1000 }));
        for wrong in ["0", "1000:0", "", "x", "-1", ":"] {
            assert_eq!(account(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn wrong_words_are_named() {
        for words in [&["--what"][..], &["--user"], &["--user", "0"], &["--cgroup", "x"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
