//! YAML 1.2, core schema, from the events of the parser inside serde-saphyr.
//!
//! Events keep what a deserialiser loses: the place, the quotes and the tag of every scalar, both of two equal keys.
//! See docs/decisions/001-yaml-by-serde-saphyr.md.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_saphyr::granit_parser as granit;

use super::scalar::{self, Plain};
use super::{Problems, Stop, Table};
use crate::diag::Diagnostic;
use crate::input::{Value, errors};
use crate::limits::Limits;
use crate::source::{Located, Span, Spanned};

/// Anchors that are searched for a near name.
const SUGGESTED_NAMES: usize = 100;

pub(super) fn read(text: &Located, limits: &Limits, problems: &mut Problems) -> Result<Table, Stop> {
    let mut options = granit::options! {
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        flow_nesting_limit: limits.data_depth.value,
        block_nesting_limit: limits.data_depth.value,
    };
    options.set_emit_comments(false);
    let mut reader = Reader {
        text,
        events: granit::Parser::new_from_str_with_options(&text.text, options),
        problems,
        anchors: BTreeMap::new(),
        names: BTreeSet::new(),
        values_left: limits.alias_values.value,
        bytes_left: limits.alias_bytes.value,
        limits,
    };
    reader.stream()
}

struct Reader<'a> {
    text: &'a Located,
    events: granit::Parser<'a, granit::StrInput<'a>>,
    problems: &'a mut Problems,
    /// Finished anchors by id.
    anchors: BTreeMap<usize, Kept>,
    /// Names of the first anchors, for suggestions.
    names: BTreeSet<String>,
    limits: &'a Limits,
    values_left: usize,
    bytes_left: usize,
}

type Event<'a> = (granit::Event<'a>, granit::Span);

/// A value and what it costs to repeat it.
#[derive(Clone)]
struct Node {
    value: Value,
    values: usize,
    bytes: usize,
    /// Lists and tables within one another, itself included.
    height: usize,
}

enum Kept {
    Node(Node),
    /// Not kept: an alias of it is an error in any case.
    TooLarge,
}

impl<'a> Reader<'a> {
    fn stream(&mut self) -> Result<Table, Stop> {
        let mut table = None;
        loop {
            let (event, at) = self.next()?;
            match event {
                granit::Event::StreamEnd => return Ok(table.unwrap_or_default()),
                granit::Event::DocumentStart(_, version) => {
                    if table.is_some() {
                        let span = self.span(&at);
                        return Err(self.problems.stop(errors::second_document(span)));
                    }
                    if let Some(version) = version.filter(|v| (v.major, v.minor) != (1, 2)) {
                        let problem = errors::yaml_version(self.span(&at), version.major, version.minor);
                        self.problems.push(problem);
                    }
                    table = Some(self.document()?);
                }
                _ => {}
            }
        }
    }

    fn document(&mut self) -> Result<Table, Stop> {
        let (event, at) = self.next()?;
        match event {
            granit::Event::MappingStart(_, _, tag) => {
                self.refuse_tag(tag.as_deref(), &at);
                Ok(self.table(1)?.0)
            }
            granit::Event::Scalar(_, granit::ScalarStyle::Plain, _, None) if self.range(&at).is_empty() => {
                Ok(Table::default())
            }
            _ => {
                let kind = self.node((event, at), 0)?.value.kind();
                self.problems.push(errors::top_level(self.span(&at), kind));
                Ok(Table::default())
            }
        }
    }

