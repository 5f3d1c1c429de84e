//! Values of attributes over time.

/// An attribute's value, or its samples by time: the value before the first and after the last is
/// theirs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Samples<T> {
    /// Times in time codes of the scene, ascending.
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<T>,
}

impl<T> Samples<T> {
    pub(super) fn constant(value: T) -> Self {
        Self { times: vec![0.0], values: vec![value] }
    }

    /// Returns the samples around a time, and the share of the second.
    pub(super) fn around(&self, time: f64) -> (&T, &T, f64) {
        let after = self.times.partition_point(|&t| t <= time).min(self.values.len() - 1);
        let before = self.times.partition_point(|&t| t <= time).saturating_sub(1);
        let (start, end) = (self.times[before], self.times[after]);
        let share = if start < end { ((time - start) / (end - start)).clamp(0.0, 1.0) } else { 0.0 };
        (&self.values[before], &self.values[after], share)
    }

    pub(super) fn first(&self) -> &T {
        &self.values[0]
    }

    /// Returns the times, if there are two or more.
    pub(super) fn moving(&self) -> Option<&[f64]> {
        (1 < self.times.len()).then_some(&self.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_hold_before_the_first_and_after_the_last() {
        let samples = Samples { times: vec![1.0, 3.0], values: vec![10.0, 20.0] };
        assert_eq!(samples.around(f64::NEG_INFINITY), (&10.0, &10.0, 0.0));
        assert_eq!(samples.around(1.0), (&10.0, &20.0, 0.0));
        assert_eq!(samples.around(2.0), (&10.0, &20.0, 0.5));
        assert_eq!(samples.around(3.0), (&20.0, &20.0, 0.0));
        assert_eq!(samples.around(9.0), (&20.0, &20.0, 0.0));
    }
}
