//! The daemon, its settings, its store and its health.

use vosim_protocol::trouble::size;
use vosim_protocol::v1::service::{
    Check, CheckStatus, ConfigResult, DoctorResult, Setting, StatusResult, StoreStats,
};

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::{clean, columns, count, sentence};

pub(crate) fn daemon(status: &StatusResult, socket: &str, look: &Look) -> String {
    let current = status.current.map_or("none".to_owned(), |id| id.to_string());
    let awake = format!("{} ({} awake)", status.sessions, status.awake);
    fields(
        look,
        &[
            ("Daemon", format!("{} {}, running", status.daemon.name, status.daemon.version)),
            ("Process", status.pid.to_string()),
            ("Started", look.moment(status.started)),
            ("Socket", socket.to_owned()),
            ("Data", status.data.clone()),
            ("Sessions", awake),
            ("Current", current),
            ("Connections", status.connections.to_string()),
        ],
    )
}

pub(crate) fn store(stats: &StoreStats, look: &Look) -> String {
    fields(
        look,
        &[
            ("Backend", stats.backend.clone()),
            ("Sessions", stats.sessions.to_string()),
            ("Live", size(stats.live_bytes)),
            ("On disk", size(stats.disk_bytes)),
        ],
    )
}

pub(crate) fn config(result: &ConfigResult, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Dim, &format!("# {}", result.file));
    for setting in &result.settings {
        let Setting { key, value, source } = setting;
        // TOML has no null: what is not set is a comment, so that the screen can be pasted.
        let line = match value.is_null() {
            true => format!("# {key} is not set  # {source}"),
            false => format!("{key} = {value}  # {source}"),
        };
        page.verbatim("", Tone::Plain, &line);
    }
    page.finish()
}

/// Least room for the text of a check beside its name, columns.
const BESIDE_MIN: usize = 32;

/// What a piece of work says that has ended well.
pub(crate) fn told(said: &str, look: &Look) -> String {
    let mut page = Page::new(look);
    said.lines().for_each(|line| {
        page.say(Tone::Plain, &sentence(line));
    });
    page.finish()
}

/// Each check in one line, below it the step that fixes it.
pub(crate) fn doctor(result: &DoctorResult, look: &Look) -> String {
    let mut page = Page::new(look).whole_words();
    let width = result.checks.iter().map(|check| columns(&check.name)).max().unwrap_or(0);
    for check in &result.checks {
        one_check(&mut page, check, width);
    }
    let bad = |status| result.checks.iter().filter(|check| check.status == status).count() as u64;
    let (fails, warns) = (bad(CheckStatus::Fail), bad(CheckStatus::Warn));
    let summary = match (fails, warns) {
        (0, 0) => "Everything that was looked at is as it should be. The log of a session is \
                   checked with: vosimctl verify"
            .to_owned(),
        (0, warns) => format!("It works; {} could be better.", count(warns, "thing")),
        (fails, _) => format!("{} will not work.", count(fails, "thing")),
    };
    page.blank().say(if fails > 0 { Tone::Bad } else { Tone::Plain }, &summary);
    page.finish()
}

fn one_check(page: &mut Page<'_>, check: &Check, width: usize) {
    let (tone, word) = match check.status {
        CheckStatus::Ok => (Tone::Good, "ok  "),
        CheckStatus::Warn => (Tone::Warn, "warn"),
        CheckStatus::Fail => (Tone::Bad, "FAIL"),
    };
    let fix = check.fix.as_ref().map(|fix| format!("fix: {fix}"));
    let texts = [Some(&check.found), fix.as_ref()].into_iter().flatten();
    let word = page.look.paint(tone, word);
    let name = page.look.spell(&clean(&check.name)).into_owned();
    let (width, beside) = (width + 8, page.look.width >= width + 8 + BESIDE_MIN);
    if !beside {
        // No room beside the names: each text stands below its own.
        page.raw(&format!("{word}  {name}"));
        texts.for_each(|text| {
            page.indented(6, Tone::Plain, text);
        });
        return;
    }
    // The first line's beginning holds colour, which must not count as width.
    let pad = " ".repeat((width - 6).saturating_sub(columns(&name)));
    let mut lines = Page::new(page.look).whole_words();
    texts.for_each(|text| {
        lines.indented(width, Tone::Plain, text);
    });
    let lines = lines.finish();
    let first = lines.get(width..).unwrap_or_default();
    page.raw(&format!("{word}  {name}{pad}{}", first.lines().next().unwrap_or_default()));
    for line in lines.lines().skip(1) {
        page.raw(line);
    }
}