    /// The value that begins with an event, below `depth` lists and tables.
    fn node(&mut self, (event, at): Event<'a>, depth: usize) -> Result<Node, Stop> {
        let (node, anchor) = match event {
            granit::Event::Scalar(text, style, anchor, tag) => {
                self.refuse_tag(tag.as_deref(), &at);
                let plain = style == granit::ScalarStyle::Plain;
                let value = if plain { self.plain(&text, &at) } else { Value::String(text.into_owned()) };
                (Node::scalar(value), anchor)
            }
            granit::Event::SequenceStart(_, anchor, tag) => {
                self.refuse_tag(tag.as_deref(), &at);
                self.check_depth(depth + 1, &at)?;
                (self.list(depth + 1)?, anchor)
            }
            granit::Event::MappingStart(_, anchor, tag) => {
                self.refuse_tag(tag.as_deref(), &at);
                self.check_depth(depth + 1, &at)?;
                let (table, size) = self.table(depth + 1)?;
                (Node { value: table.into_value(), ..size }, anchor)
            }
            granit::Event::Alias(id) => return self.alias(id, &at, depth),
            granit::Event::UnresolvedAlias(name) => {
                let known = self.names.iter().map(String::as_str);
                let problem = errors::unknown_anchor(self.span(&at), &name, known);
                return Ok(Node::scalar(self.refuse(problem)));
            }
            _ => {
                let problem = errors::syntax(self.span(&at), "YAML", "a value is missing");
                return Err(self.problems.stop(problem));
            }
        };
        if anchor != 0 {
            self.keep(anchor, &node);
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Node, Stop> {
        let mut size = Node::container();
        let mut items = Vec::new();
        loop {
            let (event, at) = self.next()?;
            if event == granit::Event::SequenceEnd {
                return Ok(Node { value: Value::List(items), ..size });
            }
            let item = self.node((event, at), depth)?;
            size.add(&item);
            items.push(item.value);
        }
    }

    /// A table, and its size as a node without a value.
    fn table(&mut self, depth: usize) -> Result<(Table, Node), Stop> {
        let mut size = Node::container();
        let mut table = Table::default();
        loop {
            let (event, at) = self.next()?;
            let merge = match &event {
                granit::Event::MappingEnd => return Ok((table, size)),
                granit::Event::Scalar(text, granit::ScalarStyle::Plain, ..) => text == "<<",
                _ => false,
            };
            let told = self.problems.count();
            let key = self.node((event, at), depth)?;
            let value = self.next()?;
            let value = self.node(value, depth)?;
            size.add(&key);
            size.add(&value);
            let span = self.span(&at);
            match key.value {
                _ if merge => self.problems.push(errors::merge_key(span)),
                Value::String(key) => table.insert(Spanned::new(key, span), value.value, self.problems),
                // A key that is an error in itself has been told.
                Value::Null if self.problems.count() > told => {}
                other => self.problems.push(errors::key_kind(span, other.kind())),
            }
        }
    }

    fn plain(&mut self, text: &str, at: &granit::Span) -> Value {
        if self.range(at).is_empty() {
            return Value::Null;
        }
        let span = self.span(at);
        match scalar::plain(text) {
            Plain::Value(value) => value,
            Plain::TooLarge => self.refuse(errors::integer_too_large(span, text)),
            Plain::NotFinite => self.refuse(errors::not_finite(span, text)),
            Plain::Unclear { plain } => self.refuse(errors::unclear_number(span, text, plain.as_deref())),
        }
    }

    fn alias(&mut self, id: usize, at: &granit::Span, depth: usize) -> Result<Node, Stop> {
        let span = self.span(at);
        let node = match self.anchors.get(&id) {
            None => {
                let problem = errors::alias_in_itself(span, self.slice(at));
                return Ok(Node::scalar(self.refuse(problem)));
            }
            Some(Kept::Node(node)) if node.values <= self.values_left && node.bytes <= self.bytes_left => node.clone(),
            Some(_) => {
                let problem = errors::aliases_too_large(span, self.limits.alias_values, self.limits.alias_bytes);
                return Err(self.problems.stop(problem));
            }
        };
        if node.height > 0 {
            self.check_depth(depth + node.height, at)?;
        }
        self.pay(&node);
        Ok(node)
    }

    /// Keeps a value for aliases. Keeping is paid for as well, so that anchors within anchors stay small.
    fn keep(&mut self, id: usize, node: &Node) {
        let small = node.values <= self.values_left && node.bytes <= self.bytes_left;
        if small {
            self.pay(node);
        }
        self.anchors.insert(id, if small { Kept::Node(node.clone()) } else { Kept::TooLarge });
    }

    fn pay(&mut self, node: &Node) {
        self.values_left -= node.values;
        self.bytes_left -= node.bytes;
    }

    fn check_depth(&mut self, depth: usize, at: &granit::Span) -> Result<(), Stop> {
        let limit = self.limits.data_depth;
        if depth <= limit.value {
            return Ok(());
        }
        let span = self.span(at);
        Err(self.problems.stop(errors::too_deep(span, limit)))
    }

    fn refuse_tag(&mut self, tag: Option<&granit::Tag>, at: &granit::Span) {
        if let Some(tag) = tag {
            let place = at.tag_span().unwrap_or(*at);
            let problem = match self.slice(&place) {
                "" => errors::tag(self.span(&place), &tag.original()),
                written => errors::tag(self.span(&place), written),
            };
            self.problems.push(problem);
        }
    }

    fn refuse(&mut self, problem: Diagnostic) -> Value {
        self.problems.push(problem);
        Value::Null
    }

    /// The next event that is no anchor.
    fn next(&mut self) -> Result<Event<'a>, Stop> {
        loop {
            match self.events.next() {
                Some(Ok((granit::Event::Anchor(_, name), _))) => {
                    if self.names.len() < SUGGESTED_NAMES {
                        self.names.insert(name.into_owned());
                    }
                }
                Some(Ok(event)) => return Ok(event),
                Some(Err(error)) => return Err(self.scan_error(&error)),
                None => return Ok((granit::Event::StreamEnd, granit::Span::default())),
            }
        }
    }

    fn scan_error(&mut self, error: &granit::ScanError) -> Stop {
        let start = error.marker().byte_offset().unwrap_or(0);
        let width = self.text.text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let span = self.text.span(start..start + width);
        let problem = match error.kind() {
            granit::ErrorKind::RecursionLimitExceeded => errors::too_deep(span, self.limits.data_depth),
            granit::ErrorKind::MappingValueNotAllowed => errors::yaml_colon(span),
            granit::ErrorKind::UnexpectedCharacter { character } => errors::yaml_character(span, *character),
            granit::ErrorKind::TabNotAllowed
            | granit::ErrorKind::TabInBlockIndentation
            | granit::ErrorKind::TabInIndentation => errors::yaml_tab(self.tab_before(start).unwrap_or(span)),
            _ => errors::syntax(span, "YAML", &error.info()),
        };
        self.problems.stop(problem)
    }

    /// The first tab of the line in which an error stands.
    fn tab_before(&self, at: usize) -> Option<Span> {
        let before = self.text.text.get(..at)?;
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let tab = line + before[line..].find('\t')?;
        Some(self.text.span(tab..tab + 1))
    }

    fn range(&self, at: &granit::Span) -> Range<usize> {
        at.byte_range().unwrap_or(0..0)
    }

    fn slice(&self, at: &granit::Span) -> &'a str {
        self.text.text.get(self.range(at)).unwrap_or_default()
    }

