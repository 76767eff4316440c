//! Operators that are paid for: each operand that may be a list or a text goes through a filter that charges for its size.
//!
//! The engine charges what its operators allocate, but not what they walk: `==` on two lists costs their outermost items
//! however much those hold, lists are multiplied and joined without a copy, `~` prints a list of any size, and
//! expressions of constants are even computed while compiling. So `a ~ b` is compiled as if it were written
//! `a|_print ~ b|_print`, and comparisons, sums, subscripts, keys of tables, `*arguments` and `loop.changed(..)` with
//! `|_pay`. Slices of slices of slices are a chain that each further one walks; `_flat` makes a list of it. The filters
//! hand the value through, so that nothing else changes: names, places and messages are those of the text as written.

mod operands;
#[cfg(test)]
mod tests;

use std::ops::Range;

use minijinja::machinery::ast::{Expr, Stmt};
use minijinja::machinery::parse_expr;

use operands::{Operands, start};

/// The filter that charges for a value that is compared or joined.
pub(super) const PAY: &str = "_pay";

/// The filter that also looks whether the value can be printed.
pub(super) const PRINT: &str = "_print";

/// The filter that copies a list that is not one yet, ahead of a slice of it.
pub(super) const FLAT: &str = "_flat";

/// The filter that hands a value through. A text costs its length, since a subscript counts its characters.
pub(super) const AT: &str = "_at";

/// A text with the filters in it.
pub(super) struct Guarded {
    /// What the engine compiles.
    pub(super) text: String,
    /// What was added, by where it stands in the text as written.
    added: Vec<Added>,
}

/// Something that stands in the compiled text only.
struct Added {
    at: usize,
    words: String,
    /// The operand that it belongs to, in the text as written.
    operand: Range<usize>,
}

impl Guarded {
    /// A template with its tree; `None` when it has nothing that is charged for.
    pub(super) fn of(text: &str, tree: &Stmt<'_>) -> Option<Guarded> {
        let mut operands = Operands::new(text);
        operands.statement(tree);
        (!operands.added.is_empty()).then(|| Guarded::new(text, operands.added))
    }

    /// An expression of a text.
    pub(super) fn expression(text: &str, expr: &Expr<'_>) -> Guarded {
        let written = written(text, expr);
        let mut operands = Operands::new(written);
        if let Ok(tree) = parse_expr(written) {
            operands.expression(&tree);
        }
        Guarded::new(written, operands.added)
    }

    fn new(text: &str, mut added: Vec<Added>) -> Guarded {
        // Stable: where several end at one place, the innermost was found first.
        added.sort_by_key(|part| part.at);
        let mut compiled = String::with_capacity(text.len() + added.iter().map(|part| part.words.len()).sum::<usize>());
        let mut done = 0;
        for part in &added {
            compiled.push_str(&text[done..part.at]);
            compiled.push_str(&part.words);
            done = part.at;
        }
        compiled.push_str(&text[done..]);
        Guarded { text: compiled, added }
    }

    /// The place in the text as written.
    pub(super) fn range(&self, compiled: Range<usize>) -> Range<usize> {
        let (start, inside) = self.place(compiled.start);
        match inside {
            Some(operand) => operand.clone(),
            None => start..self.place(compiled.end).0.max(start),
        }
    }

    /// A place in the text as written, and the operand whose filter stands there.
    fn place(&self, compiled: usize) -> (usize, Option<&Range<usize>>) {
        let mut more = 0;
        for part in &self.added {
            let start = part.at + more;
            if compiled < start {
                break;
            }
            if compiled < start + part.words.len() {
                return (part.at, part.words.contains('|').then_some(&part.operand));
            }
            more += part.words.len();
        }
        (compiled - more, None)
    }
}

/// An expression as it is written, with the parentheses that its first operand stands in.
fn written<'t>(text: &'t str, expr: &Expr<'_>) -> &'t str {
    let end = expr.span().end_offset as usize;
    let mut start = start(text, expr);
    while parse_expr(&text[start..end]).is_err()
        && let Some(before) = text[..start].rfind('(')
    {
        start = before;
    }
    &text[start..end]
}
