//! Alembic (.abc) in an Ogawa container: polygon meshes and transforms, with the times of their
//! samples.
//!
//! The file is kept as it is; its samples are found and checked when it is opened, and read when a
//! frame is. Positions between samples are interpolated linearly. Faces must be the same at each
//! sample. Alembic has no unit and no axes; nothing is converted. Its polygons are wound the other
//! way round than those of other formats, and are turned.

mod ogawa;
mod archive;
mod property;
mod object;
mod xform;
mod polymesh;
mod playing;

use std::sync::Arc;

use crate::Options;
use crate::bytes::Budget;
use crate::clip::Clip;
use crate::error::{Result, malformed};
use crate::mirrored;
use crate::skin::Influence;
use crate::stage::{Builder, IDENTITY, Polygons, Source as _, Take};
use crate::tally::Seen;
use archive::Archive;
use object::{Object, objects};
use playing::{Cached, Node, Playing};
use polymesh::Polymesh;
use property::{Property, Samples, WORK, properties};
use xform::Xform;

/// Returns the clip of a file: from its first sample to its last.
pub(crate) fn read(bytes: Arc<Vec<u8>>, file: &str, stem: &str, options: &Options) -> Result<Clip> {
    let mut budget = Budget::new(file, bytes.len(), options.memory);
    let (archive, top) = Archive::open(&bytes, file, &mut budget)?;
    let objects = objects(&archive, top, &mut budget)?;
    let mut reader = Reader {
        archive: &archive,
        objects: &objects,
        builder: Builder::new(file, &mut budget),
        nodes: Vec::new(),
        bones: Vec::new(),
        meshes: Vec::new(),
        n_others: 0,
    };
    for i in 0..objects.len() {
        reader.add(i)?;
    }
    let Reader { mut builder, nodes, bones, meshes, n_others, .. } = reader;
    let parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
    builder.link(&bones, &parents)?;
    let others = "left out: points, curves, NURBS or instances";
    builder.tally.say(n_others, &format!("object {others}"), &format!("objects {others}"));
    let mut surface = builder.finish()?;
    let moving = nodes.iter().filter_map(|node| node.xform.moving());
    let moving = moving.chain(meshes.iter().filter_map(|mesh| mesh.points.moving()));
    let (start, end, fps) = span(moving, options.fps);
    let source = Playing { bytes: bytes.clone(), file: file.to_owned(), nodes, bones, meshes };
    mirrored::turn_by_bones(&mut surface, &source.matrices(None)?);
    Take { name: stem.to_owned(), start, end, fps, source: Arc::new(source) }
        .into_clip(file, Arc::new(surface))
}

/// Returns the first and the last time of samples, and the number of samples per second of those
/// that have most; the `default` if nothing moves.
fn span<'a>(moving: impl Iterator<Item = &'a Samples>, default: f64) -> (f64, f64, f64) {
    let (mut start, mut end, mut fps, mut most) = (f64::INFINITY, f64::NEG_INFINITY, default, 0);
    for samples in moving {
        start = start.min(samples.sampling.time(0));
        end = end.max(samples.sampling.time(samples.n - 1));
        let rate = samples.sampling.rate(samples.n);
        if most < samples.n && rate.is_finite() && 0.0 < rate {
            (fps, most) = (rate, samples.n);
        }
    }
    if start <= end { (start, end, fps) } else { (0.0, 0.0, default) }
}

struct Reader<'a> {
    archive: &'a Archive<'a>,
    objects: &'a [Object],
    builder: Builder<'a>,
    /// One for each object.
    nodes: Vec<Node>,
    /// The node of each bone.
    bones: Vec<usize>,
    meshes: Vec<Cached>,
    n_others: usize,
}

impl Reader<'_> {
    /// Adds an object, whose ancestors were added before.
    fn add(&mut self, index: usize) -> Result<()> {
        let object = &self.objects[index];
        let seen = object.parent.map_or(Seen::Always, |parent| self.nodes[parent].seen);
        let mut node = Node { parent: object.parent, xform: Xform::default(), seen, bone: None };
        let mut geometry = None;
        let wanted = [".xform", ".geom", "visible", ".instanceSource"];
        let mut is_instance = false;
        for (name, property) in properties(self.archive, &object.properties, &wanted, self.builder.budget)? {
            match (name.as_str(), property) {
                (".xform", Property::Compound(group)) if object.schema.starts_with("AbcGeom_Xform") => {
                    node.xform = Xform::read(self.archive, &group, &object.name, self.builder.budget)?;
                }
                (".geom", Property::Compound(group)) => geometry = Some(group),
                // 0 is hidden, -1 as the one above, and 1 visible.
                ("visible", Property::Samples(samples)) => {
                    let what = || "the visibility of objects".to_owned();
                    self.builder.budget.work(samples.n_stored(), WORK, what)?;
                    let shown = samples.stored().map(|sample| {
                        let bytes = samples.bytes(&self.archive.ogawa, sample)?;
                        Ok(samples.numbers(bytes).next() != Some(0.0))
                    });
                    let shown = shown.collect::<Result<Vec<bool>>>()?;
                    node.seen = seen.min(Seen::at(shown).unwrap_or_default());
                }
                (".instanceSource", _) => is_instance = true,
                _ => {}
            }
        }
        let seen = node.seen;
        self.nodes.push(node);
        let is_cage = object.schema.starts_with("AbcGeom_SubD");
        if is_instance {
            self.n_others += 1;
        } else if is_cage || object.schema.starts_with("AbcGeom_PolyMesh") {
            if self.builder.tally.reads(seen) {
                self.builder.tally.n_cages += usize::from(is_cage);
                let group = geometry.ok_or_else(|| {
                    let place = format!("mesh '{}'", object.name);
                    malformed(self.archive.ogawa.file, place, "it has no .geom")
                })?;
                let mesh = Polymesh::read(self.archive, &group, &object.name, self.builder.budget)?;
                self.add_mesh(index, mesh)?;
            }
        } else if ["Points", "Curve", "NuPatch"].iter().any(|kind| object.schema.contains(kind)) {
            self.n_others += 1;
        }
        Ok(())
    }

    /// Adds the mesh of an object, which follows the object above it.
    fn add_mesh(&mut self, index: usize, mesh: Polymesh) -> Result<()> {
        let object = &self.objects[index];
        // A mesh alone below a transform is known by the name of the transform.
        let holder = object.parent.unwrap_or(index);
        let is_alone = self.objects[holder].n_children == 1;
        let name = &self.objects[if is_alone { holder } else { index }].name;
        let bone = match self.nodes[holder].bone {
            Some(bone) => bone,
            None => {
                let bone = self.builder.bone(&self.objects[holder].name, &IDENTITY)?;
                self.nodes[holder].bone = Some(bone);
                self.bones.push(holder);
                bone
            }
        };
        let positions = mesh.points.first(&self.archive.ogawa)?;
        let polygons = Polygons { counts: &mesh.counts, corners: &mesh.corners, is_flipped: true };
        let follow = |_: usize, out: &mut Vec<Influence>| {
            out.push(Influence { bone, weight: 1.0 });
            Ok(())
        };
        let first = self.builder.mesh(name, positions, &polygons, follow)?;
        self.meshes.push(Cached { first: first as usize, points: mesh.points });
        Ok(())
    }
}
