//! Rendering, with everything bounded.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use minijinja::machinery::{eval, make_string_output};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Enumerator, Object};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, OutputSpan, OutputSpanKind, UndefinedBehavior};
use minijinja::{Value as EngineValue, escape_formatter};

use super::parsed::{Code, Parsed};
use super::{Library, Lookup, Part, Syntax, filters};
use crate::input::Value;
use crate::limits::{Limit, Limits};
use crate::source::{Located, Span, clean_newlines};

/// What the engine says of too much recursion.
const RECURSION: &str = "recursion limit exceeded";

/// Recursion that an include costs, its frame included. More than 500 in all the engine does not grant.
const INCLUDE: usize = 11;

/// The name of a text that is no file of the library.
pub(super) const INLINE: &str = "<section>";

/// An engine for one setting of the switches for blanks.
pub struct Engine {
    env: Environment<'static>,
    library: Arc<dyn Library>,
    limits: Limits,
    syntax: Syntax,
}

/// Values of one context, ready for the engine.
pub struct Values(EngineValue);

/// Why a text could not be rendered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenderError {
    /// What the engine says, without the place.
    pub message: String,
    /// The place.
    pub span: Span,
    /// Which bound was reached, if it was one.
    pub limit: Option<Limit>,
    /// Whether a value was used that was not given.
    pub undefined: bool,
}

impl Values {
    /// Values by name; an optional one that is missing is left out.
    pub fn new<'v>(values: impl IntoIterator<Item = (&'v str, &'v Value)>) -> Values {
        let map: BTreeMap<&str, EngineValue> = values.into_iter().map(|(n, v)| (n, engine_value(v))).collect();
        Values(EngineValue::from(map))
    }

    /// Values that are looked up when a template names them, and not before.
    pub fn lazy(lookup: Arc<dyn Lookup>) -> Values {
        Values(EngineValue::from_object(Asked(lookup)))
    }
}

/// The root of a template whose names are looked up one by one.
#[derive(Debug)]
struct Asked(Arc<dyn Lookup>);

impl Object for Asked {
    fn get_value(self: &Arc<Self>, key: &EngineValue) -> Option<EngineValue> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, name: &str) -> Option<EngineValue> {
        self.0.value(name).map(|value| engine_value(&value))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::NonEnumerable
    }
}

impl Engine {
    /// An engine over a library of texts.
    pub fn new(library: Arc<dyn Library>, syntax: Syntax, limits: Limits) -> Engine {
        let mut env = bare_environment(&limits);
        env.set_syntax(syntax_config(syntax));
        env.set_recursion_limit(limits.template_depth.value.max(INCLUDE * (limits.include_depth.value + 1)));
        let texts = library.clone();
        env.set_loader(move |name| {
            Ok(texts.get(name).map(|located| texts.templates().parsed(&located, syntax, &limits).text().to_owned()))
        });
        Engine { env, library, limits, syntax }
    }

    /// Renders a text. One pass: what a value contains is never parsed.
    ///
    /// # Errors
    /// The first thing that goes wrong.
    pub fn render(&self, text: &Located, values: &Values) -> Result<String, RenderError> {
        let parsed = self.parsed(text);
        if let Some(said) = parsed.code().and_then(|code| self.run(code, values)) {
            return Ok(said);
        }
        let at = |error: &Error| self.place(text, error);
        let limit = self.limits.section_bytes;
        let template = self.env.template_from_named_str(INLINE, parsed.text()).map_err(|e| at(&e))?;
        let mut out = Bounded { bytes: Vec::new(), most: limit.value, full: false };
        let result = template.render_captured_to(values.0.clone(), &mut out).map(drop);
        if out.full {
            return Err(RenderError {
                message: format!("it makes more than {} of text", limit.amount()),
                span: text.whole_span(),
                limit: Some(limit),
                undefined: false,
            });
        }
        result.map_err(|e| at(&e))?;
        let text = String::from_utf8(out.bytes).expect("the engine writes whole strings");
        // A template may write a carriage return as an escape.
        Ok(clean_newlines(&text).into_owned())
    }

    /// What compiled code says, if nothing goes wrong and it is not too much. Fuel is its only bound: whatever gives
    /// nothing here is rendered again, into a writer that stops it where the limit is.
    fn run(&self, code: &Code<'_>, values: &Values) -> Option<String> {
        let mut said = String::new();
        let mut out = make_string_output(&mut said);
        let ran = eval(&self.env, &code.instructions, values.0.clone(), &code.blocks, &mut out, AutoEscape::None);
        ran.map(drop).ok()?;
        let fits = said.len() <= self.limits.section_bytes.value;
        fits.then(|| if said.contains('\r') { clean_newlines(&said).into_owned() } else { said })
    }

    fn parsed(&self, text: &Located) -> Arc<Parsed> {
        let Engine { library, syntax, limits, .. } = self;
        library.templates().parsed(text, *syntax, limits)
    }

    /// What a part of a body says.
    ///
    /// # Errors
    /// The first thing that goes wrong.
    pub fn evaluate(&self, text: &Located, part: &Part<'_>, values: &Values) -> Result<String, RenderError> {
        let mut said = String::new();
        match part {
            Part::Raw(raw) => said.push_str(raw),
            Part::Code(code) => {
                let blocks = BTreeMap::new();
                let mut out = make_string_output(&mut said);
                eval(&self.env, code, values.0.clone(), &blocks, &mut out, AutoEscape::None)
                    .map_err(|e| self.place(text, &e))?;
            }
        }
        Ok(said)
    }

