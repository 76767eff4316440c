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

/// Names that a list shows at most.
const SHOWN: usize = 40;

/// "a, b, c", of very many names the first ones and how many more there are.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// "`a`, `b` or `c`", of very many names the first ones and how many more there are.
pub fn or_list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(SHOWN).map(|n| format!("`{}`", n.as_ref())).collect();
    match names.count() {
        0 => {}
        more => shown.push(format!("one of {more} more")),
    }
    match shown.as_slice() {
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
        assert_eq!(listed(&["a", "b"]), "a, b");
        let many: Vec<String> = (0..SHOWN + 2).map(|n| n.to_string()).collect();
        assert!(listed(&many).ends_with(", 38, 39 and 2 more"), "{}", listed(&many));
        assert!(or_list(&many).ends_with(", `38`, `39` or one of 2 more"), "{}", or_list(&many));
    }
}
