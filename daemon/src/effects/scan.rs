//! Looks through the code of a workspace before it is run (002 6.1, 6.2).

use std::path::Path;

use vosim_agent::scan::{self, Ruling, ScannedLanguage, Topic};
use vosim_agent::workspace::{FileCall, FileName, Seen, Workspace};
use vosim_protocol::v1::agent::{Category, Finding, Risk, ScanVerdict};
use vosim_protocol::v1::effect::{Scan, Scanned};

use crate::effects::{CarryOut, Done, Run};

/// The rules that are looked by. A permission holds for these: another number asks again.
const RULES: u32 = 1;

impl CarryOut for Scan {
    async fn carry_out(self, run: &Run) -> Result<Done<Scanned>, String> {
        let scanned = run.daemon.blocking(move |_| look(Path::new(&self.workspace))).await;
        scanned.map(Done::from)
    }
}

/// All code there is is looked through, whatever language the task is solved in.
fn look(workspace: &Path) -> Result<Scanned, String> {
    let workspace = Workspace::open(workspace).map_err(|refusal| refusal.to_string())?;
    let told = workspace.foresee(&Seen::default(), &FileCall::List).answer.told;
    let mut found = Vec::new();
    for path in told["files"].as_array().into_iter().flatten().filter_map(|f| f["path"].as_str()) {
        let Some(language) = ScannedLanguage::of(path) else { continue };
        let name = FileName::parse(path).map_err(|refusal| refusal.to_string())?;
        // What is no text is no program; the sandbox holds all the same.
        let bytes = workspace.content(&name).ok().flatten().unwrap_or_default();
        found.extend(scan::scan(language, path, &String::from_utf8_lossy(&bytes)));
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.ruling));
    let findings = found.into_iter().map(finding).collect();
    Ok(Scanned { findings, by: vec!["vosim".to_owned()], rules: RULES })
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
        let scanned = look(work.path()).unwrap();
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
    }
}
