//! The meshes of a scene as one surface with one set of bones.

use std::collections::HashMap;

use openusd::sdf::Value;

use super::compose;
use super::layer::Layers;
use super::numbers::{Numbers, indices, size_of_tokens, token, tokens};
use super::playing::{Bone, Cached, Playing};
use super::scene::{Found, Inherited, Scene};
use super::skel::{Animation, Blend, Skeleton};
use super::xform::{matrix_of, scaled_and_moved};
use crate::bytes::Budget;
use crate::clip::Surface;
use crate::error::{Error, Result, malformed};
use crate::skin::{Affine, Influence};
use crate::stage::{Builder, IDENTITY, Polygons, n_unbound};

/// Returns the surface of all visible meshes, with an object for each, and what moves it.
pub(super) fn read(layers: &mut Layers, budget: &mut Budget) -> Result<(Playing, Surface)> {
    let mut scene = Scene::default();
    let root = compose::root();
    let file = layers.file;
    scene.visit_children(layers, &root, None, &Inherited::default())?;
    let mut builder = Builder::new(file, budget);
    builder.tally = std::mem::take(&mut scene.tally);
    let mut reader = Reader {
        layers,
        scene: &scene,
        builder,
        bones: Vec::new(),
        bone_of_node: HashMap::new(),
        bone_of_joint: HashMap::new(),
        skeletons: Vec::new(),
        skeleton_of: HashMap::new(),
        animations: Vec::new(),
        animation_of: HashMap::new(),
        meshes: Vec::new(),
        blends: Vec::new(),
        n_without: 0,
    };
    for mesh in &scene.meshes {
        reader.add(mesh)?;
    }
    reader.link()?;
    let Reader { mut builder, bones, skeletons, animations, meshes, blends, n_without, .. } = reader;
    let tally = &mut builder.tally;
    tally.say(
        scene.n_aside,
        "mesh left out, as it is a guide or a proxy",
        "meshes left out, as they are guides or proxies",
    );
    let others = "left out: instancers of points, points, curves, NURBS or solids";
    tally.say(scene.n_others, &format!("object {others}"), &format!("objects {others}"));
    tally.say(
        scene.n_clips,
        "prim with value clips, which are not read",
        "prims with value clips, which are not read",
    );
    tally.say(
        n_without,
        "skin or blend shape left out, as nothing moves it",
        "skins or blend shapes left out, as nothing moves them",
    );
    for asset in &layers.missing {
        tally.add(&format!("left out, as it was not found: {asset}"));
    }
    let (world, rate) = world(layers)?;
    let playing = Playing {
        file: layers.file.to_owned(),
        world,
        time_codes_per_second: rate,
        nodes: scene.nodes,
        bones,
        skeletons,
        animations,
        meshes,
        blends,
    };
    Ok((playing, builder.finish()?))
}

/// Returns the map to meters with Y up, and the time codes per second.
fn world(layers: &Layers) -> Result<(Affine, f64)> {
    let axis = match layers.field(0, "/", "upAxis")?.as_deref() {
        Some(value) => token(value),
        None => None,
    };
    // The values of files that do not say.
    let unit =
        layers.number(0, "metersPerUnit")?.filter(|unit| unit.is_finite() && 0.0 < *unit).unwrap_or(0.01);
    let mut world = scaled_and_moved([unit; 3], [0.0; 3]);
    if axis.as_deref() == Some("Z") {
        world = [[unit, 0.0, 0.0, 0.0], [0.0, 0.0, unit, 0.0], [0.0, -unit, 0.0, 0.0]];
    }
    Ok((world, layers.time_codes_per_second(0)?))
}

struct Reader<'a, 'b, 'c> {
    layers: &'a Layers<'b>,
    scene: &'a Scene,
    builder: Builder<'c>,
    bones: Vec<Bone>,
    bone_of_node: HashMap<usize, u32>,
    /// Bone of each joint and binding; meshes often share both.
    bone_of_joint: HashMap<(usize, usize, [[u64; 4]; 3]), u32>,
    skeletons: Vec<Skeleton>,
    skeleton_of: HashMap<&'a str, usize>,
    animations: Vec<Animation>,
    animation_of: HashMap<&'a str, usize>,
    meshes: Vec<Cached>,
    blends: Vec<Blend>,
    n_without: usize,
}

/// The joints that vertices follow.
struct Binding {
    /// Bone of each joint that the mesh names.
    bones: Vec<u32>,
    indices: Vec<u32>,
    weights: Numbers,
    per_vertex: usize,
    is_rigid: bool,
}

