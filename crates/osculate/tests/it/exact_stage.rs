//! The exact stage in fixed-width integers against the same in big integers: every answer, every
//! bit of every bracket.
//!
//! The number of queries is 60,000, or `OSCULATE_SOAK_QUERIES`.

use std::collections::BTreeMap;

use crate::common::{DEGENERATE, N_FAMILIES, Rng, family};
use osculate::narrow::{Kind, Outcome, stages};

const SEED: u64 = 0x0e8a_c700;

fn check(index: u64, left_open: &mut BTreeMap<&'static str, u64>) -> Result<(), String> {
    let family = family((index % N_FAMILIES as u64) as usize);
    let mut rng = Rng::for_item(SEED, index);
    let kind = if rng.one_in(2) { Kind::VertexFace } else { Kind::EdgeEdge };
    let points = (family.generate)(&mut rng, kind);
    let width = if rng.one_in(2) { 0.5f64.powi(20) } else { 0.5f64.powi(rng.integer(0, 52)) };
    let Some(found) = stages::exact_in_words(kind, &points, width) else {
        *left_open.entry(family.name).or_default() += 1;
        return Ok(());
    };
    let expected = stages::exact_in_big_integers(kind, &points, width);
    let bits = |outcome| match outcome {
        Outcome::Miss => None,
        Outcome::Hit { lo, hi } => Some((lo.to_bits(), hi.to_bits())),
    };
    if bits(found) == bits(expected) {
        return Ok(());
    }
    Err(format!(
        "{}, index {index}, {kind:?}, {width:e}: {found:?}, not {expected:?}\n{points:?}",
        family.name
    ))
}

#[test]
fn words_agree_with_big_integers() {
    let count: u64 = std::env::var("OSCULATE_SOAK_QUERIES").map_or(60_000, |n| n.parse().expect("a number"));
    let mut left_open = BTreeMap::new();
    for index in 0..count {
        if let Err(message) = check(index, &mut left_open) {
            panic!("{message}");
        }
    }
    println!("left to big integers, of {}: {left_open:?}", count / N_FAMILIES as u64);
    // Fixed-width integers handle all but extreme exponents and roots that nearly coincide: at
    // least four of five in each of these.
    for family in DEGENERATE {
        let n = left_open.get(family.name).copied().unwrap_or(0);
        assert!(n * 5 <= count / N_FAMILIES as u64, "{}: {n} left open", family.name);
    }
}
