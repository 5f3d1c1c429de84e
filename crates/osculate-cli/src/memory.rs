//! Parses memory sizes.

/// Names of units, and their number of bytes.
const UNITS: [(&str, f64); 12] = [
    ("", 1.0),
    ("b", 1.0),
    ("k", 1e3),
    ("kb", 1e3),
    ("m", 1e6),
    ("mb", 1e6),
    ("g", 1e9),
    ("gb", 1e9),
    ("tb", 1e12),
    ("kib", 1024.0),
    ("mib", 1_048_576.0),
    ("gib", 1_073_741_824.0),
];

/// Returns the number of bytes in a text such as `2GB`, `1.5 GiB` or `800000000`. Units are
/// case-insensitive; less than one byte is an error.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let problem = || {
        format!(
            "'{text}' is no amount of memory; write bytes, or a number with kB, MB, GB, KiB, MiB or GiB, such as 2GB"
        )
    };
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit = text[end..].trim().to_ascii_lowercase();
    let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(problem)?;
    let amount = text[..end].parse::<f64>().map_err(|_| problem())? * bytes;
    if 1.0 <= amount && amount < u64::MAX as f64 { Ok(amount as u64) } else { Err(problem()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_with_and_without_units() {
        let cases =
            [("1", 1), ("64000", 64_000), ("2GB", 2_000_000_000), ("1.5 MiB", 1_572_864), ("3k", 3000)];
        for (text, expected) in cases {
            assert_eq!(parse(text), Ok(expected));
        }
        for text in
            ["", "GB", "-1", "0", "2 parsecs", "1e9", "0x10", "1..5MB", "99999999999 TB", "NaN", "2GBGB", "٣"]
        {
            let message = parse(text).expect_err(text);
            assert!(message.contains("no amount of memory"), "{message}");
        }
    }
}
