//! Programs as people write them, and as somebody writes them who does not want to be found.

use super::*;

/// The rulings of a text, each as `line rule`.
fn found(language: ScannedLanguage, text: &str) -> Vec<String> {
    let told = |it: &Finding| format!("{} {} {:?}", it.line, it.rule, it.ruling);
    scan(language, "a", text).iter().map(told).collect()
}

fn python(text: &str) -> Vec<String> {
    found(ScannedLanguage::Python, text)
}

fn javascript(text: &str) -> Vec<String> {
    found(ScannedLanguage::Javascript, text)
}

fn ruling(language: ScannedLanguage, text: &str) -> Option<Ruling> {
    strictest(&scan(language, "a", text))
}

#[test]
fn an_ordinary_program_is_left_alone() {
    let program = "import os\nimport re\nfrom collections import deque\n\n\
        PATTERN = re.compile('x')\nclass A:\n    def eval(self, name):\n        \
        return getattr(self, 'visit_' + name)(os.path.join('a', 'b'))\n\n\
        def f(execute, evaluate=None):\n    with open('data/x.txt') as file:\n        \
        return A().eval(file.read())\n";
    assert_eq!(python(program), ["1 os-module Note"]);
    let program = "import { test } from 'node:test';\nconst path = require('path');\n\
        export class A { eval(x) { return x; } }\nconst f = (o, k) => o[k];\n\
        console.log(new A().eval(1), path.join('a'), [1][0]);\n";
    assert_eq!(javascript(program), [""; 0]);
}

/// 002 6.1 and 6.3, with the three verdicts of the notes.
#[test]
fn every_row_of_python_is_found() {
    use Ruling::{Ask, Deny, Note};
    let rows = [
        (Deny, "import ctypes"),
        (Deny, "from ctypes import CDLL"),
        (Deny, "import pty"),
        (Deny, "open('/proc/self/mem', 'wb')"),
        (Deny, "import subprocess\nsubprocess.run('ls | wc', shell=True)"),
        (Ask, "import requests"),
        (Ask, "import socket as s"),
        (Ask, "from urllib import request"),
        (Ask, "import urllib\nurllib.request.urlopen('http://x')"),
        (Ask, "import http.client"),
        (Ask, "import subprocess"),
        (Ask, "import os\nos.system('ls')"),
        (Ask, "import os\nos.popen('ls')"),
        (Ask, "import os\nos.execv('/bin/ls', [])"),
        (Ask, "args = 'pip install flask'"),
        (Ask, "import pip"),
        (Ask, "eval('1')"),
        (Ask, "exec('x = 1')"),
        (Ask, "compile('1', 'a', 'eval')"),
        (Ask, "open('/etc/passwd')"),
        (Ask, "open('../secret')"),
        (Ask, "db.execute(f'SELECT * FROM t WHERE a = {a}')"),
        (Ask, "db.execute('SELECT * FROM t WHERE a = ' + a)"),
        (Ask, "db.execute('DELETE FROM t WHERE a = %s' % a)"),
        (Ask, "db.execute('SELECT {}'.format(a))"),
        (Ask, "import yaml\nyaml.load(text)"),
        (Note, "import pickle"),
        (Note, "import os"),
        (Note, "password = 'hunter22'"),
        (Note, "connect(api_key='abcdef')"),
        (Note, "import hashlib\nhashlib.md5(b'')"),
        (Note, "def f(:\n"),
    ];
    for (ruled, text) in rows {
        assert_eq!(
            ruling(ScannedLanguage::Python, text),
            Some(ruled),
            "{text}: {:?}",
            python(text)
        );
    }
}

/// Notes 3.3: what ruff and bandit see one of.
#[test]
fn what_is_hidden_is_asked_about() {
    let hidden = [
        "from os import system as x\nx('ls')",
        "__import__('os').system('ls')",
        "import importlib\nimportlib.import_module('o' + 's')",
        "import os\ngetattr(os, 'sys' + 'tem')('ls')",
        "import os\ngetattr(os, 'system')('ls')",
        "import sys\nsys.modules['os']",
        "().__class__.__base__.__subclasses__()",
        "f = eval\nf('1')",
        "list(map(exec, ['x']))",
        "__builtins__['ev' + 'al']",
        "(lambda: 0).__globals__",
        "import builtins\nbuiltins.exec('1')",
        "import builtins as b\nx = b.eval",
        "# -*- coding: rot13 -*-\nvzcbeg bf",
        "import socket",
        "if True: __import__('soc' 'ket')",
    ];
    for text in hidden {
        let ruled = ruling(ScannedLanguage::Python, text);
        assert!(ruled >= Some(Ruling::Ask), "{text}: {:?}", python(text));
    }
}

