//! Of what is possible in a session, what a role may ask for.

use vosim_protocol::Role;
use vosim_protocol::v1::commands::Commands;

/// Whether the command of this name is given to a role.
pub fn may<C: Commands>(role: Role, command: &str) -> bool {
    let row = C::TABLE.iter().find(|row| row.name == command);
    row.is_some_and(|row| row.may.contains(&role))
}

/// The commands that a role may give, of those that are possible.
pub fn permitted<C: Commands>(role: Role, possible: &[&str]) -> Vec<String> {
    let possible = possible.iter().filter(|command| may::<C>(role, command));
    possible.map(|&command| command.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::drill::Command;

    use super::*;

    #[test]
    fn only_what_is_given_to_a_role_is_permitted() {
        let of = |role| permitted::<Command>(role, &["submit", "give_up", "end", "of_the_future"]);
        assert_eq!(of(Role::Candidate), ["submit", "give_up", "end"]);
        assert_eq!(of(Role::Agent), ["submit", "end"]);
        assert!(of(Role::Observer).is_empty() && of(Role::Interviewer).is_empty());
    }
}
