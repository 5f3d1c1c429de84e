//! Ears: triangles added to a patch along its contour, where the contour turns the wrong way.
//!
//! For two edges of a contour from a over b to c, the triangle a c b continues the patch across
//! both edges, and the edge from a to c replaces them in the contour. A proof for the larger patch
//! holds for the smaller one.

/// A loop from which vertices are removed; kept to avoid allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    next: Vec<u32>,
    previous: Vec<u32>,
    /// A remaining vertex, and the number of remaining vertices.
    start: u32,
    n: usize,
}

impl Ring {
    /// Removes vertices from the loop of `0..n` until all its edges turn. Returns whether they do
    /// in the end.
    ///
    /// `turns(b, c)`: whether the edge from b to c turns. `is_ear(a, b, c)`: whether b may be
    /// removed between a and c, with the triangle a c b. Each step either advances to the next edge
    /// or removes a vertex and goes back one: linear time.
    #[inline(always)]
    pub(super) fn straighten(
        &mut self,
        n: usize,
        turns: impl Fn(u32, u32) -> bool,
        is_ear: impl Fn(u32, u32, u32) -> bool,
    ) -> bool {
        self.next.clear();
        self.next.extend((1..n as u32).chain([0]));
        self.previous.clear();
        self.previous.extend([n as u32 - 1].into_iter().chain(0..n as u32 - 1));
        // The last `n_good` edges before b turn the right way.
        let (mut n, mut b, mut n_good) = (n, 0, 0);
        while n_good < n {
            let c = self.next[b as usize];
            if turns(b, c) {
                n_good += 1;
                b = c;
                continue;
            }
            let (a, d) = (self.previous[b as usize], self.next[c as usize]);
            if n <= 3 {
                return false;
            }
            if is_ear(a, b, c) {
                self.take_out(b);
                n_good = n_good.saturating_sub(1);
                b = a;
            } else if is_ear(b, c, d) {
                self.take_out(c);
                n_good = n_good.min(n - 2);
            } else {
                return false;
            }
            n -= 1;
        }
        (self.start, self.n) = (b, n);
        true
    }

    /// The remaining vertices, in order.
    pub(super) fn vertices(&self) -> impl Iterator<Item = u32> + Clone {
        std::iter::successors(Some(self.start), |&i| Some(self.next[i as usize])).take(self.n)
    }

    fn take_out(&mut self, i: u32) {
        let (before, behind) = (self.previous[i as usize], self.next[i as usize]);
        self.next[before as usize] = behind;
        self.previous[behind as usize] = before;
    }
}
