//! Looks through the code of a workspace before it is run (002 6.1, 6.2).

use std::path::Path;
use std::sync::Arc;

use vosim_agent::graded::TestLanguage;
use vosim_agent::scan::{self, Companion, Ruling, ScannedLanguage, Topic};
use vosim_agent::workspace::Workspace;
use vosim_protocol::v1::agent::{Category, Finding, Risk, ScanVerdict};
use vosim_protocol::v1::effect::{Scan, Scanned};

use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::CancelGuard;
use crate::runtime_dir::check_started;

/// The rules that are looked by. A permission holds for these: another number asks again.
const RULES: u32 = 1;

impl CarryOut for Scan {
    async fn carry_out(self, run: &Run) -> Result<Done<Scanned>, String> {
        let (_guard, cancel) = CancelGuard::new().map_err(|error| error.to_string())?;
        let evaluator = Arc::clone(&run.daemon.evaluator);
        let scanned = run.daemon.blocking(move |_| {
            let trusted = |program: &Path| check_started(program).is_ok();
            let companion = Companion::find(std::env::var_os("PATH").as_deref(), trusted);
            let no_network = || evaluator.no_network(TestLanguage::from(self.language), &cancel);
            let scanned = look(Path::new(&self.workspace), companion.as_ref());
            scanned.map(|scanned| Scanned {
                unavailable: unavailable(&scanned.findings, no_network),
                ..scanned
            })
        });
        let scanned = scanned.await;
        scanned.map(Done::from)
    }
}

/// What no run can be given here of what a person is asked about. A network is held to what is outside where
/// the sandbox can do that (see its README); a yes to one that it cannot is told to be in vain (DECISIONS 50), before
/// anything runs.
fn unavailable(findings: &[Finding], no_network: impl FnOnce() -> Option<String>) -> Vec<Category> {
    let asks = |one: &Finding| one.verdict == ScanVerdict::Ask && one.category == Category::Network;
    if !findings.iter().any(asks) {
        return Vec::new();
    }
    let Some(why) = no_network() else { return Vec::new() };
    tracing::info!(why, "no run can be given a network");
    vec![Category::Network]
}

/// All code there is is looked through, whatever language the task is solved in; what another scanner says
/// of Python is put together with it where one is installed (002 6.2).
fn look(workspace: &Path, companion: Option<&Companion>) -> Result<Scanned, String> {
    let workspace = Workspace::open(workspace).map_err(|refusal| refusal.to_string())?;
    let mut found = Vec::new();
    let mut helps = companion;
    for name in workspace.files() {
        let path = name.as_str();
        let Some(language) = ScannedLanguage::of(path) else { continue };
        // What is no text is no program; the sandbox holds all the same.
        let bytes = workspace.content(&name).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        found.extend(scan::scan(language, path, &text));
        if let Some(companion) = helps.filter(|_| language == ScannedLanguage::Python) {
            match companion.scan(path, &text) {
                Ok(more) => found.extend(more),
                // Its help is not needed, and one that fails once is not waited for again.
                Err(reason) => {
                    tracing::warn!(reason, "the code is scanned without it");
                    helps = None;
                }
            }
        }
    }
    let mut found = scan::merged(found);
    found.sort_by_key(|one| std::cmp::Reverse(one.ruling));
    let by = ["vosim"].into_iter().chain(helps.map(Companion::name));
    let by = by.map(str::to_owned).collect();
    let findings = found.into_iter().map(finding).collect();
    Ok(Scanned { findings, by, rules: RULES, unavailable: Vec::new() })
}

fn finding(found: scan::Finding) -> Finding {
    let (verdict, risk) = match found.ruling {
        Ruling::Note => (ScanVerdict::Note, Risk::Low),
        Ruling::Ask => (ScanVerdict::Ask, Risk::Medium),
        Ruling::Deny => (ScanVerdict::Deny, Risk::High),
    };
    let category = match found.subject.topic {
        Topic::Network => Category::Network,
        Topic::Process => Category::Process,
        Topic::Install => Category::Install,
        Topic::DynamicCode => Category::DynamicCode,
        Topic::Files => Category::Files,
        Topic::Native
        | Topic::Serialization
        | Topic::Sql
        | Topic::Secrets
        | Topic::Crypto
        | Topic::Other => Category::Other,
    };
    Finding {
        verdict,
        rule: found.rule,
        category,
        subject: found.subject.of,
        risk,
        path: found.file,
        line: found.line,
        snippet: found.code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_asked_or_denied_is_found_in_any_file_of_the_workspace() {
        let work = tempfile::tempdir().unwrap();
        std::fs::create_dir(work.path().join("lib")).unwrap();
        std::fs::write(work.path().join("lib/net.py"), "import requests\n").unwrap();
        std::fs::write(work.path().join("main.py"), "import math\nimport ctypes\n").unwrap();
        let scanned = look(work.path(), None).unwrap();
        let found: Vec<_> = scanned
            .findings
            .iter()
            .map(|one| (one.verdict, one.category, one.path.as_str(), one.line))
            .collect();
        assert_eq!(
            found,
            [
                (ScanVerdict::Deny, Category::Other, "main.py", 2),
                (ScanVerdict::Ask, Category::Network, "lib/net.py", 1),
            ]
        );
        let found = scanned.findings;
        assert_eq!(unavailable(&found, || Some("none".to_owned())), [Category::Network]);
        assert!(unavailable(&found, || None).is_empty());
        let denied: Vec<_> = found.into_iter().take(1).collect();
        assert!(unavailable(&denied, || panic!("nobody is asked about one")).is_empty());
    }
}