    fn span(&self, at: &granit::Span) -> Span {
        self.text.span(self.range(at))
    }
}

impl Node {
    fn scalar(value: Value) -> Node {
        let bytes = if let Value::String(s) = &value { s.len() } else { 0 };
        Node { value, values: 1, bytes, height: 0 }
    }

    fn container() -> Node {
        Node { value: Value::Null, values: 1, bytes: 0, height: 1 }
    }

    fn add(&mut self, part: &Node) {
        self.values += part.values;
        self.bytes += part.bytes;
        self.height = self.height.max(part.height + 1);
    }
}

#[cfg(test)]
mod tests {
    use crate::input::data::Format::Yaml;
    use crate::input::data::tests::{messages, value};

    #[test]
    fn every_kind_of_value_is_read() {
        let text = "# c\ns: plain text  # c\nq: '017'\nd: \"a\\r\\nb\"\nl: |\n  x\n  y\nf: >-\n  x\n  y\n\
                    n: [1, 0x1F, 0o17, 1.5, .5, 1e3]\nb: [yes, no, on, off, true]\nz: [~, null, ]\nempty:\n\
                    date: 2024-01-31\ntime: 12:30\n? k\n: {a: {}, b}\n\"<<\": 1\n";
        let want = r#"{"<<":1,"b":["yes","no","on","off",true],"d":"a\nb","date":"2024-01-31","empty":null,"f":"x y","#
            .to_owned()
            + r#""k":{"a":{},"b":null},"l":"x\ny\n","n":[1,31,15,1.5,0.5,1000.0],"q":"017","s":"plain text","#
            + r#""time":"12:30","z":[null,null]}"#;
        assert_eq!(value(text, Yaml), want);
    }

    #[test]
    fn an_empty_document_has_no_entries() {
        for text in ["", "\n", "# only\n", "---\n", "---\n...\n", "%YAML 1.2\n---\n{}\n"] {
            assert_eq!(value(text, Yaml), "{}", "{text:?}");
        }
    }

    #[test]
    fn all_that_the_core_schema_lacks_is_told_together() {
        let text = "a: 1_000\nb: 017\nc: [0b1, .inf]\nd: !!str 5\ne: !x {f: 1}\n<<: {g: 1}\na: 2\n\
                    h: 9223372036854775808\n1: x\n~: x\n[k]: x\n017: x\n? {m: 1}\n: x\n*nope : *nope\n\"a\": ! z\n";
        let want = [
            "1:4-9 `1_000` means different things to YAML readers",
            "2:4-7 `017` means different things to YAML readers",
            "3:5-8 `0b1` means different things to YAML readers",
            "3:10-14 `.inf` is not a finite number",
            "4:4-9 the YAML tag `!!str` is not allowed",
            "5:4-6 the YAML tag `!x` is not allowed",
            "6:1-3 the YAML merge key `<<` is not allowed",
            "7:1-2 the key `a` is given twice",
            "8:4-23 the integer `9223372036854775808` does not fit in 64 bits",
            "9:1-2 a key must be a string, not an integer",
            "10:1-2 a key must be a string, not null",
            "11:1-2 a key must be a string, not a list",
            "12:1-4 `017` means different things to YAML readers",
            "13:3-4 a key must be a string, not a table",
            "15:1-6 there is no anchor `&nope` before this alias",
            "15:9-14 there is no anchor `&nope` before this alias",
            "16:1-4 the key `a` is given twice",
            "16:6-7 the YAML tag `!` is not allowed",
        ];
        assert_eq!(messages(text, Yaml), want);
    }

