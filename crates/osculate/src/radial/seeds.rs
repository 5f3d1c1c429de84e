//! Suspects: triangles for which the argument of radial view culling does not hold at the start of
//! a step (docs/methods/radial-view.md).
//!
//! Let w be the winding number of a closed, oriented component of the mesh around the points just
//! outside one of its triangles. The argument needs w to be the same for any two triangles that are
//! compared. It changes only where a triangle is crossed by another. So at the start, all triangles
//! are suspect except those of one region that is connected across edges and crossed by nothing,
//! and of other such regions with the same w, which one exact count each determines. During a step,
//! triangles with a contact become suspect. At its end, suspects that are connected, across
//! triangles that cross nothing, to one that never was suspect become clean. Two triangles that
//! cross at the end, and did not at the start, had a contact in the step, so only a few pairs are
//! compared. (Two with the same three corners begin to cross without a contact, when they get area.
//! They need not be compared: if nothing made them suspect, they have opposite orientations, so one
//! of them is not of the class of what touches both.)
//!
//! Surfaces with holes, and those that branch or are not oriented, are closed by virtual caps
//! ([`super::caps`]); triangles that may touch a cap are suspect as well.
//!
//! Every larger set of suspects is correct as well, only slower.

use super::tree::{ClusterTree, NONE};
use crate::Mesh;
use crate::motion::Line;
use crate::narrow::{Kind, Shared, TriangleStats, triangle_triangle};
use crate::segment::{Posed, Segments};
use std::borrow::Cow;

/// Maximum number of triangles of a region whose winding number is tried.
const TRIALS: usize = 4;

/// The suspects of a body at a pose.
#[derive(Default)]
pub(crate) struct Seeds {
    /// The pose at which bodies were left; empty before that.
    pose: Vec<[f64; 3]>,
    /// Whether the rest is known at that pose.
    is_known: bool,
    /// Pairs of triangles of one component that cross at the pose.
    crossed: Vec<[u32; 2]>,
    suspects: Vec<u32>,
    state: Vec<State>,
}

/// A self-contact of a body: its kind, and the numbers of the features.
pub(crate) type Touch = (Kind, [u32; 2]);

/// The state of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Clean,
    Suspect,
    /// A suspect that crosses another triangle, or may touch a cap.
    Crossed,
}

