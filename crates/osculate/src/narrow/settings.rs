//! Settings of the narrow phase.

use crate::Error;

/// Settings of the narrow phase. The default asks for contact itself, with a time bracket of 2^-20.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Largest width of a reported time bracket, `hi - lo <= time_width`: a power of two from 2^-52
    /// to 1. Narrower brackets cost more; whether a query is a hit does not depend on it.
    pub time_width: f64,
    /// Minimum separation d, in units of length. `0.0` means contact, exactly; `d > 0` reports
    /// every pair whose distance falls to d or below, and possibly some that stay slightly farther
    /// apart (see [`decide`](super::decide)).
    pub min_separation: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { time_width: 1.0 / f64::from(1u32 << 20), min_separation: 0.0 }
    }
}

impl Settings {
    /// Fails with the first setting that is out of range.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        let is_power_of_two = self.time_width.to_bits() << 12 == 0;
        if !(is_power_of_two && (f64::EPSILON..=1.0).contains(&self.time_width)) {
            let allowed = "a power of two from 2^-52 to 1";
            return Err(Error::Setting { name: "time_width", value: self.time_width, allowed });
        }
        if !(self.min_separation.is_finite() && 0.0 <= self.min_separation) {
            let allowed = "zero or a positive finite length";
            return Err(Error::Setting { name: "min_separation", value: self.min_separation, allowed });
        }
        Ok(())
    }
}
