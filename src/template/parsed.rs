//! Texts as the engine has them, each parsed once, however many sections, profiles and contexts use it.
//!
//! Owns the tree of a text as it is written, and what the engine runs for it. Where the engine runs what is written, both
//! are made in one go. Main types: [`Parsed`], [`Templates`].

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::Error;
use minijinja::machinery::{CodeGenerator, Instructions, ast, parse};
use self_cell::self_cell;

use super::analyse::Analysis;
use super::engine::{INLINE, syntax_config};
use super::guard::Guarded;
use super::{Syntax, size};
use crate::limits::Limits;
use crate::source::{Located, Span};

/// A text that was parsed.
pub struct Parsed {
    written: Written,
    /// What the engine runs, where that is not what is written.
    charged: Option<Charged>,
}

/// Why there is no tree.
pub(super) enum Unreadable {
    /// A tag, or a chain of branches, is too large to be gone through.
    TooLarge(Range<usize>),
    /// What the parser says.
    Syntax(Error),
}

/// What the engine runs.
pub(super) struct Code<'t> {
    pub(super) instructions: Instructions<'t>,
    pub(super) blocks: BTreeMap<&'t str, Instructions<'t>>,
}

self_cell! {
    /// A text and its tree.
    struct Written {
        owner: Arc<str>,

        #[covariant]
        dependent: Reading,
    }
}

struct Reading<'t> {
    tree: Result<ast::Stmt<'t>, Unreadable>,
    /// None where another text is run, or nothing.
    code: Option<Code<'t>>,
}

self_cell! {
    /// A text that has the filters which charge for operands.
    struct Charged {
        owner: Guarded,

        #[covariant]
        dependent: Compiled,
    }
}

type Compiled<'t> = Result<(ast::Stmt<'t>, Code<'t>), Error>;

impl Parsed {
    /// Parses a text.
    pub fn new(text: &Arc<str>, syntax: Syntax, limits: &Limits) -> Parsed {
        let config = syntax_config(syntax);
        let mut charged = None;
        let written = Written::new(text.clone(), |text| {
            if let Some(place) = size::too_large(text, config.clone(), limits.template_terms.value) {
                return Reading { tree: Err(Unreadable::TooLarge(place)), code: None };
            }
            match parse(text, INLINE, config.clone()) {
                Ok(tree) => {
                    charged = Guarded::of(text, &tree);
                    let code = charged.is_none().then(|| Code::new(&tree, text));
                    Reading { tree: Ok(tree), code }
                }
                Err(error) => Reading { tree: Err(Unreadable::Syntax(error)), code: None },
            }
        });
        let compile = |guarded: Guarded| {
            Charged::new(guarded, |guarded| {
                let tree = parse(&guarded.text, INLINE, config)?;
                let code = Code::new(&tree, &guarded.text);
                Ok((tree, code))
            })
        };
        Parsed { written, charged: charged.map(compile) }
    }

    /// The tree of the text as it is written.
    pub(super) fn tree(&self) -> Result<&ast::Stmt<'_>, &Unreadable> {
        self.written.borrow_dependent().tree.as_ref()
    }

    /// What the engine runs; `None` for a text that it cannot read.
    pub(super) fn code(&self) -> Option<&Code<'_>> {
        match &self.charged {
            Some(charged) => charged.borrow_dependent().as_ref().ok().map(|(_, code)| code),
            None => self.written.borrow_dependent().code.as_ref(),
        }
    }

    /// The tree of what the engine runs.
    pub(super) fn code_tree(&self) -> Option<&ast::Stmt<'_>> {
        match &self.charged {
            Some(charged) => charged.borrow_dependent().as_ref().ok().map(|(tree, _)| tree),
            None => self.tree().ok(),
        }
    }

    /// The text that the engine runs.
    pub(super) fn text(&self) -> &str {
        match &self.charged {
            Some(charged) => &charged.borrow_owner().text,
            None => self.written.borrow_owner(),
        }
    }

    /// A place of that text in the text as it is written.
    pub(super) fn range(&self, compiled: Range<usize>) -> Range<usize> {
        match &self.charged {
            Some(charged) => charged.borrow_owner().range(compiled),
            None => compiled,
        }
    }
}

impl<'t> Code<'t> {
    fn new(tree: &ast::Stmt<'t>, text: &'t str) -> Code<'t> {
        let mut generator = CodeGenerator::new(INLINE, text);
        generator.compile_stmt(tree);
        let (instructions, blocks) = generator.finish();
        Code { instructions, blocks }
    }
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parsed").field("text", &self.text()).finish_non_exhaustive()
    }
}

/// Texts that were parsed, and what was found in them. What is remembered changes nothing but the time.
#[derive(Default, Debug)]
pub struct Templates {
    parsed: Mutex<BTreeMap<Key, Arc<Parsed>>>,
    /// By what surrounds the text, too.
    analysed: Mutex<BTreeMap<(Key, String), Arc<Analysis>>>,
}

/// Where a text is in memory, where it is written, and how it is read. What was parsed keeps its text alive, so that no
/// other one can take its place.
type Key = (usize, Span, Syntax);

fn key(text: &Located, syntax: Syntax) -> Key {
    (Arc::as_ptr(&text.text).cast::<u8>().addr(), text.whole_span(), syntax)
}

impl Templates {
    /// A text, parsed. Texts that stand in no file are not kept: the next one is another.
    pub fn parsed(&self, text: &Located, syntax: Syntax, limits: &Limits) -> Arc<Parsed> {
        if text.is_spread() {
            return Arc::new(Parsed::new(&text.text, syntax, limits));
        }
        let parsed = || self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        let key = key(text, syntax);
        let known = parsed().get(&key).cloned();
        known.unwrap_or_else(|| {
            let new = Arc::new(Parsed::new(&text.text, syntax, limits));
            parsed().entry(key).or_insert(new).clone()
        })
    }

    /// What was found in a text among such surroundings.
    pub(super) fn analysed(&self, text: &Located, syntax: Syntax, around: &str) -> Option<Arc<Analysis>> {
        let analysed = self.analysed.lock().unwrap_or_else(PoisonError::into_inner);
        analysed.get(&(key(text, syntax), around.to_owned())).cloned()
    }

    /// Remembers what was found in a text that is parsed.
    pub(super) fn remember(&self, text: &Located, syntax: Syntax, around: &str, found: &Arc<Analysis>) {
        if !text.is_spread() {
            let mut analysed = self.analysed.lock().unwrap_or_else(PoisonError::into_inner);
            analysed.insert((key(text, syntax), around.to_owned()), found.clone());
        }
    }
}
