//! The arrays of an NPZ file that is known to be good, read without the code under test.

use std::io::Read as _;
use std::path::Path;

use libtest_mimic::Failed;

/// Name, type and values of each array.
pub(crate) struct Arrays(Vec<(String, String, Vec<u8>)>);

impl Arrays {
    pub(crate) fn read(path: &Path) -> Result<Self, Failed> {
        let bytes = std::fs::read(path)?;
        let number =
            |at: usize, n: usize| bytes[at..at + n].iter().rev().fold(0, |sum, &b| sum << 8 | usize::from(b));
        let end = bytes.len() - 22;
        let (n, mut entry) = (number(end + 10, 2), number(end + 16, 4));
        let mut arrays = Vec::new();
        for _ in 0..n {
            let (packed, name_length, local) =
                (number(entry + 20, 4), number(entry + 28, 2), number(entry + 42, 4));
            let name = String::from_utf8(bytes[entry + 46..entry + 46 + name_length].to_vec())?;
            entry += 46 + name_length + number(entry + 30, 2) + number(entry + 32, 2);
            let start = local + 30 + number(local + 26, 2) + number(local + 28, 2);
            let mut content = Vec::new();
            flate2::read::DeflateDecoder::new(&bytes[start..start + packed]).read_to_end(&mut content)?;
            let values = 10 + usize::from(content[8]) + 256 * usize::from(content[9]);
            let header = String::from_utf8(content[10..values].to_vec())?;
            let descr = header.split('\'').nth(3).ok_or("no type")?.to_owned();
            arrays.push((name.trim_end_matches(".npy").to_owned(), descr, content.split_off(values)));
        }
        Ok(Self(arrays))
    }

    fn get(&self, name: &str) -> Result<(&str, &[u8]), Failed> {
        let found =
            self.0.iter().find(|array| array.0 == name).ok_or_else(|| format!("no array '{name}'"))?;
        Ok((&found.1, &found.2))
    }

    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<f64>, Failed> {
        let (descr, bytes) = self.get(name)?;
        Ok(match descr {
            "<f4" => bytes.as_chunks().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))).collect(),
            "<f8" => bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect(),
            "<i2" => bytes.as_chunks().0.iter().map(|&b| f64::from(i16::from_le_bytes(b))).collect(),
            "<i4" => bytes.as_chunks().0.iter().map(|&b| f64::from(i32::from_le_bytes(b))).collect(),
            _ => return Err(format!("array '{name}' has the type {descr}").into()),
        })
    }

    pub(crate) fn text(&self, name: &str) -> Result<String, Failed> {
        let codes = self.get(name)?.1.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b));
        Ok(codes.filter_map(char::from_u32).collect())
    }
}
