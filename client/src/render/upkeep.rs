//! The daemon, its settings, its store and its health.

use vosim_protocol::v1::service::{
    Check, CheckStatus, ConfigResult, DoctorResult, StatusResult, StoreStats,
};

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::{columns, count, sentence};

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
        let line = format!("{} = {}  # {}", setting.key, setting.value, setting.source);
        page.verbatim("", Tone::Plain, &line);
    }
    page.finish()
}

/// What a piece of work says that has ended well.
pub(crate) fn told(said: &str, look: &Look) -> String {
    let mut page = Page::new(look);
    said.lines().for_each(|line| {
        page.say(Tone::Plain, &sentence(line));
    });
    page.finish()
}

/// Each check in one line, below it what would mend it.
pub(crate) fn doctor(result: &DoctorResult, look: &Look) -> String {
    let mut page = Page::new(look);
    let width = result.checks.iter().map(|check| columns(&check.name)).max().unwrap_or(0);
    for check in &result.checks {
        one_check(&mut page, check, width);
    }
    let bad = |status| result.checks.iter().filter(|check| check.status == status).count() as u64;
    let (fails, warns) = (bad(CheckStatus::Fail), bad(CheckStatus::Warn));
    let summary = match (fails, warns) {
        (0, 0) => "Everything is as it should be.".to_owned(),
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
    let pad = " ".repeat(width - columns(&check.name));
    let rest = " ".repeat(width + 8);
    // Colour in a lead would count as width, so the word is painted and the rest hangs below.
    let lead = format!("{word}  {}{pad}  ", check.name);
    let painted = lead.replacen(word, &page.look.paint(tone, word), 1);
    let mut lines = Page::new(page.look);
    lines.hanging(&lead, &rest, Tone::Plain, &check.found);
    let text = lines.finish().replacen(&lead, &painted, 1);
    text.lines().for_each(|line| {
        page.raw(line);
    });
    if let Some(mend) = &check.mend {
        page.hanging(&rest, &rest, Tone::Plain, &format!("mend it: {mend}"));
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

/// `12.3 MiB`.
fn size(bytes: u64) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.into_iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => count(bytes, "byte"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vosim_protocol::hello::Software;
    use vosim_protocol::v1::service::Setting;

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
        let config_result = ConfigResult {
            file: "/home/ada/.config/vosim/config.toml".to_owned(),
            settings: vec![setting],
        };
        insta::assert_snapshot!(config(&config_result, &Look::PLAIN), @r#"
        # /home/ada/.config/vosim/config.toml
        model.kind = "offline"  # default
        "#);
    }

    #[test]
    fn a_check_says_in_words_how_it_stands_and_what_would_mend_it() {
        let check = |name: &str, status, found: &str, mend: Option<&str>| Check {
            name: name.to_owned(),
            status,
            found: found.to_owned(),
            mend: mend.map(str::to_owned),
        };
        let result = DoctorResult {
            checks: vec![
                check("python", CheckStatus::Ok, "3.11.7, /usr/bin/python3", None),
                check("linger", CheckStatus::Warn, "off", Some("loginctl enable-linger")),
                check("sandbox", CheckStatus::Fail, "no user namespaces", None),
            ],
        };
        insta::assert_snapshot!(doctor(&result, &Look::PLAIN), @r#"
        ok    python   3.11.7, /usr/bin/python3
        warn  linger   off
                       mend it: loginctl enable-linger
        FAIL  sandbox  no user namespaces

        1 thing will not work.
        "#);
    }
}
