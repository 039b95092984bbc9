//! Puts a [`Package`] together from its files and has it checked.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use vosim_protocol::Wire;
use vosim_protocol::ids::ProblemId;
use vosim_protocol::misfit;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::problem::{CaseData, CaseInfo, Interface, Issue, Language, Problem, Suite};

use super::common::with_common;
use super::files::{ContentError, Files};
use super::forms::{
    CaseForm, CasesFile, ClarificationsFile, Coaching, FollowupsFile, HintsFile, InterfaceFile,
    InvariantsFile, IssueForm, LimitsFile, PatternsFile, Rule, RulesFile, SolutionForm,
    VerdictsFile,
};
use super::layout::{
    CASES, CAUSES, CHECKER, CLARIFICATIONS, DISCUSSION, FOLLOWUPS, GENERATOR, HINTS, INTERFACE,
    INVARIANTS, LIMITS, PATTERNS, RULES, STATEMENT, SUBMISSIONS, TEMPLATES, VERDICTS,
};
use super::package::{Package, Program, ProgramRole, Promise};
use super::{check, extended, metadata};
use crate::toml_text;

impl Package {
    /// Reads a package from a folder (`problems check DIR`), within bounds of files and bytes. No
    /// link is followed.
    pub fn from_dir(dir: &Path) -> Result<Self, ContentError> {
        package(&Files::from_dir(dir)?)
    }
}

/// Reads one package; the first mistake ends it.
pub(super) fn package(files: &Files) -> Result<Package, ContentError> {
    let metadata = metadata::parse(files.text("problem.yaml")?)?;
    let interface: InterfaceFile = from_toml(files, INTERFACE)?;
    let id = parsed_id(&interface)?;
    let (cases, suite) = cases(files)?;
    let hints: HintsFile = from_toml(files, HINTS)?;
    let problem = Problem {
        id,
        title: metadata.title,
        statement: files.text(STATEMENT)?.to_owned(),
        licence: metadata.licence,
        rung: interface.rung,
        cpu_ms: metadata.cpu_ms,
        starters: starters(files)?,
        cases,
        runs: hints.runs,
        limits: from_toml_or_default::<LimitsFile>(files, LIMITS)?.limits,
        issues: issues(files, hints.issues, &interface.interface)?,
        solutions: solutions(files, &hints.solutions)?,
        praise: hints.praise.trim().to_owned(),
        question: hints.question.trim().to_owned(),
        interface: interface.interface,
        growth: interface.growth,
    };
    let RulesFile { rules } = from_toml(files, RULES)?;
    let mut package = Package {
        uuid: metadata.uuid,
        suite_blob: suite.to_line(),
        generator: files.find_text(GENERATOR)?.map(str::to_owned),
        reference: reference(files, &hints.solutions)?,
        programs: programs(files, &rules)?,
        rules,
        coaching: coaching(files)?,
        problem,
    };
    check::package(&package, &suite)?;
    extended::extend(&mut package.problem);
    Ok(package)
}

/// Reads the id of a package and nothing else.
pub(super) fn id(files: &Files) -> Result<ProblemId, ContentError> {
    parsed_id(&from_toml(files, INTERFACE)?)
}

fn parsed_id(interface: &InterfaceFile) -> Result<ProblemId, ContentError> {
    let parsed = interface.id.parse();
    parsed.map_err(|error| ContentError::invalid(INTERFACE, "id", format!("{error}")))
}

fn from_toml<T: DeserializeOwned>(files: &Files, file: &str) -> Result<T, ContentError> {
    parse_toml(files.text(file)?, file)
}

/// Reads like [`from_toml`]; a missing file counts as empty.
fn from_toml_or_default<T: DeserializeOwned + Default>(
    files: &Files,
    file: &str,
) -> Result<T, ContentError> {
    files.find_text(file)?.map_or_else(|| Ok(T::default()), |text| parse_toml(text, file))
}

fn parse_toml<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, ContentError> {
    toml::from_str(text).map_err(|error| {
        let (line, reason) = toml_text::fault(text, &error);
        ContentError::invalid(file, format!("line {line}"), reason)
    })
}

fn cases(files: &Files) -> Result<(Vec<CaseInfo>, Suite), ContentError> {
    let file: CasesFile = serde_json::from_str(files.text(CASES)?).map_err(|error| {
        let reason = match error.is_data() {
            true => misfit::words(&error),
            false => "it is no valid JSON from here on".to_owned(),
        };
        ContentError::invalid(CASES, format!("line {}", error.line()), reason)
    })?;
    let split = |case: CaseForm| {
        let info = CaseInfo {
            name: case.name.clone(),
            category: case.category,
            description: case.description,
            visible: case.visible,
        };
        (info, CaseData { name: case.name, ops: case.ops, twin: case.twin })
    };
    let (infos, cases) = file.cases.into_iter().map(split).unzip();
    Ok((infos, Suite { cases }))
}

/// The issues with the ways in which they are told; `causes.toml` may speak of common ones, too.
fn issues(
    files: &Files,
    forms: Vec<IssueForm>,
    interface: &Interface,
) -> Result<Vec<Issue>, ContentError> {
    let mut issues = with_common(forms.into_iter().map(issue).collect(), interface);
    let told: BTreeMap<String, Vec<String>> = from_toml_or_default(files, CAUSES)?;
    for (id, ways) in told {
        let Some(issue) = issues.iter_mut().find(|issue| issue.id == id) else {
            return Err(ContentError::invalid(CAUSES, id, "there is no such issue"));
        };
        issue.ways = ways;
    }
    Ok(issues)
}

