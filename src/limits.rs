//! Every bound that a project can run into, in one place.
//!
//! Owns the names of the bounds, how much they allow, and how far the person who runs promptc may raise them. Reads no
//! file: a project cannot raise what it is held to. Does not know what is counted. Main types: [`Limits`], [`Limit`].
//!
//! What is not here is no bound but a form: how many characters of a value a message shows, how wide a line is.

/// One bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Its name on the command line.
    pub name: &'static str,
    /// How much is allowed.
    pub value: usize,
    /// How far it may be raised. Bounds on depth end where the stack would.
    pub most: usize,
    /// What it counts, as a phrase.
    pub what: &'static str,
}

impl Limit {
    /// How much is allowed, for a sentence: `16 MiB` of bytes, `1000000` of anything else.
    pub fn amount(&self) -> String {
        let is_bytes = self.name.ends_with("-bytes");
        match self.value {
            n if is_bytes && n > 0 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
            n if is_bytes && n > 0 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
            n if is_bytes => format!("{n} bytes"),
            n => n.to_string(),
        }
    }

    /// How whoever runs promptc can allow more.
    pub fn way_out(&self) -> String {
        let (name, value) = (self.name, self.value);
        match value < self.most {
            true => {
                let more = value.saturating_mul(2).min(self.most);
                format!("or allow more in this run: `--limit {name}={more}`; the limit `{name}` is {value}")
            }
            false => format!("the limit `{name}` is {value}, and cannot be raised"),
        }
    }
}

/// Why a limit cannot be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no limit of this name.
    Unknown,
    /// The value is below the one that holds without it.
    Lower(Limit),
    /// The value is above what the program can stand.
    Higher(Limit),
}

macro_rules! limits {
    ($($field:ident, $name:literal, $value:expr, $most:expr, $what:literal;)*) => {
        /// All bounds of one run.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Limits {
            $(#[doc = $what] pub $field: Limit,)*
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($field: Limit { name: $name, value: $value, most: $most, what: $what },)* }
            }
        }

        impl Limits {
            /// All of them, by name.
            pub fn all(&self) -> Vec<Limit> {
                vec![$(self.$field,)*]
            }

            fn find(&mut self, name: &str) -> Option<&mut Limit> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

limits! {
    alias_bytes, "alias-bytes", 1 << 20, 1 << 30, "bytes of text that YAML anchors keep and aliases repeat in one file";
    alias_values, "alias-values", 10_000, 10_000_000, "values that YAML anchors keep and aliases repeat in one file";
    artifact_bytes, "artifact-bytes", 64 << 20, 1 << 30, "bytes of one artifact";
    data_depth, "data-depth", 64, 256, "lists and tables within one another in a context, a fixture or front matter";
    expression_depth, "expression-depth", 200, 2_000, "parentheses and operators within one another in an expression";
    expression_terms, "expression-terms", 10_000, 1_000_000, "names and values in an expression";
    extends_depth, "extends-depth", 32, 512, "manifests that extend one another in a row";
    file_bytes, "file-bytes", 16 << 20, 1 << 30, "bytes of one file";
    files, "files", 50_000, 10_000_000, "files and folders below one folder of the project";
    include_depth, "include-depth", 32, 44, "template files that include one another in a row";
    include_values, "include-values", 1 << 16, 1 << 24, "combinations of values that can name an included file";
    matrix_cells, "matrix-cells", 10_000, 1_000_000, "cells of a matrix";
    messages, "messages", 1_000, 1_000_000, "messages of one run; the rest is counted";
    pattern_steps, "pattern-steps", 1_000_000, 1 << 40, "steps back of a pattern of `layout.replace` on one text";
    project_bytes, "project-bytes", 256 << 20, 1 << 40, "bytes of all files together";
    section_bytes, "section-bytes", 8 << 20, 1 << 30, "bytes of one section";
    template_depth, "template-depth", 400, 500, "calls of macros (6 each) and includes (11 each) within one another";
    template_fuel, "template-fuel", 2_000_000, 1 << 40, "units of work of one section: an instruction, or 64 bytes made";
    template_nodes, "template-nodes", 1_000_000, 1 << 40, "parts of templates that are looked through for one section";
    template_terms, "template-terms", 10_000, 40_000, "words and signs in one tag, and branches of one file";
    variant_nodes, "variant-nodes", 1_000_000, 1 << 28, "parts of the decision diagrams of one count of static prefixes";
    variant_renders, "variant-renders", 1 << 14, 1 << 40, "renders of one section for the count of static prefixes";
    variant_steps, "variant-steps", 3_000_000, 1 << 40, "steps of one count of static prefixes";
}

impl Limits {
    /// Raises a limit.
    ///
    /// # Errors
    /// There is none of this name, or the value is lower than now, or higher than can be stood.
    pub fn raise(&mut self, name: &str, value: usize) -> Result<(), Refused> {
        let limit = self.find(name).ok_or(Refused::Unknown)?;
        if value < limit.value {
            return Err(Refused::Lower(*limit));
        }
        if value > limit.most {
            return Err(Refused::Higher(*limit));
        }
        limit.value = value;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_sorted_and_go_upward_only() {
        let mut limits = Limits::default();
        assert!(limits.all().is_sorted_by(|a, b| a.name < b.name));
        assert!(limits.all().iter().all(|l| 0 < l.value && l.value < l.most));
        let first = limits.file_bytes;
        assert_eq!(limits.raise("file-bytes", first.value * 2), Ok(()));
        assert_eq!(limits.file_bytes.value, first.value * 2);
        assert_eq!(limits.raise("file-bytes", first.value), Err(Refused::Lower(limits.file_bytes)));
        assert_eq!(limits.raise("file-bytes", usize::MAX), Err(Refused::Higher(limits.file_bytes)));
        assert_eq!(limits.raise("file_bytes", 1), Err(Refused::Unknown));
        assert_eq!(Limits::default().file_bytes, first);
    }

    #[test]
    fn amounts_read_as_people_write_them() {
        let limits = Limits::default();
        assert_eq!(limits.file_bytes.amount(), "16 MiB");
        assert_eq!(limits.messages.amount(), "1000");
        assert_eq!(Limit { value: 1025, ..limits.file_bytes }.amount(), "1025 bytes");
        assert_eq!(Limit { value: 3 << 10, ..limits.file_bytes }.amount(), "3 KiB");
        let way = limits.messages.way_out();
        assert_eq!(way, "or allow more in this run: `--limit messages=2000`; the limit `messages` is 1000");
        let top = Limit { value: limits.files.most, ..limits.files };
        assert_eq!(top.way_out(), "the limit `files` is 10000000, and cannot be raised");
    }
}
