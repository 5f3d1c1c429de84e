//! The parameters of clustering, with the values of the paper.

use crate::Error;

/// Settings of clustering. They affect only speed, not which contacts are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Strength of the heat sources, `c` in `c / distance²`: more keeps weights closer to the
    /// nearest bone. Values from 1 to 3 perform equally well. Positive.
    pub heat: f64,
    /// A bone becomes the observer as a segment if more than this share of its triangles face each
    /// of its joints, but less than this share the segment (alpha in the paper). From 0 to 1.
    pub negative_share: f64,
    /// A triangle counts for the merging of clusters if the angle between its normal and the
    /// direction from the observer to it is less than this (epsilon in the paper). In degrees, from
    /// 0 to 180.
    pub incidence_degrees: f64,
    /// Two clusters are merged if at least this share of their triangles count (beta in the paper).
    /// From 0 to 1.
    pub admissible_share: f64,
    /// Whether borders of clusters are straightened.
    pub refine: bool,
    /// Whether bones may be observers as segments; if not, only joints are.
    pub segments: bool,
    /// Whether clusters are merged.
    pub reduce: bool,
    /// Maximum number of bones of a merged cluster. More bones make fewer clusters, whose triangles
    /// turn more toward their observer when the body bends; with 1 only pieces of one bone are
    /// merged. With 2 there are about as many clusters as in the paper.
    pub most_bones: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            heat: 1.0,
            negative_share: 0.1,
            incidence_degrees: 80.0,
            admissible_share: 0.9,
            refine: true,
            segments: true,
            reduce: true,
            most_bones: 2,
        }
    }
}

impl Settings {
    /// Fails with the first setting that is out of range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let is_share = |x: f64| (0.0..=1.0).contains(&x);
        let heat = self.heat;
        let is_heat = 0.0 < heat && heat.is_finite();
        let is_angle = (0.0..=180.0).contains(&self.incidence_degrees);
        for (name, value, is_allowed, allowed) in [
            ("heat", heat, is_heat, "positive and finite"),
            ("negative_share", self.negative_share, is_share(self.negative_share), "from 0 to 1"),
            ("incidence_degrees", self.incidence_degrees, is_angle, "from 0 to 180"),
            ("admissible_share", self.admissible_share, is_share(self.admissible_share), "from 0 to 1"),
        ] {
            if !is_allowed {
                return Err(Error::Setting { name, value, allowed });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_range_are_named() {
        assert_eq!(Settings::default().check(), Ok(()));
        let refused = |settings: Settings| settings.check().unwrap_err().to_string();
        let cold = Settings { heat: 0.0, ..Settings::default() };
        assert_eq!(refused(cold), "heat is 0; it must be positive and finite");
        let wide = Settings { incidence_degrees: f64::NAN, ..Settings::default() };
        assert_eq!(refused(wide), "incidence_degrees is NaN; it must be from 0 to 180");
        let most = Settings { admissible_share: 1.5, ..Settings::default() };
        assert_eq!(refused(most), "admissible_share is 1.5; it must be from 0 to 1");
    }
}