fn issue(form: IssueForm) -> Issue {
    let text = |text: String| text.trim().to_owned();
    Issue {
        id: form.id,
        when: form.when,
        feedback: text(form.feedback),
        hints: [text(form.level_1), text(form.level_2), text(form.level_3)],
        ways: Vec::new(),
    }
}

/// Returns the texts of level 4. Each shows a program of the package unchanged, so that it was
/// proved.
fn solutions(
    files: &Files,
    forms: &BTreeMap<Language, SolutionForm>,
) -> Result<BTreeMap<Language, String>, ContentError> {
    let mut solutions = BTreeMap::new();
    for (language, form) in forms {
        let path = &form.program;
        if !path.starts_with("submissions/accepted/") || language_of(path) != Some(*language) {
            let key = format!("solution.{language}.program");
            return Err(ContentError::invalid(
                HINTS,
                key,
                format!("must name a {language} program below submissions/accepted/"),
            ));
        }
        let code = files.text(path)?.trim_end();
        let (before, after) = (form.before.trim(), form.after.trim());
        let text = format!("{before}\n\n```{language}\n{code}\n```\n\n{after}");
        solutions.insert(*language, text);
    }
    Ok(solutions)
}

/// Returns the program of level 4 in Python, which answers drawn inputs; empty where there is none.
fn reference(
    files: &Files,
    forms: &BTreeMap<Language, SolutionForm>,
) -> Result<String, ContentError> {
    let shown = forms.get(&Language::Python).map(|form| files.text(&form.program));
    let reference = shown.transpose()?.unwrap_or_default();
    if reference.is_empty() && files.find_text(GENERATOR)?.is_some() {
        let problem = "needs a solution in Python, which gives the answers";
        return Err(ContentError::invalid(GENERATOR, "file", problem));
    }
    Ok(reference.to_owned())
}

fn starters(files: &Files) -> Result<BTreeMap<Language, String>, ContentError> {
    let mut starters = BTreeMap::new();
    for (path, _) in files.below(TEMPLATES) {
        let Some(language) = language_of(path) else {
            continue;
        };
        if starters.insert(language, files.text(path)?.to_owned()).is_some() {
            return Err(ContentError::invalid(path, "file", format!("is a second {language} one")));
        }
    }
    Ok(starters)
}

/// Returns starters and submissions in a known language; the format allows others.
fn programs(files: &Files, rules: &[Rule]) -> Result<Vec<Program>, ContentError> {
    let mut verdicts: VerdictsFile = from_toml(files, VERDICTS)?;
    let mut programs = Vec::new();
    for (path, source) in files.below(TEMPLATES).chain(files.below(SUBMISSIONS)) {
        let Some(language) = language_of(path) else {
            continue;
        };
        let form = verdicts.remove(path).ok_or_else(|| {
            ContentError::invalid(VERDICTS, path, "this program promises no verdict")
        })?;
        programs.push(Program {
            path: path.to_owned(),
            language,
            source: Cow::clone(source),
            role: role(path, form.class)?,
            promise: Promise {
                failure_type: form.class,
                detail: form.detail,
                passed: form.passed,
                issue: form.issue,
                caught_by: caught_by(path, rules),
            },
        });
    }
    match verdicts.keys().next() {
        Some(path) => Err(ContentError::invalid(VERDICTS, path, "no such program in the package")),
        None => Ok(programs),
    }
}

/// The cases that must fail a program, since it breaks a rule that they test.
fn caught_by(path: &str, rules: &[Rule]) -> Vec<String> {
    let broken = rules.iter().filter(|rule| rule.programs.iter().any(|program| program == path));
    broken.flat_map(|rule| &rule.cases).cloned().collect()
}

fn role(path: &str, class: FailureType) -> Result<ProgramRole, ContentError> {
    let role = if path.starts_with(TEMPLATES) {
        ProgramRole::Stub
    } else if path.starts_with("submissions/accepted/") {
        ProgramRole::Right
    } else {
        ProgramRole::Wrong
    };
    match (role, class == FailureType::Pass) {
        (ProgramRole::Right, false) => {
            Err(ContentError::invalid(VERDICTS, path, "an accepted program promises PASS"))
        }
        (ProgramRole::Stub | ProgramRole::Wrong, true) => {
            Err(ContentError::invalid(VERDICTS, path, "only an accepted program may promise PASS"))
        }
        (ProgramRole::Right, true) | (ProgramRole::Stub | ProgramRole::Wrong, false) => Ok(role),
    }
}

fn language_of(path: &str) -> Option<Language> {
    let (_, extension) = path.rsplit_once('.')?;
    Language::ALL.into_iter().find(|language| language.extension() == extension)
}

fn coaching(files: &Files) -> Result<Coaching, ContentError> {
    let PatternsFile { patterns, discovery } = from_toml_or_default(files, PATTERNS)?;
    let ClarificationsFile { left_open, in_statement, cards } =
        from_toml_or_default(files, CLARIFICATIONS)?;
    Ok(Coaching {
        clarifications: cards,
        left_open,
        in_statement,
        patterns,
        discovery,
        checker: files.find_text(CHECKER)?.unwrap_or_default().to_owned(),
        discussion: from_toml_or_default(files, DISCUSSION)?,
        invariants: from_toml_or_default::<InvariantsFile>(files, INVARIANTS)?.templates,
        fill: from_toml_or_default::<FollowupsFile>(files, FOLLOWUPS)?.fill,
    })
}