impl Binding {
    /// Returns the bones that a vertex follows, with their weights.
    fn at(&self, vertex: usize) -> impl Iterator<Item = Influence> {
        let first = vertex * self.per_vertex;
        (first..first + self.per_vertex).filter_map(|i| {
            let (&joint, weight) = (self.indices.get(i)?, self.weights.get(i));
            let &bone = self.bones.get(joint as usize)?;
            (weight.is_finite() && 0.0 < weight).then_some(Influence { bone, weight })
        })
    }
}

impl<'a> Reader<'a, '_, '_> {
    /// Adds a mesh.
    fn add(&mut self, found: &'a Found) -> Result<()> {
        let (layers, scene, prim) = (self.layers, self.scene, &found.prim);
        let what = || format!("mesh {}", prim.path);
        let fault = |problem: String| malformed(layers.file, what(), problem);
        let changing = |problem: &str| Error::Unsupported {
            file: layers.file.to_owned(),
            what: format!("mesh {} with triangles that change ({problem})", prim.path),
            advice: "all frames of a clip need the same triangles".into(),
        };
        let points = prim.samples(layers, "points", Numbers::of, Numbers::size)?;
        let faces = |name: &str| -> Result<Vec<u32>> {
            let found = prim.samples(layers, name, indices, |v| 4 * v.len())?;
            let found = found.ok_or_else(|| fault(format!("it has no {name}")))?;
            if found.values.iter().any(|other| other != found.first()) {
                return Err(changing(name));
            }
            Ok(found.first().clone())
        };
        let points = points.ok_or_else(|| fault("it has no points".into()))?;
        let n = points.first().len() / 3;
        if let Some(other) = points.values.iter().find(|other| other.len() != 3 * n) {
            return Err(changing(&format!("{} and {} coordinates", points.first().len(), other.len())));
        }
        let (mut counts, mut corners) = (faces("faceVertexCounts")?, faces("faceVertexIndices")?);
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if total != corners.len() as u64 {
            return Err(fault(format!("its faces need {total} corners, but there are {}", corners.len())));
        }
        if let Some(corner) = corners.iter().find(|&&corner| n <= corner as usize) {
            return Err(fault(format!("corner {corner}, but there are {n} points")));
        }
        if let Some(holes) = prim.samples(layers, "holeIndices", indices, |v| 4 * v.len())? {
            remove(holes.first(), &mut counts, &mut corners);
        }
        let uniform = |name: &str| -> Result<Option<String>> {
            Ok(prim.samples(layers, name, token, String::len)?.map(|found| found.first().clone()))
        };
        let is_flipped = uniform("orientation")?.as_deref() == Some("leftHanded");
        let scheme = uniform("subdivisionScheme")?;
        self.builder.tally.n_cages += usize::from(scheme.is_none_or(|scheme| scheme != "none"));

        let parent = scene.nodes[found.node].parent;
        let holder = match parent.filter(|&parent| scene.are_xforms[parent]) {
            Some(parent) if scene.n_meshes[parent] == 1 => parent,
            _ => found.node,
        };
        let name = &scene.names[holder];
        let binding = self.binding(found, n)?;
        // Those of a rigid binding are the same at all vertices, whatever their number.
        let of_all = binding.as_ref().filter(|binding| binding.is_rigid).map(|binding| binding.at(0));
        let of_all: Option<Vec<Influence>> = of_all.map(Iterator::collect);
        let per_vertex = of_all.as_ref().map_or(0, Vec::len);
        self.builder.budget.work(n, per_vertex * size_of::<Influence>(), what)?;
        let bound = |vertex: usize, out: &mut Vec<Influence>| match (&of_all, &binding) {
            (Some(of_all), _) => out.extend_from_slice(of_all),
            (None, Some(binding)) => out.extend(binding.at(vertex)),
            (None, None) => {}
        };
        let n_unbound = n_unbound(n, bound);
        self.builder.tally.n_unbound += if binding.is_some() { n_unbound } else { 0 };
        let rigid = match n_unbound {
            0 => None,
            _ => Some(self.bone_of_node(found.node)?),
        };
        let influences = |vertex: usize, out: &mut Vec<Influence>| {
            bound(vertex, out);
            if let Some(bone) = rigid.filter(|_| out.is_empty()) {
                out.push(Influence { bone, weight: 1.0 });
            }
            Ok(())
        };
        let polygons = Polygons { counts: &counts, corners: &corners, is_flipped };
        let positions = (0..n).map(|i| points.first().point(i));
        let first = self.builder.mesh(name, positions, &polygons, influences)? as usize;
        if points.moving().is_some() {
            self.meshes.push(Cached { first, points });
        }
        self.add_blends(found, first, n)
    }

