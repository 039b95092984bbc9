//! The AppArmor profile that lets this one binary make user namespaces where Ubuntu allows them
//! only to programs with a profile. The profile confines nothing and permits nothing else.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Returns the profile for a binary at this path.
pub(super) fn profile(binary: &Path) -> Vec<u8> {
    let mut text = b"# Lets vosim-sandbox make the user namespaces in which it runs programs.\n\
        abi <abi/4.0>,\n\
        include <tunables/global>\n\
        \n\
        profile vosim-sandbox "
        .to_vec();
    text.extend(attachment(binary));
    text.extend(
        b" flags=(unconfined) {\n\
        \x20 userns,\n\
        \n\
        \x20 include if exists <local/vosim-sandbox>\n\
        }\n",
    );
    text
}

/// Returns the path as a pattern that matches it alone: quoted, with special characters escaped.
fn attachment(binary: &Path) -> Vec<u8> {
    let mut text = vec![b'"'];
    for &byte in binary.as_os_str().as_bytes() {
        match byte {
            b'\\' | b'"' | b'*' | b'?' | b'[' | b']' | b'{' | b'}' | b'^' => {
                text.extend([b'\\', byte]);
            }
            // A line may not end inside; three octal digits stand for any byte.
            0..0x20 | 0x7f => text.extend(format!("\\{byte:03o}").into_bytes()),
            _ => text.push(byte),
        }
    }
    text.push(b'"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(path: &str) -> String {
        String::from_utf8(attachment(Path::new(path))).unwrap()
    }

    #[test]
    fn the_profile_permits_namespaces_to_one_path_and_nothing_else() {
        let text = String::from_utf8(profile(Path::new("/usr/bin/vosim-sandbox"))).unwrap();
        let head = "profile vosim-sandbox \"/usr/bin/vosim-sandbox\" flags=(unconfined) {";
        assert!(text.contains(head), "{text}");
        let rules = text.lines().filter(|line| line.starts_with("  ") && line.ends_with(','));
        assert_eq!(rules.collect::<Vec<_>>(), ["  userns,"]);
        assert!(text.contains("abi <abi/4.0>,"), "older rules know no user namespaces");
    }

    #[test]
    fn odd_characters_of_a_path_stay_characters() {
        assert_eq!(quoted("/home/ada l/b"), r#""/home/ada l/b""#);
        assert_eq!(quoted(r#"/a*b?[c]{d,e}^f"g\h"#), r#""/a\*b\?\[c\]\{d,e\}\^f\"g\\h""#);
        assert_eq!(quoted("/@{HOME}/x"), r#""/@\{HOME\}/x""#);
        assert_eq!(quoted("/a\nb\tc"), r#""/a\012b\011c""#);
        assert_eq!(quoted("/größe"), "\"/größe\"");
    }
}
