//! The arguments of `run`: which options there are and which values they take. No file is opened.

use vosim_sandbox_spec::Level;

use crate::request::plain_name;

/// Longest time limit, seconds: a day.
const SECONDS_MAX: f64 = 86_400.0;

/// The values of the options; an absent one means the limit of a submission.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Asked {
    pub(super) time_ms: Option<u64>,
    pub(super) wall_ms: Option<u64>,
    pub(super) memory: Option<u64>,
    pub(super) processes: Option<u32>,
    pub(super) output: Option<u64>,
    pub(super) mounts: Vec<String>,
    /// Name inside, path here.
    pub(super) files: Vec<(String, String)>,
    pub(super) env: Vec<(String, String)>,
    pub(super) stdin: Option<String>,
    pub(super) json: bool,
    /// Whether only the help is wanted.
    pub(super) help: bool,
    pub(super) require_level: Option<Level>,
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

/// Reads the options up to `--` or the first argument that is none.
pub(super) fn parse(words: &[String]) -> Result<Asked, String> {
    let mut asked = Asked::default();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--json" => asked.json = true,
            "--help" | "-h" => return Ok(Asked { help: true, ..Asked::default() }),
            "--" => return finish(asked, rest.next(), rest.as_slice()),
            option if option.starts_with('-') => {
                match option.split_once('=').filter(|_| option.starts_with("--")) {
                    Some((option, value)) => set(&mut asked, option, value)?,
                    None => {
                        let value = rest.next().ok_or_else(|| missing(option))?;
                        set(&mut asked, option, value)?;
                    }
                }
            }
            _ => return finish(asked, Some(word), rest.as_slice()),
        }
    }
    finish(asked, None, &[])
}

fn finish(mut asked: Asked, program: Option<&String>, rest: &[String]) -> Result<Asked, String> {
    let example = "say which program: vosim-sandbox run --time 10 -- python3 solution.py";
    asked.program = program.ok_or(example)?.clone();
    asked.arguments = rest.to_vec();
    Ok(asked)
}

fn missing(option: &str) -> String {
    format!("`{option}` is no option, or its value is missing; see `vosim-sandbox --help`")
}

fn set(asked: &mut Asked, option: &str, value: &str) -> Result<(), String> {
    let wrong = |wanted: &str| format!("{option} takes {wanted}, not `{value}`");
    match option {
        "--time" => asked.time_ms = Some(millis(value).ok_or_else(|| wrong("seconds above 0"))?),
        "--wall" => asked.wall_ms = Some(millis(value).ok_or_else(|| wrong("seconds above 0"))?),
        "--memory" => {
            asked.memory = Some(bytes(value).ok_or_else(|| wrong("bytes such as 512M"))?);
        }
        "--output" => {
            asked.output = Some(bytes(value).ok_or_else(|| wrong("bytes such as 64K"))?);
        }
        "--processes" => {
            let count = value.parse().ok().filter(|count| *count > 0);
            asked.processes = Some(count.ok_or_else(|| wrong("a number above 0"))?);
        }
        "--mount" => asked.mounts.push(value.to_owned()),
        "--file" => {
            let (name, path) = pair(value).ok_or_else(|| wrong("NAME=PATH"))?;
            if !plain_name(&name) {
                return Err(format!("--file {value}: `{name}` is not a plain file name"));
            }
            asked.files.push((name, path));
        }
        "--env" => asked.env.push(pair(value).ok_or_else(|| wrong("NAME=VALUE"))?),
        "--stdin" => asked.stdin = Some(value.to_owned()),
        "--require-level" => {
            asked.require_level = Some(level(value).ok_or_else(|| wrong("A, B or C"))?);
        }
        _ => return Err(missing(option)),
    }
    Ok(())
}

fn level(word: &str) -> Option<Level> {
    match word {
        "A" | "a" => Some(Level::A),
        "B" | "b" => Some(Level::B),
        "C" | "c" => Some(Level::C),
        _ => None,
    }
}

fn pair(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

/// Reads seconds, with a fraction, as whole milliseconds.
fn millis(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    if !(0.001..=SECONDS_MAX).contains(&seconds) {
        return None;
    }
    u64::try_from(std::time::Duration::from_secs_f64(seconds).as_millis()).ok()
}

/// Reads a number of bytes, with K, M or G for powers of 1024.
fn bytes(text: &str) -> Option<u64> {
    let (digits, shift) = match text.as_bytes().last()? {
        b'K' | b'k' => (&text[..text.len() - 1], 10),
        b'M' | b'm' => (&text[..text.len() - 1], 20),
        b'G' | b'g' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let count: u64 = digits.parse().ok()?;
    count.checked_mul(1 << shift).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Result<Asked, String> {
        parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_end_where_the_program_begins() {
        let asked = asked("--time 1.5 --memory 512M --json -- python3 --json a.py").unwrap();
        assert_eq!((asked.time_ms, asked.memory), (Some(1500), Some(512 << 20)));
        assert!(asked.json);
        assert_eq!(asked.program, "python3");
        assert_eq!(asked.arguments, ["--json", "a.py"]);
    }

    #[test]
    fn a_value_may_stand_behind_an_equals_sign() {
        let both = asked("--memory=512M --env=A=b=c -- x").unwrap();
        assert_eq!(both, asked("--memory 512M --env A=b=c -- x").unwrap());
        assert_eq!(both.env, [("A".to_owned(), "b=c".to_owned())]);
    }

    #[test]
    fn help_is_given_before_a_program_and_belongs_to_it_behind() {
        assert!(asked("--time 3 --help").unwrap().help && asked("-h").unwrap().help);
        assert!(!asked("python3 --help").unwrap().help);
        assert!(!asked("-- python3 -h").unwrap().help);
    }

    #[test]
    fn a_wrong_word_is_refused_with_what_would_be_right() {
        for (line, hint) in [
            ("--time 0 -- x", "seconds above 0"),
            ("--time NaN -- x", "seconds above 0"),
            ("--memory 99999999999G -- x", "bytes"),
            ("--memory M -- x", "bytes"),
            ("--processes 0 -- x", "above 0"),
            ("--env =x -- x", "NAME=VALUE"),
            ("--file a/b=x -- x", "`a/b` is not a plain file name"),
            ("--file ..=x -- x", "not a plain file name"),
            ("--memory= -- x", "bytes"),
            ("--json=x -- x", "--help"),
            ("--require-level E -- x", "A, B or C"),
            ("--fast -- x", "--help"),
            ("--time 3", "which program"),
        ] {
            let told = asked(line).unwrap_err();
            assert!(told.contains(hint), "{line}: {told}");
        }
    }
}