    /// Returns the bone of the node of a mesh, or of the transform above, if it has none of its
    /// own.
    fn bone_of_node(&mut self, node: usize) -> Result<u32> {
        let scene = self.scene;
        let above = scene.nodes[node].parent.filter(|&parent| scene.are_xforms[parent]);
        let is_moved = !scene.nodes[node].xform.is_empty();
        let node = if is_moved { node } else { above.unwrap_or(node) };
        if let Some(&bone) = self.bone_of_node.get(&node) {
            return Ok(bone);
        }
        // A mesh alone below a transform is known by the name of the transform.
        let named = above.filter(|&above| scene.n_meshes[above] == 1).unwrap_or(node);
        let bone = self.builder.bone(&scene.names[named], &IDENTITY)?;
        self.bones.push(Bone::Node(node));
        self.bone_of_node.insert(node, bone);
        Ok(bone)
    }

    /// Returns the index of an animation, which is read if it was not yet.
    fn animation(&mut self, path: &str) -> Result<Option<usize>> {
        let scene = self.scene;
        let Some((path, prim)) = scene.animations.get_key_value(path) else { return Ok(None) };
        if let Some(&index) = self.animation_of.get(path.as_str()) {
            return Ok(Some(index));
        }
        self.animations.push(Animation::read(prim, self.layers)?);
        self.animation_of.insert(path, self.animations.len() - 1);
        Ok(Some(self.animations.len() - 1))
    }

    /// Returns the index of a skeleton, which is read if it was not yet.
    fn skeleton(&mut self, path: &str) -> Result<Option<usize>> {
        let scene = self.scene;
        let Some((path, found)) = scene.skeletons.get_key_value(path) else { return Ok(None) };
        if let Some(&index) = self.skeleton_of.get(path.as_str()) {
            return Ok(Some(index));
        }
        let animation = match &found.inherited.animation {
            Some(path) => self.animation(path)?,
            None => None,
        };
        let animation = animation.map(|index| (index, &self.animations[index]));
        self.skeletons.push(Skeleton::read(&found.prim, self.layers, found.node, animation)?);
        self.skeleton_of.insert(path, self.skeletons.len() - 1);
        Ok(Some(self.skeletons.len() - 1))
    }

    /// Returns the joints that the vertices of a mesh follow, if there are any.
    fn binding(&mut self, found: &Found, n: usize) -> Result<Option<Binding>> {
        let (layers, prim) = (self.layers, &found.prim);
        let fault = |problem: String| malformed(layers.file, format!("mesh {}", prim.path), problem);
        let name = "primvars:skel:jointIndices";
        let found_indices = prim.samples(layers, name, indices, |v| 4 * v.len())?;
        let weights = prim.samples(layers, "primvars:skel:jointWeights", Numbers::of, Numbers::size)?;
        let (Some(found_indices), Some(weights)) = (found_indices, weights) else { return Ok(None) };
        let skeleton = match &found.inherited.skeleton {
            Some(path) => self.skeleton(path)?,
            None => None,
        };
        let Some(skeleton) = skeleton else {
            self.n_without += 1;
            return Ok(None);
        };
        let (indices, weights) = (found_indices.first().clone(), weights.first().clone());
        let size = prim.of_attribute(layers, name, "elementSize", |value| match value {
            Value::Int(size) => usize::try_from(*size).ok(),
            Value::Int64(size) => usize::try_from(*size).ok(),
            _ => None,
        })?;
        let per_vertex = size.unwrap_or(1);
        let interpolation = prim.of_attribute(layers, name, "interpolation", token)?;
        let is_rigid = interpolation.as_deref() == Some("constant");
        let needed = if is_rigid { per_vertex } else { per_vertex.saturating_mul(n) };
        if indices.len() != needed || weights.len() != needed {
            let problem = format!(
                "it needs {needed} joints and weights, but has {} joints and {} weights",
                indices.len(),
                weights.len()
            );
            return Err(fault(problem));
        }
        let method = prim.samples(layers, "primvars:skel:skinningMethod", token, String::len)?;
        self.builder.tally.n_other_skins +=
            usize::from(method.is_some_and(|method| method.first() == "dualQuaternion"));
        let bound = prim.samples(layers, "primvars:skel:geomBindTransform", matrix_of, |_| 0)?;
        let bound = bound.map_or(IDENTITY, |bound| *bound.first());
        let named = prim.samples(layers, "skel:joints", tokens, |v| size_of_tokens(v))?;
        let n_joints = self.skeletons[skeleton].joints.len();
        let joints: Vec<usize> =
            match named.map(|named| named.first().clone()).filter(|named| !named.is_empty()) {
                Some(named) => {
                    let all = &self.skeletons[skeleton].joints;
                    let place: HashMap<&str, usize> =
                        all.iter().enumerate().map(|(i, j)| (j.as_str(), i)).collect();
                    let of = |joint: &String| {
                        let problem = format!("joint {joint} is not in its skeleton");
                        place.get(joint.as_str()).copied().ok_or_else(|| fault(problem))
                    };
                    named.iter().map(of).collect::<Result<_>>()?
                }
                None => (0..n_joints).collect(),
            };
        if let Some(joint) = indices.iter().find(|&&joint| joints.len() <= joint as usize) {
            return Err(fault(format!("joint {joint}, but there are {}", joints.len())));
        }
        let mut bones = Vec::with_capacity(joints.len());
        for joint in joints {
            bones.push(self.bone_of_joint(skeleton, joint, &bound)?);
        }
        Ok(Some(Binding { bones, indices, weights, per_vertex, is_rigid }))
    }

