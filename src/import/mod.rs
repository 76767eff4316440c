//! A first project from one prompt that somebody has.
//!
//! Owns how a text falls into sections and inputs, and the files that say so. What is made gives the text back byte for
//! byte when the inputs are the placeholders themselves; that is tried before anything is handed out. Does not know
//! where files are written. Main types: [`Imported`], [`Note`].

mod elements;
mod errors;
mod parts;
mod placeholders;
mod write;

use crate::compile::{Compiler, Request};
use crate::diag::Sink;
use crate::emit::Emitter;
use crate::host::Error;
use crate::host::memory::Memory;
use crate::source::{FileId, SourceMap};
use crate::workspace::{Flags, Wanted, Workspace};

/// A project that gives one text.
#[derive(Debug)]
pub struct Imported {
    /// The name of its prompt and of its profile.
    pub name: String,
    /// Its files: path from the root, and text.
    pub files: Vec<(String, String)>,
    /// How many sections it has.
    pub sections: usize,
    /// How many inputs it has.
    pub inputs: usize,
    /// What is to be known about the text.
    pub notes: Vec<Note>,
}

/// Something about the text that the project does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// It has carriage returns; the project's output has LF alone.
    CarriageReturns,
    /// It begins with a byte order mark, which the output has not.
    ByteOrderMark,
    /// It has tags of a template language, which stay text.
    Tags,
    /// It has too many headings for a section each.
    ManyHeadings,
}

/// The project of a text. `file` is the name of its file, from which the prompt gets its own unless one is given.
///
/// # Errors
/// It is no text, has none, or is too large to be compiled.
pub fn import(file: &str, name: Option<&str>, bytes: &[u8]) -> Result<Imported, Error> {
    let mut sources = SourceMap::default();
    let id: FileId = sources.add(file, bytes).map_err(|bad| errors::not_text(file, bad.offset))?;
    let text = sources.text(id).to_string();
    if text.trim_matches(parts::BLANKS).is_empty() {
        return Err(errors::blank(file));
    }
    let parts = parts::parts(&text);
    let name = name.map_or_else(|| write::name_of(file), str::to_owned);
    let draft = write::Draft::of(&text, &parts.list);
    let files = draft.files(&name, file);
    give_back(&name, &files, &text).map_err(|why| errors::not_given_back(file, &why))?;
    let source = sources.file(id);
    let notes = [
        (source.bom() > 0, Note::ByteOrderMark),
        (!source.crlf().is_empty() || !source.lone_cr().is_empty(), Note::CarriageReturns),
        (draft.has_tags(), Note::Tags),
        (parts.were_too_many, Note::ManyHeadings),
    ];
    Ok(Imported {
        files,
        sections: draft.sections.len(),
        inputs: draft.inputs.len(),
        notes: notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect(),
        name,
    })
}

/// Builds the project and compares what it gives with the text.
fn give_back(name: &str, files: &[(String, String)], text: &str) -> Result<(), String> {
    let host = Memory::from_iter(files.iter().map(|(path, text)| (path.clone(), text.clone())));
    let load = |wanted: &[String]| Workspace::load(&host, Wanted::Named(wanted), &Flags::default());
    let mut workspace = load(&[name.to_owned()]).map_err(|e| e.message)?;
    let fixture = workspace.profiles.get(name).and_then(|p| p.fixtures.first()).map(|f| f.name.value.clone());
    let first = |found: Vec<crate::diag::Diagnostic>| found.into_iter().next().map_or_else(String::new, |d| d.message);
    let context = match fixture {
        Some(fixture) => Some(workspace.context(&host, name, &fixture).map_err(|e| e.message)?.map_err(first)?),
        None => None,
    };
    let mut sink = Sink::default();
    let cell = Vec::new();
    let request = Request { profile: name, cell: &cell, context: context.as_ref(), route: None, simple: false };
    let compiled = Compiler::new(&workspace).compile(request, &mut sink);
    let output = compiled.as_ref().and_then(|c| c.subject(&workspace)).map(|s| Emitter::Text.emit(&s));
    match output {
        Some(output) if output == text => Ok(()),
        Some(_) => Err("its output differs, which is a fault of promptc".to_owned()),
        None => Err(first(sink.into_sorted(&workspace.sources))),
    }
}
