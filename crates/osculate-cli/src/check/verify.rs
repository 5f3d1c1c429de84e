//! `--verify`: compares every answer with that of another complete method.

use anyhow::{Result, ensure};
use osculate::method::Volume;
use osculate::{Contact, Crossing, Method, Query, Report};
use osculate_io::write::Guarantee;

use super::args::Args;
use crate::agreement::{Difference, of_contacts};
use crate::bodies::Parts;

/// Triangle count up to which brute force takes at most a second or two per frame.
const BRUTE_LIMIT: usize = 3000;

/// Repeats queries with another method.
pub(super) struct Verifier {
    method: Option<(Method, &'static str)>,
    /// Whether the method guarantees only the first contact of a step.
    first_contact: bool,
}

impl Verifier {
    pub(super) fn new(args: &Args, parts: &Parts) -> Verifier {
        let is_small = parts.description.triangles <= BRUTE_LIMIT;
        let referees = [
            (Method::Brute, "brute force"),
            (Method::SpatialHash, "spatial hashing, as brute force would take too long"),
            (Method::Bvh(Volume::Dop18), "the hierarchy with 18-DOPs"),
        ];
        // Not the method itself; and brute force is the only one that it is worth comparing with on
        // few triangles.
        let own = args.method().method();
        let method = match own {
            _ if is_small && own != Method::Brute => referees[0],
            _ if own == Method::Brute || own == Method::SpatialHash => referees[2],
            _ => referees[1],
        };
        let first_contact = args.method().guarantee() == Guarantee::FirstContact;
        Verifier { method: args.verify.then_some(method), first_contact }
    }

    /// What was verified, for the closing table.
    pub(super) fn words(&self) -> String {
        let what = if self.first_contact { "every first contact" } else { "every answer" };
        self.method.map_or(String::new(), |(_, name)| format!("; {what} agrees with {name}"))
    }

    pub(super) fn contacts(
        &self,
        parts: &mut Parts,
        frame: usize,
        query: &Query,
        report: &Report<Contact>,
    ) -> Result<()> {
        let Some((method, name)) = self.method else { return Ok(()) };
        let (world, next) = parts.step();
        let other = world.contacts(&next, &query.method(method))?;
        let agrees = match of_contacts(&other.found, &report.found) {
            Difference { missed: 0, extra: 0, .. } => true,
            Difference { extra: 0, is_first_missed, .. } if self.first_contact => !is_first_missed,
            _ => false,
        };
        ensure!(agrees, "{}", differs(frame, name));
        Ok(())
    }

    pub(super) fn crossings(
        &self,
        parts: &mut Parts,
        frame: usize,
        query: &Query,
        report: &Report<Crossing>,
    ) -> Result<()> {
        let Some((method, name)) = self.method else { return Ok(()) };
        let other = parts.world.crossings(&query.method(method))?;
        ensure!(other.found == report.found, "{}", differs(frame, name));
        Ok(())
    }
}

fn differs(frame: usize, name: &str) -> String {
    format!(
        "frame {frame}: the answer differs from that of {name}; this is a defect of the program, please report it"
    )
}
