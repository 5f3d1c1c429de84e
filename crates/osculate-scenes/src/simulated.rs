//! Simulated scenes: objects and the events of a clip.

use crate::cache::{Checksum, Wanted, cached};
use crate::scene::{Motion, Scene};
use crate::solver::{Handling, Object, Settings, Solver};
use crate::vector::Vector;

/// The sources of the solver: any change to them invalidates cached frames.
const SOLVER: [&str; 4] = [
    include_str!("solver/mod.rs"),
    include_str!("solver/links.rs"),
    include_str!("solver/volume.rs"),
    include_str!("solver/collide.rs"),
];
/// Forces are fingerprinted by their values at every so many-th vertex.
const PROBE: usize = 101;

/// A simulation, one step for each frame.
pub(crate) struct Clip<'a> {
    pub(crate) name: &'a str,
    pub(crate) about: &'a str,
    /// Version of the clip; increment it for changes that the fingerprint does not cover.
    pub(crate) version: u32,
    pub(crate) objects: Vec<(&'a str, Object)>,
    pub(crate) settings: Settings,
    pub(crate) n_frames: usize,
    /// How collisions are handled in the step that ends with a frame.
    pub(crate) handling: &'a dyn Fn(usize) -> Handling,
    /// The position of a held vertex at a frame, from its initial position.
    pub(crate) held: &'a dyn Fn(usize, Vector) -> Vector,
    /// The acceleration in addition to gravity, before a frame and at a position.
    pub(crate) push: &'a dyn Fn(usize, Vector) -> Vector,
}

impl Clip<'_> {
    /// The scene, with frames from the cache if possible.
    pub(crate) fn scene(self) -> Scene {
        let (mut faces, mut rest, mut vertex_object) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (_, object)) in self.objects.iter().enumerate() {
            let first = rest.len() as u32;
            faces.extend(object.faces.iter().map(|face| face.map(|vertex| first + vertex)));
            rest.extend_from_slice(&object.points);
            vertex_object.resize(rest.len(), number as u32);
        }
        let wanted = Wanted {
            name: self.name,
            version: self.version,
            fingerprint: self.fingerprint(),
            n_frames: self.n_frames,
            n_vertices: rest.len(),
        };
        let frames = cached(&wanted, || self.run(&rest));
        Scene {
            name: self.name.to_owned(),
            about: self.about.to_owned(),
            faces,
            rest,
            objects: self.objects.iter().map(|(name, _)| (*name).to_owned()).collect(),
            static_objects: Vec::new(),
            vertex_object,
            skin: None,
            fps: 1.0 / self.settings.dt,
            motion: Motion::Frames(frames),
        }
    }

    /// A checksum of everything that the frames depend on: shapes, settings, the events of each
    /// frame, and the solver itself.
    fn fingerprint(&self) -> u64 {
        let mut sum = Checksum::new();
        for (_, object) in &self.objects {
            object.faces.iter().flatten().for_each(|&vertex| sum.add(u64::from(vertex)));
            object.held.iter().for_each(|&vertex| sum.add(u64::from(vertex)));
            object.spans.iter().flatten().for_each(|&vertex| sum.add(u64::from(vertex)));
            sum.add(object.material as u64);
            sum.add_points(&object.points);
            for frame in 1..self.n_frames {
                let held = object.held.iter().map(|&vertex| object.points[vertex as usize]);
                sum.add_points(&held.map(|rest| (self.held)(frame, rest)).collect::<Vec<_>>());
                let probes = object.points.iter().step_by(PROBE);
                sum.add_points(&probes.map(|&at| (self.push)(frame, at)).collect::<Vec<_>>());
            }
        }
        let handling: Vec<Handling> = (1..self.n_frames).map(self.handling).collect();
        let settings = format!("{handling:?} {:?}", self.settings);
        let text = settings.bytes().chain(SOLVER.into_iter().flat_map(str::bytes));
        // Line endings differ between systems.
        text.filter(|&byte| byte != b'\r').for_each(|byte| sum.add(u64::from(byte)));
        sum.value()
    }

    fn run(&self, rest: &[Vector]) -> Vec<Vec<Vector>> {
        let mut solver = Solver::new(self.objects.iter().map(|(_, object)| object), self.settings);
        let mut frames = vec![solver.positions.clone()];
        for frame in 1..self.n_frames {
            solver.step((self.handling)(frame), |i| (self.held)(frame, rest[i]), |at| (self.push)(frame, at));
            frames.push(solver.positions.clone());
        }
        frames
    }
}
