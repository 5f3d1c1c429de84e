//! The f64 nearest to a quotient of two decimal integers of any length.

use std::cmp::Ordering;

use anyhow::{bail, ensure};
use num_bigint::{BigInt, BigUint, Sign};

/// A finite f64, and whether it is the number that was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Nearest {
    /// The value itself.
    Exact(f64),
    /// The nearest f64, ties to even; the value itself is not an f64.
    Rounded(f64),
}

/// Returns the f64 nearest to `numerator / denominator`.
pub(super) fn nearest(numerator: &str, denominator: &str) -> anyhow::Result<Nearest> {
    check_integer(numerator, "numerator")?;
    check_integer(denominator, "denominator")?;
    if let Some(value) = quotient_of_small(numerator, denominator) {
        return Ok(Nearest::Exact(value));
    }
    let (Ok(n), Ok(d)) = (numerator.parse::<BigInt>(), denominator.parse::<BigInt>()) else {
        bail!("`{}/{}` is not a fraction of integers", shorten(numerator), shorten(denominator));
    };
    ensure!(d.sign() != Sign::NoSign, "the denominator is 0");
    let sign = if (n.sign() == Sign::Minus) == (d.sign() == Sign::Minus) { 1.0 } else { -1.0 };
    match nearest_of_magnitudes(n.magnitude(), d.magnitude()) {
        Some(Nearest::Exact(value)) => Ok(Nearest::Exact(sign * value)),
        Some(Nearest::Rounded(value)) => Ok(Nearest::Rounded(sign * value)),
        None => bail!("{}/{} is beyond the largest f64", shorten(numerator), shorten(denominator)),
    }
}

/// Returns `text`, or its beginning and its length where it would flood an error message.
pub(super) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let length = text.chars().count();
    if length <= LONGEST {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONGEST).collect();
    format!("{head}… ({length} characters)")
}

/// An optional sign and at least one decimal digit; stricter than what the integer types accept
/// (`1_000`).
fn check_integer(text: &str, what: &str) -> anyhow::Result<()> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    ensure!(
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
        "the {what} is `{}`, not an integer",
        shorten(text)
    );
    Ok(())
}

/// The common case without big integers: both fit into i64, the numerator has at most 53 bits, the
/// denominator is a power of two. Both are f64, and so is the quotient: 2^-63 is far from
/// underflow.
fn quotient_of_small(numerator: &str, denominator: &str) -> Option<f64> {
    let n: i64 = numerator.parse().ok()?;
    let d: i64 = denominator.parse().ok()?;
    let small = n.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
    (small && d > 0 && (d & (d - 1)) == 0).then(|| n as f64 / d as f64)
}

/// Rounds `n / d` to nearest, ties to even; `None` when that is infinite. Needs `d > 0`.
fn nearest_of_magnitudes(n: &BigUint, d: &BigUint) -> Option<Nearest> {
    if *n == BigUint::ZERO {
        return Some(Nearest::Exact(0.0));
    }
    // 2^e <= n / d < 2^(e + 1): the bit lengths give e or e + 1.
    let mut e = i64::try_from(n.bits()).ok()? - i64::try_from(d.bits()).ok()?;
    if shifted(n, -e) < shifted(d, e) {
        e -= 1;
    }
    if e > i64::from(f64::MAX_EXP) {
        return None;
    }
    // The unit in the last place is 2^u: 53 bits below the leading one, but never below the
    // smallest subnormal.
    let u = (e - 52).max(-1074);
    // n / d = (q + r / divisor) 2^u with 0 <= q < 2^53.
    let dividend = shifted(n, -u);
    let divisor = shifted(d, u);
    let q = &dividend / &divisor;
    let r = dividend - &q * &divisor;
    let mut units = u64::try_from(&q).ok()?;
    let exact = r == BigUint::ZERO;
    let above_half = (r << 1_u32).cmp(&divisor);
    if above_half == Ordering::Greater || (above_half == Ordering::Equal && units % 2 == 1) {
        units += 1;
    }
    // Exact: at most 53 bits (or 2^53) times a power of two, no finer than the smallest subnormal.
    let value = units as f64 * power_of_two(u);
    match (value.is_finite(), exact) {
        (false, _) => None,
        (true, true) => Some(Nearest::Exact(value)),
        (true, false) => Some(Nearest::Rounded(value)),
    }
}

/// `x 2^shift` for a positive shift, else `x`: a fraction is scaled by scaling one of its two sides
/// up.
fn shifted(x: &BigUint, shift: i64) -> BigUint {
    x << u64::try_from(shift).unwrap_or(0)
}

