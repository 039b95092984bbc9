//! The options with which the daemon starts the helper. They only name things; whether those can be
//! used is seen later.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::account::Accounts;

/// The settings of a run that are not in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The accounts of which a helper takes one when it is root.
    pub(crate) accounts: Accounts,
    /// The delegated control group; without it, the one around our own leaf is taken.
    pub(crate) place: Option<PathBuf>,
    /// The program that leads an approved network outside; without it, the installed one is taken.
    pub(crate) slirp: Option<PathBuf>,
}

impl Options {
    /// Reads pairs of an option and its value; the error is one sentence for the user.
    pub(crate) fn parse(words: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut rest = words.iter();
        while let Some(option) = rest.next() {
            match (option.as_str(), rest.next()) {
                ("--user", Some(name)) => options.accounts = user(name)?,
                ("--cgroup", Some(dir)) if dir.starts_with('/') => options.place = Some(dir.into()),
                ("--cgroup", Some(dir)) => {
                    return Err(format!("--cgroup takes an absolute path, not `{dir}`"));
                }
                ("--slirp4netns", Some(path)) if path.starts_with('/') => {
                    options.slirp = Some(path.into());
                }
                ("--slirp4netns", Some(path)) => {
                    return Err(format!("--slirp4netns takes an absolute path, not `{path}`"));
                }
                _ => {
                    return Err("it takes `run`, `probe`, `--user`, `--cgroup`, `--slirp4netns`, \
                                `--version` or `--help`"
                        .to_owned());
                }
            }
        }
        Ok(options)
    }

    /// Returns the options as arguments.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let Accounts { first, last, gid } = self.accounts;
        let mut words = vec!["--user".into(), format!("{first}-{last}:{gid}").into()];
        if let Some(place) = &self.place {
            words.extend(["--cgroup".into(), place.into()]);
        }
        if let Some(slirp) = &self.slirp {
            words.extend(["--slirp4netns".into(), slirp.into()]);
        }
        words
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { accounts: Accounts::usual(), place: None, slirp: None }
    }
}

/// Reads the accounts of `--user`.
pub(crate) fn user(name: &str) -> Result<Accounts, String> {
    let wanted = "UID, FIRST-LAST or either with :GID, above 0";
    accounts(name).ok_or_else(|| format!("--user takes {wanted}, not `{name}`"))
}

fn accounts(text: &str) -> Option<Accounts> {
    let (range, gid) = text.split_once(':').map_or((text, None), |(range, gid)| (range, Some(gid)));
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    let gid = gid.map_or(Some(first), |gid| gid.parse().ok())?;
    (first > 0 && gid > 0 && first <= last).then_some(Accounts { first, last, gid })
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
        let slirp = ["--slirp4netns", "/opt/slirp4netns"];
        let all = [&["--cgroup", "/sys/fs/cgroup/x", "--user", "5:6"], &slirp[..]].concat();
        let both = parse(&all).unwrap();
        assert_eq!(both.accounts, Accounts { first: 5, last: 5, gid: 6 });
        assert_eq!(both.place, Some("/sys/fs/cgroup/x".into()));
        assert_eq!(both.slirp, Some("/opt/slirp4netns".into()));
        let words = both.words().into_iter().map(|word| word.into_string().unwrap());
        assert_eq!(Options::parse(&words.collect::<Vec<_>>()), Ok(both));
    }

    #[test]
    fn an_account_is_never_root() {
        let of = |first, last, gid| Some(Accounts { first, last, gid });
        assert_eq!(accounts("1000:100"), of(1000, 1000, 100));
        assert_eq!(accounts("1000"), of(1000, 1000, 1000));
        assert_eq!(accounts("70000-70009"), of(70_000, 70_009, 70_000));
        assert_eq!(accounts("70000-70009:5"), of(70_000, 70_009, 5));
        for wrong in ["0", "1000:0", "", "x", "-1", ":", "0-5", "9-5", "5-", "5:6:7"] {
            assert_eq!(accounts(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn wrong_words_are_named() {
        for words in [&["--what"][..], &["--user"], &["--user", "0"], &["--cgroup", "x"]]
            .into_iter()
            .chain([&["--slirp4netns", "x"][..]])
        {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