impl Seeds {
    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.pose.as_slice())
            + size_of_val(self.crossed.as_slice())
            + size_of_val(self.suspects.as_slice())
            + size_of_val(self.state.as_slice())
    }

    /// Whether the suspects at the start of the step are known.
    pub(crate) fn knows(&self, lines: &[Line]) -> bool {
        self.is_known && self.are_at(lines)
    }

    /// Whether the step starts at the pose at which the body was left.
    pub(crate) fn are_at(&self, lines: &[Line]) -> bool {
        self.pose.len() == lines.len() && self.pose.iter().zip(lines).all(|(p, line)| p[..] == line.0[..3])
    }

    /// The suspects at the start of the step, if known.
    pub(crate) fn suspects(&self) -> &[u32] {
        &self.suspects
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.pose.clear();
        self.is_known = false;
        self.crossed.clear();
        self.suspects.clear();
    }

    /// Forgets everything but the pose at the end of the step.
    pub(crate) fn leave(&mut self, lines: &[Line]) {
        self.forget();
        self.pose.extend(lines.iter().map(|line| line.ends()[1]));
    }

    /// Finds the suspects at the start of a step, from the triangle pairs that cross there and the
    /// triangles that may touch caps.
    ///
    /// Of each component, the largest region that crosses nothing is clean, and so are other
    /// regions with the same winding number if the component is closed.
    pub(crate) fn begin(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        lines: &[Line],
        crossings: impl Iterator<Item = [u32; 2]>,
        near_caps: &[u32],
    ) {
        let component = |t: u32| mesh.components()[t as usize];
        self.crossed.clear();
        self.crossed.extend(crossings.filter(|&[a, b]| component(a) == component(b)));
        self.suspects.clear();
        self.state.clear();
        self.state.resize(mesh.triangles().len(), State::Suspect);
        self.block(near_caps);
        let mut regions: Vec<Vec<Vec<u32>>> = vec![Vec::new(); mesh.n_components()];
        for t in 0..mesh.triangles().len() as u32 {
            if self.state[t as usize] == State::Suspect {
                regions[component(t) as usize].push(self.clean_from(tree, vec![t]));
            }
        }
        let pose: Vec<[f64; 3]> = lines.iter().map(|line| line.ends()[0]).collect();
        let mut segments = None;
        for (k, of_component) in (0..).zip(&mut regions) {
            of_component.sort_by_key(|region| std::cmp::Reverse(region.len()));
            let [largest, others @ ..] = of_component.as_slice() else { continue };
            let is_closed =
                !tree.rims.iter().any(|rim| component(mesh.triangles_of_vertex(rim.vertices[0])[0]) == k);
            let mut winding = |region: &[u32]| {
                let segments = segments.get_or_insert_with(|| {
                    Segments::new(
                        mesh,
                        &tree.hierarchy,
                        Cow::Owned(Posed::new(&tree.hierarchy, pose.clone())),
                    )
                });
                region.iter().take(TRIALS).find_map(|&t| segments.winding_outside(t, |t| component(t) == k))
            };
            let expected = if is_closed && !others.is_empty() { winding(largest) } else { None };
            for region in others {
                if expected.is_none() || winding(region) != expected {
                    region.iter().for_each(|&t| self.state[t as usize] = State::Suspect);
                }
            }
        }
        self.end(lines, 0);
    }

    /// Finds the suspects at the end of a step from those at its start and all its contacts.
    pub(crate) fn advance(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        lines: &[Line],
        contacts: &[Touch],
        near_caps: &[u32],
    ) {
        if !(contacts.is_empty() && self.suspects.is_empty() && near_caps.is_empty()) {
            self.state.clear();
            self.state.resize(mesh.triangles().len(), State::Clean);
            for &t in self.suspects.iter() {
                self.state[t as usize] = State::Suspect;
            }
            for &touch in contacts {
                let hosts = hosts(mesh, touch);
                for &t in hosts.into_iter().flatten() {
                    if std::mem::replace(&mut self.state[t as usize], State::Suspect) == State::Clean {
                        self.suspects.push(t);
                    }
                }
                let pairs =
                    hosts[0].iter().flat_map(|&a| hosts[1].iter().map(move |&b| [a.min(b), a.max(b)]));
                self.crossed.extend(pairs);
            }
            self.crossed.sort_unstable();
            self.crossed.dedup();
            self.crossed.retain(|&[a, b]| is_crossing(mesh, lines, a, b));
            self.block(near_caps);
            let is_clean = |state: &[State], t: u32| t != NONE && state[t as usize] == State::Clean;
            let edge: Vec<u32> = self
                .suspects
                .iter()
                .copied()
                .filter(|&t| {
                    self.state[t as usize] == State::Suspect
                        && tree.neighbors[t as usize].iter().any(|&n| is_clean(&self.state, n))
                })
                .collect();
            self.clean_from(tree, edge);
        }
        self.end(lines, 1);
    }

    /// Marks the triangles that cross others, or may touch a cap.
    fn block(&mut self, near_caps: &[u32]) {
        for &t in self.crossed.iter().flatten().chain(near_caps) {
            self.state[t as usize] = State::Crossed;
        }
    }

    /// Cleans the given triangles and the suspects that are connected to them across edges; returns
    /// all of these.
    fn clean_from(&mut self, tree: &ClusterTree, mut region: Vec<u32>) -> Vec<u32> {
        for &t in &region {
            self.state[t as usize] = State::Clean;
        }
        let mut n_done = 0;
        while n_done < region.len() {
            for n in tree.neighbors[region[n_done] as usize] {
                if n != NONE && self.state[n as usize] == State::Suspect {
                    self.state[n as usize] = State::Clean;
                    region.push(n);
                }
            }
            n_done += 1;
        }
        region
    }

    /// Stores the remaining suspects, and the pose at one end of the step.
    fn end(&mut self, lines: &[Line], end: usize) {
        if !self.state.is_empty() {
            let left = (0..).zip(&self.state).filter(|&(_, &state)| state != State::Clean).map(|(t, _)| t);
            self.suspects.clear();
            self.suspects.extend(left);
        }
        self.pose.clear();
        self.pose.extend(lines.iter().map(|line| line.ends()[end]));
        self.is_known = true;
    }
}

/// The triangles around the two features of a self-contact.
pub(crate) fn hosts(mesh: &Mesh, (kind, [f, g]): Touch) -> [&[u32]; 2] {
    match kind {
        Kind::VertexFace => [mesh.triangles_of_vertex(f), faces(mesh, g)],
        Kind::EdgeEdge => [f, g].map(|edge| mesh.triangles_of_edge(edge)),
    }
}

/// A triangle as a slice.
fn faces(mesh: &Mesh, triangle: u32) -> &[u32] {
    let around = mesh.triangles_of_vertex(mesh.triangles()[triangle as usize][0]);
    let place = around.partition_point(|&t| t < triangle);
    &around[place..=place]
}

/// Whether two triangles cross at the end of a step.
fn is_crossing(mesh: &Mesh, lines: &[Line], a: u32, b: u32) -> bool {
    let corners = [a, b].map(|t| mesh.triangles()[t as usize]);
    let [first, second] = corners.map(|corners| corners.map(|v| lines[v as usize].ends()[1]));
    let shared = Shared::between(corners[0], corners[1]);
    // Positions are finite, so this does not fail.
    triangle_triangle(&first, &second, shared, &mut TriangleStats::default()).is_ok_and(|r| r.is_crossing())
}
