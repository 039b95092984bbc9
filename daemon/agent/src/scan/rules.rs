//! The rules: which use leads to which finding. The first that fits a use is taken.

use super::finding::{Finding, Permit, Ruling, Topic, shown};
use super::uses::{Sort, Use};

/// One rule. A pattern is a full name, or the beginning of full names where it ends with `.`; `.` alone is any.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) ruling: Ruling,
    pub(super) topic: Topic,
    sort: Sort,
    patterns: &'static [&'static str],
    /// What it means, for people.
    pub(super) text: &'static str,
}

const fn rule(
    name: &'static str,
    (ruling, topic, sort): (Ruling, Topic, Sort),
    patterns: &'static [&'static str],
    text: &'static str,
) -> Rule {
    Rule { name, ruling, topic, sort, patterns, text }
}

/// The first rule that a use meets.
pub(super) fn first<'r>(rules: &'r [Rule], of: &Use) -> Option<&'r Rule> {
    rules.iter().find(|rule| {
        rule.sort == of.sort && rule.patterns.iter().any(|pattern| fits(pattern, &of.thing))
    })
}

impl Rule {
    /// What it finds at a use, on this line of this file.
    pub(super) fn finding(&self, file: &str, of: &Use, line: &str) -> Finding {
        Finding {
            file: file.to_owned(),
            line: of.line,
            rule: self.name.to_owned(),
            ruling: self.ruling,
            subject: Permit { topic: self.topic, of: of.thing.clone() },
            text: format!("`{}`: {}", of.thing, self.text),
            code: shown(line),
            also: Vec::new(),
        }
    }
}

fn fits(pattern: &str, thing: &str) -> bool {
    match pattern.strip_suffix('.') {
        // Any.
        Some("") => true,
        Some(above) => {
            let rest = thing.strip_prefix(above);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        }
        None => pattern == thing,
    }
}

use Ruling::{Ask, Deny, Note};
use Sort::{Argument, Call, Computed, File, Given, Module, Name, Text};
use Topic::{
    Crypto, DynamicCode, Files, Install, Native, Network, Other, Process, Secrets, Serialization,
    Sql,
};

const NATIVE: &str = "it reaches memory and machine code, which no task needs";
const SPECIAL: &str = "it reaches the kernel's own files, which no task needs";
const CONNECTS: &str = "it can connect to other machines";
const STARTS: &str = "it starts other programs";
const FETCHES: &str = "it fetches and installs packages";
const MAKES_CODE: &str = "it runs code that is made while the program runs";
const COMPUTES: &str = "what it reaches cannot be read from the text";
const INSIDE: &str = "it reaches what the program has not loaded";
const OUTSIDE: &str = "the path leads out of the workspace";
const TOUCHES: &str = "it can change files; only those of the workspace are there";
const REVIVES: &str = "reading data of others with it runs what they put there";
const DATA_IN_SQL: &str = "data becomes part of the statement; pass it as parameters";
const WRITTEN_DOWN: &str = "a secret is written down in the text";
const WEAK: &str = "it protects nothing; for secrets there are better ones";
const BROKEN: &str = "a part of the file cannot be read as a program";
const OTHER_CODING: &str = "the file is written in an encoding that hides what it says";

const SHARED_TEXTS: [&str; 5] = ["/proc", "/dev/mem", "/dev/kmem", "/dev/kcore", "/sys/kernel"];

