//! A value from the file or from a variable, on its way into a setting.

use std::ffi::OsStr;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use toml::de::DeValue;

use super::values::Account;

/// A value as it was given.
#[derive(Debug)]
pub(super) enum Given<'a> {
    /// In the file.
    Toml(&'a DeValue<'a>),
    /// In a variable, always as text.
    Variable(&'a OsStr),
}

impl Given<'_> {
    /// Returns the value as a text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Toml(value) => value.as_str(),
            Self::Variable(value) => value.to_str(),
        }
    }

    /// Returns the value as yes or no: `true` or `false`.
    pub(super) fn flag(&self) -> Option<bool> {
        match self {
            Self::Toml(value) => value.as_bool(),
            Self::Variable(value) => value.to_str()?.parse().ok(),
        }
    }

    /// Returns the value as a whole number in a range.
    pub(super) fn number(&self, range: RangeInclusive<u64>) -> Option<u64> {
        let number = match self {
            Self::Toml(value) => {
                let integer = value.as_integer()?;
                u64::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            Self::Variable(value) => value.to_str()?.parse().ok(),
        };
        number.filter(|number| range.contains(number))
    }

    /// Returns the value as an absolute path; in a variable it need not be UTF-8.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let path: PathBuf = match self {
            Self::Toml(value) => value.as_str()?.into(),
            Self::Variable(value) => value.into(),
        };
        path.is_absolute().then_some(path)
    }

    /// Returns the value as accounts, `UID` or `FIRST-LAST`, alone or with `:GID`, none of them
    /// root's.
    pub(super) fn account(&self) -> Option<Account> {
        let whole = self.number(1..=u64::from(u32::MAX)).map(|id| id.to_string());
        let text = whole.as_deref().or_else(|| self.text())?;
        let (range, gid) =
            text.split_once(':').map_or((text, None), |(range, gid)| (range, Some(gid)));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (uid, last) = (first.parse().ok()?, last.parse().ok()?);
        let gid = gid.map_or(Some(uid), |gid| gid.parse().ok())?;
        (uid > 0 && gid > 0 && uid <= last).then_some(Account { uid, last, gid })
    }
}

impl fmt::Display for Given<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Toml(DeValue::String(text)) => write!(f, "{:?}", shortened(text)),
            Self::Toml(DeValue::Integer(number)) => write!(f, "{}", shortened(number.as_str())),
            Self::Toml(DeValue::Boolean(yes)) => write!(f, "{yes}"),
            Self::Toml(DeValue::Array(_)) => f.write_str("a list"),
            Self::Toml(DeValue::Table(_)) => f.write_str("a section"),
            Self::Toml(DeValue::Float(_)) => f.write_str("a number with a fraction"),
            Self::Toml(DeValue::Datetime(_)) => f.write_str("a date"),
            Self::Variable(value) => write!(f, "{:?}", shortened(&value.to_string_lossy())),
        }
    }
}

/// Returns enough of a text to recognise it in a sentence.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