fn fields(look: &Look, fields: &[(&str, String)]) -> String {
    let mut page = Page::new(look);
    let width = fields.iter().map(|(label, _)| label.len()).max().unwrap_or(0) + 2;
    for (label, text) in fields {
        let lead = format!("{:<width$}", format!("{label}:"));
        page.hanging(&lead, &" ".repeat(width), Tone::Plain, text);
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vosim_protocol::hello::Software;

    use super::*;

    #[test]
    fn the_daemon_tells_about_itself() {
        let status = StatusResult {
            daemon: Software { name: "vosimd".to_owned(), version: "0.1.0".to_owned() },
            pid: 4711,
            started: "2026-01-05T22:30:00Z".parse().unwrap(),
            data: "/home/ada/.local/share/vosim".to_owned(),
            sessions: 3,
            awake: 1,
            connections: 2,
            current: None,
        };
        let stats = StoreStats {
            backend: "sled".to_owned(),
            sessions: 3,
            live_bytes: 1,
            disk_bytes: 12_900_000,
        };
        let socket = "/run/user/1000/vosim/vosimd.sock";
        insta::assert_snapshot!(
            daemon(&status, socket, &Look::PLAIN) + "\n" + &store(&stats, &Look::PLAIN),
            @r#"
        Daemon:      vosimd 0.1.0, running
        Process:     4711
        Started:     2026-01-05 23:30:00
        Socket:      /run/user/1000/vosim/vosimd.sock
        Data:        /home/ada/.local/share/vosim
        Sessions:    3 (1 awake)
        Current:     none
        Connections: 2

        Backend:  sled
        Sessions: 3
        Live:     1 byte
        On disk:  12.3 MiB
        "#
        );
    }

    #[test]
    fn settings_name_where_they_come_from() {
        let setting = Setting {
            key: "model.kind".to_owned(),
            value: json!("offline"),
            source: "default".to_owned(),
        };
        let unset = Setting { key: "model.url".to_owned(), value: json!(null), ..setting.clone() };
        let config_result = ConfigResult {
            file: "/home/ada/.config/vosim/config.toml".to_owned(),
            settings: vec![unset, setting],
        };
        insta::assert_snapshot!(config(&config_result, &Look::PLAIN), @r#"
        # /home/ada/.config/vosim/config.toml
        # model.url is not set  # default
        model.kind = "offline"  # default
        "#);
    }

    #[test]
    fn a_check_says_in_words_how_it_stands_and_what_would_mend_it() {
        let check = |name: &str, status, found: &str, fix: Option<&str>| Check {
            name: name.to_owned(),
            status,
            found: found.to_owned(),
            fix: fix.map(str::to_owned),
        };
        let result = DoctorResult {
            checks: vec![
                check("python", CheckStatus::Ok, "3.11.7, /usr/bin/python3", None),
                check("linger", CheckStatus::Warn, "off", Some("loginctl enable-linger")),
                check("sandbox", CheckStatus::Fail, "no user namespaces here", None),
            ],
        };
        insta::assert_snapshot!(doctor(&result, &Look::PLAIN), @r#"
        ok    python   3.11.7, /usr/bin/python3
        warn  linger   off
                       fix: loginctl enable-linger
        FAIL  sandbox  no user namespaces here

        1 thing will not work.
        "#);
        let narrow = Look { width: 40, ..Look::PLAIN };
        insta::assert_snapshot!(doctor(&result, &narrow), @r#"
        ok    python
              3.11.7, /usr/bin/python3
        warn  linger
              off
              fix: loginctl enable-linger
        FAIL  sandbox
              no user namespaces here

        1 thing will not work.
        "#);
    }
}
