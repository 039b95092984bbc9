//! The drivers with no sandbox and no daemon around them: what judging cannot be faster than.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use vosim_protocol::v1::problem::{Interface, Language, Op, Syntax};
use vosim_tests::Home;

use super::helper::{ENV, runtime};

const PYTHON: &str = concat!(
    include_str!("../../../daemon/src/evaluator/python/driver.py"),
    "\n",
    include_str!("../../../daemon/src/evaluator/python/shape.py"),
    "\n",
    include_str!("../../../daemon/src/evaluator/python/chance.py"),
    "\nmain()\n",
);
const JAVASCRIPT: &str = concat!(
    include_str!("../../../daemon/src/evaluator/javascript/taken.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/chance.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/channel.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/values.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/errors.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/shape.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/plain.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/program.js"),
    "\n",
    include_str!("../../../daemon/src/evaluator/javascript/serve.js"),
    "\nmain();\n",
);

/// A driver under the bare interpreter, with what the daemon says to it.
pub(crate) struct BareDriver {
    interpreter: PathBuf,
    words: &'static [&'static str],
    driver: PathBuf,
    frames: Vec<Vec<u8>>,
}

impl BareDriver {
    /// For all cases of the LRU Cache with this program; None where its language has no interpreter.
    pub(crate) fn new(home: &Home, language: Language, file: &str, code: &str) -> Option<Self> {
        let interpreter = runtime(language)?.path;
        // Its channel on standard input, where a bare process finds it.
        let (words, name, text, changed): (&[_], _, _, _) = match language.syntax() {
            Syntax::Python => {
                let text = PYTHON.replace("posix.dup2(3,", "posix.dup2(0,");
                let changed = text.replace("posix.close(3)", "pass");
                (&["-s", "-P", "-S", "-X", "utf8"], "driver.py", PYTHON, changed)
            }
            Syntax::Javascript => {
                let changed = JAVASCRIPT.replace("const CHANNEL = 3;", "const CHANNEL = 0;");
                let words = &[
                    "--max-old-space-size=512",
                    "--experimental-vm-modules",
                    "--no-warnings",
                    "--openssl-config=/dev/null",
                    "--random-seed=1",
                    "--hash-seed=1",
                ];
                (words, "driver.cjs", JAVASCRIPT, changed)
            }
        };
        assert_ne!(text, changed);
        let driver = home.file(name, changed);
        Some(Self { interpreter, words, driver, frames: frames(file, code) })
    }

    /// From the start of the interpreter to its end, all cases answered.
    pub(crate) fn run(&self) {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let mut child = Command::new(&self.interpreter)
            .args(self.words)
            .arg(&self.driver)
            .env_clear()
            .envs(ENV)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut answers = BufReader::new(ours.try_clone().unwrap());
        for frame in &self.frames {
            ours.write_all(frame).unwrap();
            let mut answer = String::new();
            answers.read_line(&mut answer).unwrap();
            assert!(answer.contains("\"prints\"") && !answer.contains("\"error\""), "{answer}");
        }
        ours.shutdown(std::net::Shutdown::Both).unwrap();
        child.wait().unwrap();
    }
}

/// What the daemon says to the driver, as `evaluator::frames` describes it.
fn frames(file: &str, code: &str) -> Vec<Vec<u8>> {
    let package = vosimd::content::find("lru_cache").unwrap();
    let Interface::Class { name, constructor, methods } = &package.problem.interface else {
        unreachable!("an LRU cache is a class");
    };
    let methods: Vec<_> = methods
        .iter()
        .map(|one| serde_json::json!({ "name": one.name, "params": one.params.len() }))
        .collect();
    let start = serde_json::json!({
        "nonce": 7,
        "file": file,
        "code": code,
        "interface": { "name": name, "constructor": constructor.len(), "methods": methods },
    });
    let plain = |op: &Op| (op.call.clone(), op.args.clone());
    let cases = package.suite().cases;
    let case = |(index, ops): (usize, &Vec<Op>)| {
        let ops: Vec<_> = ops.iter().map(plain).collect();
        serde_json::json!({ "seq": index + 1, "ops": ops })
    };
    let cases = cases.iter().map(|case| &case.ops).enumerate().map(case);
    std::iter::once(start).chain(cases).map(|json| sized(&json.to_string())).collect()
}

fn sized(frame: &str) -> Vec<u8> {
    format!("{:010}{frame}", frame.len()).into_bytes()
}
