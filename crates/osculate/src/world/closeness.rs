//! Queries about what is close at an instant: pairs of features, points, rays.

use super::World;
use crate::body::Keep;
use crate::body_id::BodyId;
use crate::contact::{Contact, Proximity, Report};
use crate::engine::{self, Parts};
use crate::model::Derive;
use crate::narrow::Settings;
use crate::query::{Query, Results};
use crate::segment::{Posed, RayHit, Segments, SurfacePoint};
use crate::sink::{Sink, SinkFlow};
use crate::stats::Stats;
use crate::{Error, Model};
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

impl World {
    /// Reports the pairs of a vertex and a face, or of two edges, that share no vertex and are at
    /// most `radius` apart at the current poses, with their distances and closest points, sorted as
    /// contacts are. Method, exclusions and filter of the query apply as to
    /// [contacts](World::contacts); [`Query::narrow`] is ignored.
    ///
    /// A pair is reported if its [distance](crate::narrow::ContactPoint::distance) in f64 is at
    /// most the radius; no other pair is within the radius by more than the error of distances. The
    /// answer of complete methods depends neither on the method nor on the number of threads.
    /// [`Results::Earliest`] is the same as [`Results::Any`] here. If there may be more pairs than
    /// memory holds, see [`proximities_into`](World::proximities_into).
    ///
    /// Fails if the radius is negative or not finite.
    pub fn proximities(&mut self, radius: f64, query: &Query) -> Result<Report<Proximity>, Error> {
        if query.results != Results::All {
            return self.count_proximities(radius, query);
        }
        let query = self.set_instant(radius, query)?;
        let parts = Parts { bodies: &mut self.bodies, step: &mut self.step, memory: &mut self.memory };
        let report = query.method.with_culling(|culling| engine::proximities(parts, &query, culling));
        if query.is_stopped() { Err(Error::Stopped) } else { Ok(report) }
    }

    /// The number of close pairs, or whether there are any.
    fn count_proximities(&mut self, radius: f64, query: &Query) -> Result<Report<Proximity>, Error> {
        let counts = query.results == Results::Count;
        let count = AtomicU64::new(0);
        let stats = self.proximities_into(radius, query, &|_: &Proximity| {
            count.fetch_add(1, Relaxed);
            if counts { SinkFlow::Continue } else { SinkFlow::Stop }
        })?;
        let count = count.into_inner();
        Ok(Report { found: Vec::new(), count: if counts { count } else { count.min(1) }, stats })
    }

    /// Pushes the pairs of features that are close to a sink as they are found;
    /// [`Query::results`] is ignored. Otherwise as [`proximities`](World::proximities).
    pub fn proximities_into(
        &mut self,
        radius: f64,
        query: &Query,
        sink: &dyn Sink<Proximity>,
    ) -> Result<Stats, Error> {
        let query = self.set_instant(radius, query)?;
        let within = |contact: &Contact| {
            if contact.at.distance <= radius { sink.take(&contact.into()) } else { SinkFlow::Continue }
        };
        let parts = Parts { bodies: &mut self.bodies, step: &mut self.step, memory: &mut self.memory };
        let stats =
            query.method.with_culling(|culling| engine::proximities_into(parts, &query, culling, &within));
        if query.is_stopped() { Err(Error::Stopped) } else { Ok(stats) }
    }