/// The rules of Python.
pub(super) const PYTHON: &[Rule] = &[
    rule(
        "native-module",
        (Deny, Native, Module),
        &["ctypes.", "_ctypes.", "cffi.", "pty."],
        NATIVE,
    ),
    rule("native-call", (Deny, Native, Call), &["ctypes.", "cffi.", "pty.", "os.openpty"], NATIVE),
    rule("kernel-file", (Deny, Native, Text), &SHARED_TEXTS, SPECIAL),
    rule("shell", (Deny, Process, Argument), &["shell=True", "shell=1"], STARTS),
    rule("other-coding", (Ask, DynamicCode, File), &["coding"], OTHER_CODING),
    rule("unreadable", (Note, Other, File), &["unreadable"], BROKEN),
    rule("install-module", (Ask, Install, Module), &["pip.", "ensurepip.", "setuptools."], FETCHES),
    rule(
        "install-text",
        (Ask, Install, Text),
        &["pip install", "pip3 install", "npm install"],
        FETCHES,
    ),
    rule(
        "network-module",
        (Ask, Network, Module),
        &[
            "socket.",
            "ssl.",
            "requests.",
            "httpx.",
            "urllib.request.",
            "urllib3.",
            "http.client.",
            "http.server.",
            "socketserver.",
            "ftplib.",
            "smtplib.",
            "poplib.",
            "imaplib.",
            "nntplib.",
            "telnetlib.",
            "xmlrpc.",
            "aiohttp.",
            "websockets.",
            "websocket.",
            "paramiko.",
            "pycurl.",
            "_socket.",
            "webbrowser.",
        ],
        CONNECTS,
    ),
    rule(
        "network-call",
        (Ask, Network, Call),
        &[
            "socket.",
            "requests.",
            "httpx.",
            "urllib.request.",
            "urllib3.",
            "http.client.",
            "asyncio.open_connection",
            "asyncio.start_server",
            "smtplib.",
            "ftplib.",
        ],
        CONNECTS,
    ),
    rule(
        "process-module",
        (Ask, Process, Module),
        &["subprocess.", "_posixsubprocess.", "pexpect.", "sh.", "os.system", "os.popen"],
        STARTS,
    ),
    rule(
        "process-call",
        (Ask, Process, Call),
        &[
            "subprocess.",
            "os.system",
            "os.popen",
            "os.execv",
            "os.execve",
            "os.execvp",
            "os.execl",
            "os.execlp",
            "os.execvpe",
            "os.execle",
            "os.spawnv",
            "os.spawnl",
            "os.spawnlp",
            "os.spawnvp",
            "os.posix_spawn",
            "os.posix_spawnp",
            "os.fork",
            "os.forkpty",
            "os.kill",
            "os.killpg",
            "posix.system",
            "posix.",
            "asyncio.create_subprocess_exec",
            "asyncio.create_subprocess_shell",
            "pexpect.",
        ],
        STARTS,
    ),
    rule(
        "dynamic-call",
        (Ask, DynamicCode, Call),
        &[
            "eval",
            "exec",
            "compile",
            "builtins.eval",
            "builtins.exec",
            "builtins.compile",
            "types.FunctionType",
            "types.CodeType",
            "code.interact",
            "code.InteractiveInterpreter",
            "runpy.",
        ],
        MAKES_CODE,
    ),
    rule(
        "dynamic-name",
        (Ask, DynamicCode, Name),
        &["eval", "exec", "__import__", "builtins.eval", "builtins.exec"],
        MAKES_CODE,
    ),
    rule("computed", (Ask, DynamicCode, Computed), &["import", "member"], COMPUTES),
    rule(
        "inside",
        (Ask, DynamicCode, Name),
        &[
            "__subclasses__",
            "__globals__",
            "__builtins__",
            "__code__",
            "__closure__",
            "__mro__",
            "__bases__",
            "__loader__",
            "gi_frame",
            "sys.modules",
        ],
        INSIDE,
    ),
    rule("inside-call", (Ask, DynamicCode, Call), &["sys._getframe", "gc.get_objects"], INSIDE),
    rule(
        "path-outside",
        (Ask, Files, Argument),
        &[
            "open outside",
            "io.open outside",
            "os.open outside",
            "pathlib.Path outside",
            "os.listdir outside",
            "os.remove outside",
            "os.chdir outside",
            "shutil.rmtree outside",
        ],
        OUTSIDE,
    ),
    rule("sql", (Ask, Sql, Argument), &["execute made-of-data"], DATA_IN_SQL),
    rule("unsafe-load", (Ask, Serialization, Call), &["yaml.load", "yaml.unsafe_load"], REVIVES),
    rule(
        "serialization",
        (Note, Serialization, Module),
        &["pickle.", "cPickle.", "_pickle.", "dill.", "marshal.", "shelve.", "jsonpickle."],
        REVIVES,
    ),
    rule("os-module", (Note, Files, Module), &["os", "shutil."], TOUCHES),
    rule("environment", (Note, Secrets, Name), &["os.environ"], "it reads the environment"),
    rule("secret", (Note, Secrets, Given), &["."], WRITTEN_DOWN),
    rule(
        "weak-hash",
        (Note, Crypto, Call),
        &["hashlib.md5", "hashlib.sha1", "random.random", "random.choice", "random.randint"],
        WEAK,
    ),
];

/// The rules of JavaScript.
pub(super) const JAVASCRIPT: &[Rule] = &[
    rule(
        "native-module",
        (Deny, Native, Module),
        &["ffi-napi", "ref-napi", "koffi", "inspector.", "v8-debug"],
        NATIVE,
    ),
    rule(
        "native-name",
        (Deny, Native, Name),
        &["process.binding", "process.dlopen", "process._linkedBinding"],
        NATIVE,
    ),
    rule("kernel-file", (Deny, Native, Text), &SHARED_TEXTS, SPECIAL),
    rule("unreadable", (Note, Other, File), &["unreadable"], BROKEN),
    rule("install-text", (Ask, Install, Text), &["npm install", "npm i", "yarn add"], FETCHES),
    rule(
        "network-module",
        (Ask, Network, Module),
        &[
            "net.",
            "tls.",
            "http.",
            "https.",
            "http2.",
            "dgram.",
            "dns.",
            "axios.",
            "node-fetch.",
            "undici.",
            "got.",
            "ws.",
            "socket.io.",
            "superagent.",
            "request.",
            "nodemailer.",
        ],
        CONNECTS,
    ),
    rule(
        "network-name",
        (Ask, Network, Name),
        &["fetch", "WebSocket", "XMLHttpRequest", "EventSource"],
        CONNECTS,
    ),
    rule(
        "process-module",
        (Ask, Process, Module),
        &["child_process.", "cluster.", "worker_threads.", "execa.", "shelljs.", "cross-spawn."],
        STARTS,
    ),
    rule("process-call", (Ask, Process, Call), &["child_process.", "process.kill"], STARTS),
    rule(
        "dynamic-module",
        (Ask, DynamicCode, Module),
        &["vm.", "vm2.", "module.", "repl."],
        MAKES_CODE,
    ),
    rule(
        "dynamic-name",
        (Ask, DynamicCode, Name),
        &["eval", "Function", "constructor.constructor"],
        MAKES_CODE,
    ),
    rule(
        "dynamic-call",
        (Ask, DynamicCode, Argument),
        &["setTimeout text", "setInterval text"],
        MAKES_CODE,
    ),
    rule("computed", (Ask, DynamicCode, Computed), &["import", "member"], COMPUTES),
    rule("path-outside", (Ask, Files, Argument), &["fs outside"], OUTSIDE),
    rule("sql", (Ask, Sql, Argument), &["execute made-of-data"], DATA_IN_SQL),
    rule("files-module", (Note, Files, Module), &["fs.", "fs/promises."], TOUCHES),
    rule("environment", (Note, Secrets, Name), &["process.env"], "it reads the environment"),
    rule("secret", (Note, Secrets, Given), &["."], WRITTEN_DOWN),
    rule("weak-random", (Note, Crypto, Call), &["Math.random"], WEAK),
];
