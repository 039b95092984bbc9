//! The drill's commands as methods of the wire.

use crate::commands::call::commands;

commands! {
    /// Judges a file.
    Submit = "drill.submit";
    /// Asks for a hint.
    Hint = "drill.hint";
    /// Asks for the reference solution.
    GiveUp = "drill.give_up";
    /// Ends the session.
    End = "drill.end";
}

#[cfg(test)]
mod tests {
    use vosim_protocol::Wire as _;
    use vosim_protocol::v1::drill::Command;
    use vosim_protocol::v1::service::Method as _;

    use super::*;
    use crate::commands::call::arguments;

    #[test]
    fn methods_are_named_as_the_commands_are_spelled() {
        let named = |command: &Command| command.to_json()["command"].as_str().unwrap().to_owned();
        assert_eq!(GiveUp::NAME, format!("drill.{}", named(&Command::GiveUp { confirm: true })));
        assert_eq!(Hint::NAME, format!("drill.{}", named(&Command::Hint { confirm: true })));
        assert_eq!(End::NAME, format!("drill.{}", named(&Command::End {})));
        let args = arguments(&Command::GiveUp { confirm: true });
        assert_eq!(args, serde_json::json!({ "confirm": true }));
    }
}