    #[test]
    fn documents_are_one_and_a_table() {
        for (text, want) in [
            ("a: 1\n---\nb: 2\n", "2:1-4 the file holds more than one YAML document"),
            ("---\na: 1\n---\n", "3:1-4 the file holds more than one YAML document"),
            ("- 1\n", "1:1-1 the top level is a list, not a table"),
            ("text\n", "1:1-5 the top level is a string, not a table"),
            ("~\n", "1:1-2 the top level is null, not a table"),
            ("%YAML 1.1\n---\na: yes\n", "2:1-4 YAML 1.1 is not read, only YAML 1.2"),
        ] {
            assert_eq!(messages(text, Yaml), [want], "{text}");
        }
    }

    #[test]
    fn syntax_errors_have_their_place() {
        for (text, want) in [
            ("a: b: c\n", "1:5-6 invalid YAML: a `:` where no key can be"),
            ("a: @x\n", "1:4-5 invalid YAML: `@` cannot begin a value"),
            ("a:\n\t- b\n", "2:1-2 invalid YAML: a tab in the indentation"),
            ("é: \"x\n", "1:4-5 invalid YAML: unclosed quote"),
            ("a: 1\n  b: 2\n", "2:4-5 invalid YAML: a `:` where no key can be"),
        ] {
            assert_eq!(messages(text, Yaml), [want], "{text}");
        }
    }

    #[test]
    fn aliases_repeat_values() {
        let text = "a: &x {k: [1, *y]}\n";
        assert_eq!(messages(text, Yaml), ["1:15-17 there is no anchor `&y` before this alias"]);
        let text = "a: &x {k: &y [1]}\nb: *x\nc: *y\n&d d: &x e\n*d : no\n*x : *x\n";
        assert_eq!(messages(text, Yaml), ["5:1-3 the key `d` is given twice"]);
        let text = "a: &x {k: &y [1]}\nb: *x\nc: *y\n&d d: &x e\n*x : *d\n";
        assert_eq!(value(text, Yaml), r#"{"a":{"k":[1]},"b":{"k":[1]},"c":[1],"d":"e","e":"d"}"#);
        assert_eq!(messages("a: &x [*x]\n", Yaml), ["1:8-10 the alias `*x` stands inside its own anchor"]);
    }

    #[test]
    fn a_billion_laughs_are_refused() {
        let mut text = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
        for n in 1..40 {
            let aliases = vec![format!("*a{}", n - 1); 10].join(", ");
            text += &format!("a{n}: &a{n} [{aliases}]\n");
        }
        let told = messages(&text, Yaml);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("anchors and aliases repeat more than 10000 values or 1 MiB of text"), "{told:?}");
    }

    #[test]
    fn a_large_value_may_have_an_anchor_but_no_alias() {
        let large = format!("&x '{}'", "x".repeat(2 << 20));
        let nested = format!("a: {}{}{}\n", "&y [".repeat(60), large, "]".repeat(60));
        assert!(messages(&nested, Yaml).is_empty());
        assert_eq!(messages(&format!("a: {large}\nb: *x\n"), Yaml).len(), 1);
    }

    #[test]
    fn nesting_ends_at_64_levels() {
        let flow = |n: usize| format!("a: {}{}\n", "[".repeat(n), "]".repeat(n));
        value(&flow(63), Yaml);
        assert_eq!(messages(&flow(64), Yaml), ["1:67-68 values are nested more than 64 levels deep"]);
        assert_eq!(messages(&flow(100_000), Yaml).len(), 1);
        let block = |n: usize| (0..n).map(|d| format!("{}a:\n", " ".repeat(d))).collect::<String>();
        value(&block(64), Yaml);
        assert_eq!(messages(&block(65), Yaml).len(), 1);
        assert_eq!(messages(&format!("a: {}\n", "- ".repeat(100)), Yaml).len(), 1);
        let alias = format!("a: &x {}{}\nb: {}*x{}\n", "[".repeat(60), "]".repeat(60), "[".repeat(4), "]".repeat(4));
        assert_eq!(messages(&alias, Yaml), ["2:8-10 values are nested more than 64 levels deep"]);
    }
}
