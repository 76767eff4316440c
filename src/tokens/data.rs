//! The vocabularies, as `build.rs` wrote them: read-only data, of which a process reads from disk only what it uses.

use super::table::{LONG_STARTS, Part, Table};

macro_rules! table {
    ($name:literal) => {
        Table {
            parts: &include!(concat!(env!("OUT_DIR"), "/", $name, ".parts")),
            bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bytes")),
            pilots: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".pilots")).as_chunks().0,
            records: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".records")),
            starts: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".starts")),
            long_starts: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".long_starts"))
                .as_chunks()
                .0
                .first_chunk::<LONG_STARTS>()
                .expect("build.rs writes all"),
            sieve: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".sieve")),
            joints: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".joints")),
            bridges: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bridges")),
        }
    };
}

/// `o200k_base`: 199,998 tokens.
pub static O200K_BASE: Table<'static> = table!("o200k_base");

/// `cl100k_base`: 100,256 tokens.
pub static CL100K_BASE: Table<'static> = table!("cl100k_base");
