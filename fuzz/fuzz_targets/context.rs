#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| promptc_fuzz::context(data));
