//! Lists of indices in two flat arrays (compressed sparse rows).

/// A list of indices for each row.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// Row i is `items[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Rows {
    /// Collects rows in their order; `fill` appends the items of a row.
    pub(super) fn collect(n_rows: usize, mut fill: impl FnMut(u32, &mut Vec<u32>)) -> Rows {
        let (mut starts, mut items) = (Vec::with_capacity(n_rows + 1), Vec::new());
        starts.push(0);
        for row in 0..n_rows as u32 {
            fill(row, &mut items);
            starts.push(items.len());
        }
        Rows { starts, items }
    }

    /// Groups `(row, item)` entries by row; each row keeps the order of its entries.
    pub(super) fn group(n_rows: usize, entries: impl Iterator<Item = (u32, u32)> + Clone) -> Rows {
        // The entry after next counts first, and then is where the row ends so far.
        let mut starts = vec![0; n_rows + 2];
        entries.clone().for_each(|(row, _)| starts[row as usize + 2] += 1);
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut items = vec![0; starts[n_rows + 1]];
        for (row, item) in entries {
            let end = &mut starts[row as usize + 1];
            items[*end] = item;
            *end += 1;
        }
        starts.pop();
        Rows { starts, items }
    }

    /// Row i has only i.
    pub(super) fn identity(n_rows: usize) -> Rows {
        Rows { starts: (0..=n_rows).collect(), items: (0..n_rows as u32).collect() }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The items of a row.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &[u32] {
        let row = row as usize;
        &self.items[self.starts[row]..self.starts[row + 1]]
    }

    /// Heap memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(self.starts.as_slice()) + size_of_val(self.items.as_slice())
    }
}