/// `2^exponent`, for exponents from -1074 to 1023; infinite above.
fn power_of_two(exponent: i64) -> f64 {
    match exponent {
        ..-1022 => f64::from_bits(1 << (exponent + 1074).clamp(0, 51)),
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        1024.. => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(numerator: &str, denominator: &str, expected: Nearest) {
        let found = nearest(numerator, denominator).unwrap();
        assert_eq!(found, expected, "{numerator}/{denominator}");
    }

    /// The decimal digits of `2^exponent`.
    fn two_to(exponent: u32) -> String {
        (BigUint::from(1_u32) << exponent).to_string()
    }

    #[test]
    fn values_that_f64_holds_are_exact() {
        check("1", "2", Nearest::Exact(0.5));
        check("-3", "-4", Nearest::Exact(0.75));
        check("+3", "-4", Nearest::Exact(-0.75));
        check("10", "5", Nearest::Exact(2.0));
        check("0", "7", Nearest::Exact(0.0));
        check("1", &two_to(1074), Nearest::Exact(f64::from_bits(1)));
        check("3", &two_to(1074), Nearest::Exact(f64::from_bits(3)));
        check(&two_to(1023), "1", Nearest::Exact(power_of_two(1023)));
        // The same large factor on both sides.
        let third = format!("{}000", two_to(300));
        check(&format!("3{}", "0".repeat(100)), &format!("4{}", "0".repeat(100)), Nearest::Exact(0.75));
        check(&third, &third, Nearest::Exact(1.0));
    }

    #[test]
    fn other_values_are_rounded_to_nearest_even() {
        check("1", "3", Nearest::Rounded(1.0 / 3.0));
        check("-1", "10", Nearest::Rounded(-0.1));
        // Ties between two neighbors above 2^53, and one below and one above a tie.
        check("9007199254740993", "1", Nearest::Rounded(9007199254740992.0));
        check("9007199254740995", "1", Nearest::Rounded(9007199254740996.0));
        check("18014398509481986", "2", Nearest::Rounded(9007199254740992.0));
        check("27021597764222980", "3", Nearest::Rounded(9007199254740994.0));
        // Subnormals: a tie goes to zero, more than a tie does not, and far below a tie there is
        // only zero.
        check("1", &two_to(1075), Nearest::Rounded(0.0));
        check("3", &two_to(1076), Nearest::Rounded(f64::from_bits(1)));
        check("3", &two_to(1075), Nearest::Rounded(f64::from_bits(2)));
        check("-1", &two_to(5000), Nearest::Rounded(-0.0));
        // One more than the largest f64.
        let largest = (BigUint::from(u64::MAX >> 11) << 971_u32) + 1_u32;
        check(&largest.to_string(), "1", Nearest::Rounded(f64::MAX));
    }

    #[test]
    fn what_is_not_a_finite_fraction_is_refused() {
        let refuse = |numerator: &str, denominator: &str, part: &str| {
            let message = nearest(numerator, denominator).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        };
        refuse("1", "0", "denominator is 0");
        refuse("0", "0", "denominator is 0");
        refuse("1_000", "1", "numerator is `1_000`");
        refuse("", "1", "numerator is ``");
        refuse("1", "-", "denominator is `-`");
        refuse("1.5", "1", "not an integer");
        refuse(&two_to(1024), "1", "beyond the largest f64");
        // Halfway between the largest f64 and 2^1024: rounds to infinity.
        let halfway = (BigUint::from((u64::MAX >> 10) as u128) << 970_u32).to_string();
        refuse(&halfway, "1", "beyond the largest f64");
    }

    /// The short cut and the long way agree, and both agree with the division that the hardware
    /// rounds.
    #[test]
    fn small_fractions_agree_with_the_long_way_and_with_division() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 11
        };
        let mut short_cuts = 0;
        for _ in 0..20_000 {
            let n = next() >> (next() % 53);
            let power = next() % 62;
            let d = if next() % 2 == 0 { 1 << power } else { 1 + (next() >> (next() % 53)) };
            let long = nearest_of_magnitudes(&BigUint::from(n), &BigUint::from(d)).unwrap();
            let (Nearest::Exact(value) | Nearest::Rounded(value)) = long;
            assert_eq!(value, n as f64 / d as f64, "{n}/{d}");
            if let Some(short) = quotient_of_small(&n.to_string(), &d.to_string()) {
                assert_eq!(long, Nearest::Exact(short), "{n}/{d}");
                short_cuts += 1;
            }
        }
        assert!(short_cuts > 5_000);
    }
}
