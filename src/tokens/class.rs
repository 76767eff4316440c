//! The classes of characters that a text is cut by, a bit each, so that a set of them is one number.
//!
//! `build.rs` includes this file and gives every character its class, from the Unicode tables of the pattern engine that
//! the reference uses.

/// Punctuation, symbols, controls, and what is not assigned: none of the others.
pub const OTHER: u8 = 1;
/// Capital letters: `\p{Lu}` and `\p{Lt}`.
pub const UPPER: u8 = 1 << 1;
/// Small letters: `\p{Ll}`.
pub const LOWER: u8 = 1 << 2;
/// Letters that are neither: `\p{Lm}` and `\p{Lo}`.
pub const UNCASED: u8 = 1 << 3;
/// Marks: `\p{M}`.
pub const MARK: u8 = 1 << 4;
/// Numbers: `\p{N}`.
pub const NUMBER: u8 = 1 << 5;
/// Blanks: `\s` without the line breaks.
pub const BLANK: u8 = 1 << 6;
/// Line breaks: carriage return and line feed.
pub const BREAK: u8 = 1 << 7;

/// Characters of a block: the table is an index of blocks, of which many are the same.
pub const BLOCK: usize = 128;
/// Blocks of all characters.
pub const BLOCKS: usize = 0x11_0000 / BLOCK;
