//! `completions`: what makes a shell ask this program how a line may go on.

use clap_complete::CompleteEnv;
use clap_complete::env::{Bash, EnvCompleter, Fish, Zsh};

use crate::cli::{CompletedShell, grammar};
use crate::commands::Context;
use crate::errors::{Exit, Failure};

/// Names the shell that asks. A name of our own: what others have set must change no command.
const ASKED_BY: &str = "VOSIMCTL_COMPLETE";

const PROGRAM: &str = "vosimctl";

/// Answers a shell that asks how a line goes on; None where no shell asks.
pub(crate) fn answer() -> Option<Exit> {
    std::env::var_os(ASKED_BY)?;
    let asked = CompleteEnv::with_factory(grammar).var(ASKED_BY).bin(PROGRAM).completer(PROGRAM);
    let folder = std::env::current_dir().ok();
    match asked.try_complete(std::env::args_os(), folder.as_deref()) {
        Ok(true) => Some(Exit::Done),
        Ok(false) => None,
        // A shell that is completing a line has no place for a sentence.
        Err(_) => Some(Exit::Fixable),
    }
}

pub(crate) fn run(shell: CompletedShell, context: &Context) -> Result<Exit, Failure> {
    context.output.bytes(&script(shell)?)?;
    Ok(Exit::Done)
}

fn script(shell: CompletedShell) -> Result<Vec<u8>, Failure> {
    let completer: &dyn EnvCompleter = match shell {
        CompletedShell::Bash => &Bash,
        CompletedShell::Zsh => &Zsh,
        CompletedShell::Fish => &Fish,
    };
    let mut script = Vec::new();
    completer
        .write_registration(ASKED_BY, PROGRAM, PROGRAM, PROGRAM, &mut script)
        .map_err(anyhow::Error::from)?;
    if let CompletedShell::Zsh = shell {
        // Found in a folder of functions, the script itself is what is called the first time.
        let first = "[[ $funcstack[1] == _vosimctl ]] && _clap_dynamic_completer_vosimctl \"$@\"\n";
        script.extend_from_slice(first.as_bytes());
    }
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_is_told_to_ask_this_program() {
        for (shell, named) in [
            (CompletedShell::Bash, "complete -o nospace -o bashdefault"),
            (CompletedShell::Zsh, "#compdef vosimctl"),
            (CompletedShell::Fish, "complete --keep-order --exclusive --command vosimctl"),
        ] {
            let script = String::from_utf8(script(shell).unwrap()).unwrap();
            assert!(script.contains(named), "{script}");
            assert!(script.contains("VOSIMCTL_COMPLETE="), "{script}");
        }
    }
}