    /// Where in the text, or in a file that it includes, the outputs under two sets of values part; `None` when they are
    /// the same. Of both places the one further up: what stands in a branch, not what follows it.
    ///
    /// # Errors
    /// The first thing that goes wrong.
    pub fn parting(&self, text: &Located, a: &Values, b: &Values) -> Result<Option<Span>, RenderError> {
        let at = |error: &Error| self.place(text, error);
        let parsed = self.parsed(text);
        let template = self.env.template_from_named_str(INLINE, parsed.text()).map_err(|e| at(&e))?;
        let (first, spans) = template.render_with_spans(a.0.clone()).map_err(|e| at(&e))?;
        let (second, others) = template.render_with_spans(b.0.clone()).map_err(|e| at(&e))?;
        let same = first.bytes().zip(second.bytes()).take_while(|(x, y)| x == y).count();
        if same == first.len() && same == second.len() {
            return Ok(None);
        }
        let place = |spans: &[OutputSpan]| {
            let span = spans.iter().find(|s| s.output_range().contains(&same))?;
            let file = Some(span.name()).filter(|name| *name != INLINE).and_then(|name| self.library.get(name));
            let file = file.as_ref().unwrap_or(text);
            let range = self.parsed(file).range(span.source_range());
            // Within raw text the very byte is known.
            let skipped = if span.kind() == OutputSpanKind::Raw { same - span.output_range().start } else { 0 };
            let start = file.text.floor_char_boundary((range.start + skipped).min(range.end));
            // A line that says something tells more than the end of the one before.
            let blank = file.text[start..range.end].find(|c: char| !c.is_whitespace()).unwrap_or(0);
            Some(file.span(start + blank..range.end))
        };
        let (one, other) = (place(&spans), place(&others));
        Ok(match (one, other) {
            (Some(p), Some(q)) if p.file == q.file => Some(if q.start < p.start { q } else { p }),
            (p, q) => p.or(q),
        })
    }

    fn place(&self, text: &Located, error: &Error) -> RenderError {
        let mut innermost = error;
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            if let Some(inner) = inner.downcast_ref::<Error>() {
                innermost = inner;
            }
            source = inner.source();
        }
        let file = innermost.name().filter(|name| *name != INLINE).and_then(|name| self.library.get(name));
        let text = file.as_ref().unwrap_or(text);
        let span =
            innermost.range().map_or_else(|| text.whole_span(), |range| text.span(self.parsed(text).range(range)));
        let limit = match innermost.kind() {
            ErrorKind::OutOfFuel => Some(self.limits.template_fuel),
            _ if innermost.detail() == Some(RECURSION) => Some(self.limits.template_depth),
            _ => None,
        };
        let message = match (limit, innermost.detail()) {
            (Some(limit), Some(RECURSION)) => format!("its recursion is deeper than {}", limit.amount()),
            (Some(limit), _) => format!("it needs more than {} units of work", limit.amount()),
            (None, Some(detail)) => detail.to_owned(),
            (None, None) => innermost.kind().to_string(),
        };
        RenderError { message, span, limit, undefined: innermost.kind() == ErrorKind::UndefinedError }
    }
}

/// An engine without a library: for expressions.
pub(super) fn bare_environment(limits: &Limits) -> Environment<'static> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_auto_escape_callback(|_| AutoEscape::None);
    env.set_debug(true);
    env.set_fuel(Some(limits.template_fuel.value as u64));
    env.remove_global("debug");
    env.remove_global("dict");
    filters::register(&mut env, limits);
    let most = limits.data_depth.value;
    env.set_formatter(move |out, state, value| {
        filters::look(state, value, most)?;
        escape_formatter(out, state, value)
    });
    env
}

pub(super) fn syntax_config(syntax: Syntax) -> SyntaxConfig {
    SyntaxConfig::builder()
        .trim_blocks(syntax.trim_blocks)
        .lstrip_blocks(syntax.lstrip_blocks)
        .keep_trailing_newline(syntax.keep_trailing_newline)
        .build()
        .expect("the delimiters are the engine's own")
}

pub(super) fn engine_value(value: &Value) -> EngineValue {
    match value {
        Value::Null => EngineValue::from(()),
        Value::Bool(b) => EngineValue::from(*b),
        Value::Integer(n) => EngineValue::from(*n),
        Value::Number(n) => EngineValue::from(*n),
        Value::String(s) => EngineValue::from(s.as_str()),
        Value::List(items) => EngineValue::from(items.iter().map(engine_value).collect::<Vec<_>>()),
        Value::Table(map) => {
            EngineValue::from(map.iter().map(|(k, v)| (k.as_str(), engine_value(v))).collect::<BTreeMap<_, _>>())
        }
    }
}

struct Bounded {
    bytes: Vec<u8>,
    most: usize,
    full: bool,
}

impl io::Write for Bounded {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + buf.len() > self.most {
            self.full = true;
            return Err(io::Error::other("too much output"));
        }
        self.bytes.extend_from_slice(buf);
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
