//! A message of an earlier run, told of the same texts under other ids.

use super::{Diagnostic, LeftOut, Place};
use crate::source::{FileId, Span};

impl Diagnostic {
    /// The same message, its files under the ids that `id` gives; `None` when one of them has none.
    pub fn moved(mut self, id: &dyn Fn(FileId) -> Option<FileId>) -> Option<Diagnostic> {
        let span = |span: &mut Span| id(span.file).map(|file| span.file = file);
        if let Place::Span(place) = &mut self.place {
            span(place)?;
        }
        self.labels.iter_mut().try_for_each(|label| span(&mut label.span))?;
        self.allowed.iter_mut().try_for_each(span)?;
        if let Some(fix) = &mut self.fix {
            fix.edits.iter_mut().try_for_each(|edit| span(&mut edit.span))?;
            if let Some(LeftOut::ByteOrderMark(file) | LeftOut::CarriageReturns(file)) = &mut fix.left_out {
                *file = id(*file)?;
            }
        }
        Some(self)
    }
}
