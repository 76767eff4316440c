//! Paths in manifests: relative, `/` between parts, never out of the folder that they start from.

/// Why a path cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathProblem {
    /// It starts at the root of the machine or of a drive.
    Absolute,
    /// It climbs out by `..`.
    Climbs,
    /// It names nothing.
    Empty,
    /// It has a backslash or a control character.
    Letters,
}

/// The path without `.` and `..`.
///
/// # Errors
/// Why it cannot be used.
pub fn normalise(path: &str) -> Result<String, PathProblem> {
    if path.starts_with('/') || path.get(1..2) == Some(":") {
        return Err(PathProblem::Absolute);
    }
    if path.contains(|c: char| c.is_control() || c == '\\') {
        return Err(PathProblem::Letters);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop().ok_or(PathProblem::Climbs)?,
            part => parts.push(part),
        }
    }
    if parts.is_empty() { Err(PathProblem::Empty) } else { Ok(parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_where_they_start() {
        assert_eq!(normalise("a/./b//c.md"), Ok("a/b/c.md".to_owned()));
        assert_eq!(normalise("a/../b.md"), Ok("b.md".to_owned()));
        assert_eq!(normalise("../b.md"), Err(PathProblem::Climbs));
        assert_eq!(normalise("a/../../b.md"), Err(PathProblem::Climbs));
        assert_eq!(normalise("/etc/passwd"), Err(PathProblem::Absolute));
        assert_eq!(normalise("C:\\x"), Err(PathProblem::Absolute));
        assert_eq!(normalise("a\\..\\b"), Err(PathProblem::Letters));
        assert_eq!(normalise("a\0b"), Err(PathProblem::Letters));
        assert_eq!(normalise("."), Err(PathProblem::Empty));
    }
}