    /// Sets the step to one in which nothing moves, and returns the query for features within a
    /// radius. Fails if the radius is negative or not finite.
    fn set_instant<'a>(&mut self, radius: f64, query: &Query<'a>) -> Result<Query<'a>, Error> {
        if !(radius.is_finite() && 0.0 <= radius) {
            let allowed = "zero or a positive finite length";
            return Err(Error::Setting { name: "radius", value: radius, allowed });
        }
        let query = Query { narrow: Settings { min_separation: radius, ..Settings::default() }, ..*query };
        self.set_step((), &query)?;
        Ok(query)
    }

    /// Returns the point of the surface of a body at its current pose that is closest to the given
    /// one; `None` if the body has no triangles. See [`Segments::closest_point`].
    ///
    /// The first query after a pose was set prepares the body; those that follow take logarithmic
    /// time. [`surface`](World::surface) has the same for many queries at once.
    pub fn closest_point(&mut self, body: BodyId, point: [f64; 3]) -> Result<Option<SurfacePoint>, Error> {
        check_point(point)?;
        Ok(self.surface(body)?.closest_point(point, f64::INFINITY))
    }

    /// Returns the distance of a point from the surface of a closed body at its current pose:
    /// negative inside, where the winding number is not zero. The sign is exact; the distance is
    /// that of the [closest point](World::closest_point).
    ///
    /// Fails if an edge of the body has not two triangles that traverse it in opposite directions.
    pub fn signed_distance(&mut self, body: BodyId, point: [f64; 3]) -> Result<f64, Error> {
        check_point(point)?;
        let model = self.body(body)?.model.clone();
        let OpenEdges(open) = *model.derived::<OpenEdges>();
        if 0 < open {
            return Err(Error::NotClosed { body, open });
        }
        let surface = self.surface(body)?;
        let Some(closest) = surface.closest_point(point, f64::INFINITY) else { return Ok(f64::INFINITY) };
        let is_inside = closest.distance != 0.0 && surface.is_inside(point);
        Ok(if is_inside { -closest.distance } else { closest.distance })
    }

    /// Returns where the closed segment between two points first meets the surface of a body at its
    /// current pose, if it does. See [`Segments::ray_cast`].
    pub fn ray_cast(&mut self, body: BodyId, from: [f64; 3], to: [f64; 3]) -> Result<Option<RayHit>, Error> {
        check_point(from)?;
        check_point(to)?;
        Ok(self.surface(body)?.ray_cast(from, to))
    }

    /// The surface of a body at its current pose, for closest points, ray casts and intersections
    /// with segments, from any number of threads.
    pub fn surface(&mut self, body: BodyId) -> Result<Segments<'_>, Error> {
        self.body(body)?;
        let of_body = &mut self.bodies[body.index()];
        let lines = &mut self.step.lines_mut()[of_body.vertices.clone()];
        of_body.place_all(lines);
        let version = of_body.version;
        let model = &of_body.model;
        let posed = of_body.kept.get_or(|| PosedAt { version: u64::MAX, posed: None });
        if posed.version != version || posed.posed.is_none() {
            let pose = lines.iter().map(|line| line.end(0)).collect();
            *posed = PosedAt { version, posed: Some(Posed::new(model.hierarchy(), pose)) };
        }
        let posed = posed
            .posed
            .as_ref()
            .map_or_else(|| Cow::Owned(Posed::new(model.hierarchy(), Vec::new())), Cow::Borrowed);
        Ok(Segments::new(model.mesh(), model.hierarchy(), posed))
    }
}

/// The bounds of a body for queries about points, and the version of the body that they fit.
struct PosedAt {
    version: u64,
    posed: Option<Posed>,
}

impl Keep for PosedAt {
    fn memory_bytes(&self, _model: &Model) -> usize {
        self.posed.as_ref().map_or(0, Posed::memory_bytes)
    }
}

/// Number of edges that have not two triangles with opposite directions.
#[derive(Debug)]
struct OpenEdges(usize);

impl Derive for OpenEdges {
    fn derive(model: &Model) -> OpenEdges {
        let described = model.mesh().describe();
        OpenEdges(described.boundary_edges + described.non_manifold_edges + described.misoriented_edges)
    }

    fn memory_bytes(&self, _model: &Model) -> usize {
        0
    }
}

/// Fails if a coordinate is not finite.
fn check_point(point: [f64; 3]) -> Result<(), Error> {
    if point.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Error::Point { point }) }
}