#[test]
fn every_row_of_javascript_is_found() {
    use Ruling::{Ask, Deny, Note};
    let rows = [
        (Deny, "process.binding('fs')"),
        (Deny, "const k = require('koffi')"),
        (Deny, "const p = process; p.dlopen(m, 'x')"),
        (Ask, "require('child_process').exec('ls')"),
        (Ask, "import { spawn } from 'node:child_process'"),
        (Ask, "const http = require('http')"),
        (Ask, "import net from 'node:net'"),
        (Ask, "await import('node:https')"),
        (Ask, "fetch('http://x')"),
        (Ask, "globalThis.fetch('http://x')"),
        (Ask, "globalThis['fetch']('http://x')"),
        (Ask, "globalThis['fe' + 'tch']('http://x')"),
        (Ask, "new WebSocket('ws://x')"),
        (Ask, "eval('1')"),
        (Ask, "const e = eval; e('1')"),
        (Ask, "new Function('return 1')()"),
        (Ask, "[].constructor.constructor('return 1')()"),
        (Ask, "const vm = require('vm')"),
        (Ask, "require('child_' + 'process')"),
        (Ask, "const n = 'fs'; import(n)"),
        (Ask, "setTimeout('x = 1', 5)"),
        (Ask, "require('fs').readFileSync('/etc/passwd')"),
        (Ask, "const { readFileSync: r } = require('node:fs'); r('../x')"),
        (Ask, "db.query(`SELECT * FROM t WHERE a = ${a}`)"),
        (Ask, "const s = 'npm install left-pad'"),
        (Note, "const fs = require('fs')"),
        (Note, "const apiKey = 'abcdef'"),
        (Note, "console.log(process.env.HOME)"),
    ];
    for (ruled, text) in rows {
        let language = ScannedLanguage::Javascript;
        assert_eq!(ruling(language, text), Some(ruled), "{text}: {:?}", javascript(text));
    }
}

#[test]
fn a_finding_names_its_line_and_what_a_permission_would_cover() {
    let text = "import os\n\n\nimport requests as r\nr.get('http://x')\n";
    let findings = scan(ScannedLanguage::Python, "app/main.py", text);
    let subjects: Vec<_> = findings
        .iter()
        .filter(|it| it.ruling == Ruling::Ask)
        .map(|it| (it.line, it.subject.of.as_str(), it.code.as_str()))
        .collect();
    assert_eq!(
        subjects,
        [(4, "requests", "import requests as r"), (5, "requests.get", "r.get('http://x')")]
    );
    assert!(findings.iter().all(|it| it.file == "app/main.py"));
}

#[test]
fn of_what_is_found_twice_the_strictest_stands() {
    let of = |ruling, rule: &str, also: &[&str]| Finding {
        file: "a".to_owned(),
        line: 2,
        rule: rule.to_owned(),
        ruling,
        subject: Permit { topic: Topic::Process, of: "subprocess".to_owned() },
        text: String::new(),
        code: String::new(),
        also: also.iter().map(|it| (*it).to_owned()).collect(),
    };
    let both = vec![of(Ruling::Ask, "own", &[]), of(Ruling::Deny, "ruff-S602", &["ruff S602"])];
    for order in [both.clone(), both.into_iter().rev().collect()] {
        let merged = merged(order);
        assert_eq!(merged.len(), 1);
        assert_eq!((merged[0].ruling, merged[0].rule.as_str()), (Ruling::Deny, "ruff-S602"));
        assert_eq!(merged[0].also, ["ruff S602"]);
    }
}

#[test]
fn a_deep_or_broken_text_is_scanned_all_the_same() {
    let deep = format!("x = {}{}\nimport socket\n", "[".repeat(20_000), "]".repeat(20_000));
    assert!(ruling(ScannedLanguage::Python, &deep) >= Some(Ruling::Ask));
    let broken = "def f(:\n  return ((\nimport socket\n\u{0}\u{feff}";
    assert!(ruling(ScannedLanguage::Python, broken).is_some());
}

#[test]
fn a_language_is_known_by_the_ending_of_its_files() {
    let named = ["a.py", "b.mjs", "c.jsx", "d.txt", "Makefile"].map(ScannedLanguage::of);
    use ScannedLanguage::{Javascript, Python};
    assert_eq!(named, [Some(Python), Some(Javascript), Some(Javascript), None, None]);
}
