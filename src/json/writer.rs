//! What a document is written with. Does not know what is in it.

use std::fmt::{Display, Write};

use serde::ser::{self, Serialize};
use serde_json::Error;

/// Writes one value.
pub(super) struct Writer<'o> {
    out: &'o mut String,
    /// Lists and tables around.
    depth: usize,
}

/// Writes what is in a list or a table.
pub(super) struct Items<'w, 'o> {
    writer: &'w mut Writer<'o>,
    close: char,
    /// Whether the whole stands in a table of one entry: the name of a variant.
    is_named: bool,
    is_empty: bool,
}

impl<'o> Writer<'o> {
    pub(super) fn new(out: &'o mut String) -> Writer<'o> {
        Writer { out, depth: 0 }
    }

    fn open<'w>(&'w mut self, open: char, close: char, variant: Option<&str>) -> Items<'w, 'o> {
        if let Some(name) = variant {
            self.out.push('{');
            self.depth += 1;
            self.line();
            self.key(name);
        }
        self.out.push(open);
        self.depth += 1;
        Items { writer: self, close, is_named: variant.is_some(), is_empty: true }
    }

    fn line(&mut self) {
        const BLANKS: &str = "\n                                        ";
        match BLANKS.get(..1 + 2 * self.depth) {
            Some(blanks) => self.out.push_str(blanks),
            None => self.out.extend(std::iter::once("\n").chain(std::iter::repeat_n("  ", self.depth))),
        }
    }

    fn key(&mut self, name: &str) {
        super::write_string(self.out, name);
        self.out.push_str(": ");
    }

    fn plain(&mut self, value: impl Display) -> Result<(), Error> {
        write!(self.out, "{value}").map_err(|_| ser::Error::custom("a string takes all"))
    }

    fn text(&mut self, text: &str) {
        super::write_string(self.out, text);
    }
}

impl Items<'_, '_> {
    fn next(&mut self) {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.writer.out.push(',');
        }
        self.writer.line();
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.next();
        value.serialize(&mut *self.writer)
    }

    fn entry<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        self.next();
        self.writer.key(key);
        value.serialize(&mut *self.writer)
    }

    fn close(self) {
        self.writer.depth -= 1;
        if !self.is_empty {
            self.writer.line();
        }
        self.writer.out.push(self.close);
        if self.is_named {
            self.writer.depth -= 1;
            self.writer.line();
            self.writer.out.push('}');
        }
    }
}

/// Numbers as `Display` writes them.
macro_rules! plain {
    ($($method:ident: $type:ty),*) => {
        $(fn $method(self, value: $type) -> Result<(), Error> {
            self.plain(value)
        })*
    };
}

impl<'w, 'o> ser::Serializer for &'w mut Writer<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'w, 'o>;
    type SerializeTuple = Items<'w, 'o>;
    type SerializeTupleStruct = Items<'w, 'o>;
    type SerializeTupleVariant = Items<'w, 'o>;
    type SerializeMap = Items<'w, 'o>;
    type SerializeStruct = Items<'w, 'o>;
    type SerializeStructVariant = Items<'w, 'o>;

    plain! {
        serialize_bool: bool,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.plain(serde_json::to_string(&value)?)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.plain(serde_json::to_string(&value)?)
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut items = self.open('{', '}', None);
        items.entry(variant, value)?;
        items.close();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'w, 'o>, Error> {
        Ok(self.open('[', ']', None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'w, 'o>, Error> {
        Ok(self.open('[', ']', None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'w, 'o>, Error> {
        Ok(self.open('[', ']', None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'w, 'o>, Error> {
        Ok(self.open('[', ']', Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items<'w, 'o>, Error> {
        Ok(self.open('{', '}', None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'w, 'o>, Error> {
        Ok(self.open('{', '}', None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'w, 'o>, Error> {
        Ok(self.open('{', '}', Some(variant)))
    }
}

/// Lists of any kind.
macro_rules! lists {
    ($($trait:ident::$method:ident),*) => {
        $(impl ser::$trait for Items<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        })*
    };
}

lists! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
}

/// Tables whose keys are known.
macro_rules! tables {
    ($($trait:ident),*) => {
        $(impl ser::$trait for Items<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
                self.entry(key, value)
            }

            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        })*
    };
}

tables!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Items<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.next();
        let mut word = String::new();
        key.serialize(&mut Writer::new(&mut word))?;
        // Keys are strings: numbers and bools get quotes.
        let is_quoted = word.starts_with('"');
        match word.chars().next() {
            Some('"' | '-' | '0'..='9' | 't' | 'f') => {}
            _ => return Err(ser::Error::custom("a key that is no word")),
        }
        let quote = if is_quoted { "" } else { "\"" };
        self.writer.out.extend([quote, &word, quote, ": "]);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}
