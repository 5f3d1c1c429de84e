#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| osculate_fuzz::read(bytes, "fuzz.fbx"));
