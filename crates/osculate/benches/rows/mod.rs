//! Raw files of numbers, as the comparison with other tools writes them.

use std::error::Error;
use std::path::Path;

/// Reads a file of rows of `N` numbers of `B` bytes each.
pub(crate) fn read_rows<T, const B: usize, const N: usize>(
    path: &Path,
    number: fn([u8; B]) -> T,
) -> Result<Vec<[T; N]>, Box<dyn Error>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (numbers, rest) = bytes.as_chunks::<B>();
    let (rows, more) = numbers.as_chunks::<N>();
    if !rest.is_empty() || !more.is_empty() {
        return Err(format!("{}: {} bytes are not whole rows", path.display(), bytes.len()).into());
    }
    Ok(rows.iter().map(|row| row.map(number)).collect())
}

/// Writes numbers, whole or not at all.
#[allow(dead_code, reason = "not every bench writes any")]
pub(crate) fn write_numbers(path: &Path, numbers: &[f64]) -> Result<(), Box<dyn Error>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let partial = path.with_extension("partial");
    std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, path))?;
    Ok(())
}
