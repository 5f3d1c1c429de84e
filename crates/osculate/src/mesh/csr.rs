//! Lists of indices in two flat arrays (compressed sparse rows).

/// A list of indices for each row.
#[derive(Clone, Debug)]
pub(super) struct Csr {
    /// Row i is `items[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Csr {
    /// Groups `(row, item)` entries by row; each row keeps the order of its entries. Fewer than
    /// 2^32 entries.
    pub(super) fn group(n_rows: usize, entries: impl Iterator<Item = (u32, u32)> + Clone) -> Csr {
        let mut ends = row_starts(n_rows, entries.clone().map(|(row, _)| row));
        let mut items = vec![0; ends[n_rows] as usize];
        for (row, item) in entries {
            let end = &mut ends[row as usize];
            items[*end as usize] = item;
            *end += 1;
        }
        // Each start was advanced to the end of its row, which is the start of the next.
        ends.rotate_right(1);
        ends[0] = 0;
        Csr { starts: ends, items }
    }

    /// Takes `starts` (see [`row_starts`]) and the items of all rows, in order.
    pub(super) fn from_parts(starts: Vec<u32>, items: Vec<u32>) -> Csr {
        debug_assert_eq!(starts.last().map(|&end| end as usize), Some(items.len()));
        Csr { starts, items }
    }

    /// Heap memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(self.starts.as_slice()) + size_of_val(self.items.as_slice())
    }

    /// The items of a row.
    pub(super) fn row(&self, row: u32) -> &[u32] {
        let row = row as usize;
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// The start of each row if the entries are laid out row by row, followed by the end of the last
/// one.
pub(super) fn row_starts(n_rows: usize, rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; n_rows + 1];
    rows.for_each(|row| starts[row as usize] += 1);
    let mut sum = 0;
    for start in &mut starts {
        let count = std::mem::replace(start, sum);
        sum += count;
    }
    starts
}
