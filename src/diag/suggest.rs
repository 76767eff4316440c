//! Near names, and lists of names in a sentence.

/// Bytes of the longest name that is compared.
const LONGEST: usize = 100;

/// The known name that is close enough to be meant: at most a third of the letters differ, of a short name one, and of
/// one of more than four letters two. Names of more than 100 bytes are nobody's slip: none is near them, which also bounds
/// the work.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let letters = name.chars().count();
    let limit = (letters / 3).max(if letters > 4 { 2 } else { 1 });
    known
        .into_iter()
        .filter(|k| *k != name && k.len() <= LONGEST && k.chars().count().abs_diff(letters) <= limit)
        .map(|k| (strsim::damerau_levenshtein(name, k), k))
        .filter(|&(distance, k)| distance <= limit && distance < k.chars().count())
        .min()
        .map(|(_, k)| k)
}

/// "`a`, `b` or `c`".
pub fn or_list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| format!("`{}`", n.as_ref())).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_close_names_are_suggested() {
        let known = ["platform", "is_git", "cwd"];
        assert_eq!(nearest("platfrom", known), Some("platform"));
        assert_eq!(nearest("isgit", known), Some("is_git"));
        assert_eq!(nearest("temperature", known), None);
        assert_eq!(nearest("xy", ["ab"]), None);
        assert_eq!(nearest("手機", ["手机"]), Some("手机"));
        assert_eq!(nearest("教师", ["教职工"]), None);
        let long = "x".repeat(1 << 20);
        assert_eq!(nearest(&long, [&*format!("{long}y")]), None);
    }

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(or_list(["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(or_list(["a"]), "`a`");
    }
}