    /// Returns the bone of a joint for meshes with a binding; adds it if it is new.
    fn bone_of_joint(&mut self, skeleton: usize, joint: usize, bound: &Affine) -> Result<u32> {
        let key = (skeleton, joint, bound.map(|row| row.map(f64::to_bits)));
        if let Some(&bone) = self.bone_of_joint.get(&key) {
            return Ok(bone);
        }
        let of = &self.skeletons[skeleton];
        let into_joint = of.map_into_joint(joint, bound);
        let name = of.joints[joint].rsplit('/').next().unwrap_or_default();
        let bone = self.builder.bone(name, &into_joint)?;
        self.bones.push(Bone::Joint { skeleton, joint, into_joint });
        self.bone_of_joint.insert(key, bone);
        Ok(bone)
    }

    /// Adds the blend shapes of a mesh, which an animation of its skeleton moves.
    fn add_blends(&mut self, found: &Found, first: usize, n: usize) -> Result<()> {
        let (layers, scene, prim) = (self.layers, self.scene, &found.prim);
        let names = prim.samples(layers, "skel:blendShapes", tokens, |v| size_of_tokens(v))?;
        let Some(names) = names else { return Ok(()) };
        let targets = prim.targets(layers, "skel:blendShapeTargets")?;
        let skeleton = match &found.inherited.skeleton {
            Some(path) => self.skeleton(path)?,
            None => None,
        };
        let animation = match (skeleton.and_then(|skeleton| self.skeletons[skeleton].animation()), skeleton) {
            (Some(animation), _) => Some(animation),
            (None, None) => match &found.inherited.animation {
                Some(path) => self.animation(path)?,
                None => None,
            },
            _ => None,
        };
        for (name, target) in names.first().iter().zip(&targets) {
            let place = animation.and_then(|animation| {
                let of = &self.animations[animation];
                let place = of.shapes.iter().position(|shape| shape == name)?;
                of.weights.is_some().then_some((animation, place))
            });
            match (place, scene.shapes.get(target)) {
                (Some(weight), Some(shape)) => {
                    self.blends.push(Blend::read(shape, layers, weight, first, n)?);
                }
                _ => self.n_without += 1,
            }
        }
        Ok(())
    }

    /// Sets the parents of all bones: joints, and what skeletons and meshes are below.
    fn link(&mut self) -> Result<()> {
        let scene = self.scene;
        let mut starts = Vec::with_capacity(self.skeletons.len());
        let mut parents: Vec<Option<usize>> = scene.nodes.iter().map(|node| node.parent).collect();
        for skeleton in &self.skeletons {
            let start = parents.len();
            starts.push(start);
            parents.extend(skeleton.parents.iter().map(|parent| parent.map(|parent| start + parent)));
        }
        let place = |bone: &Bone| match bone {
            Bone::Node(node) => *node,
            Bone::Joint { skeleton, joint, .. } => starts[*skeleton] + joint,
        };
        let places: Vec<usize> = self.bones.iter().map(place).collect();
        self.builder.link(&places, &parents)
    }
}

/// Removes faces.
fn remove(holes: &[u32], counts: &mut Vec<u32>, corners: &mut Vec<u32>) {
    let holes: std::collections::HashSet<u32> = holes.iter().copied().collect();
    if holes.is_empty() {
        return;
    }
    let (mut kept_counts, mut kept, mut at) = (Vec::new(), Vec::new(), 0);
    for (i, &count) in counts.iter().enumerate() {
        let end = at + count as usize;
        if !holes.contains(&(i as u32)) {
            kept_counts.push(count);
            kept.extend_from_slice(&corners[at..end]);
        }
        at = end;
    }
    (*counts, *corners) = (kept_counts, kept);
}
