//! Gathers the mesh instances of a scene into one surface with one set of bones.

use std::collections::HashMap;

use super::document::Document;
use super::primitive::{self, Binding, Primitive};
use super::scene::{Joint, Morph, Scene, from_columns};
use super::weld::weld;
use crate::bytes::Budget;
use crate::clip::{SourceVertex, Surface, Welding};
use crate::error::{Result, malformed};
use crate::skin::{Affine, Bone, Skin, origin_of};

const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// Returns the surface of all meshes in the default scene, one object for each node with a mesh. The joints
/// and morphs that move it are added to `scene`.
pub(super) fn read(document: &Document, scene: &mut Scene, budget: &mut Budget) -> Result<Surface> {
    let mut builder = Builder {
        document,
        scene,
        budget,
        bone_of: HashMap::new(),
        bones_of_skin: HashMap::new(),
        skin: Skin::new(Vec::new()),
        surface: Surface::plain("", Vec::new(), 0),
        welding: Welding { welded: 0, collapsed: 0, source: Vec::new() },
    };
    builder.surface.objects.clear();
    for node in nodes_in_scene(document, builder.scene)? {
        if let Some(mesh) = document.root.nodes[node].mesh {
            builder.add_instance(node, mesh)?;
        }
    }
    builder.attach_rigid_bones();
    let Builder { mut surface, skin, welding, .. } = builder;
    surface.n_vertices = skin.rest.len();
    surface.skin = Some(skin);
    surface.welding = Some(welding);
    surface.checked(document.file)
}

/// Returns the nodes of the default scene, else of the first one, else all, in the order of the file.
fn nodes_in_scene(document: &Document, scene: &Scene) -> Result<Vec<usize>> {
    let root = &document.root;
    let mut is_in = vec![root.scenes.is_empty(); root.nodes.len()];
    if !root.scenes.is_empty() {
        let index = root.scene.unwrap_or(0);
        let fault = |problem: String| malformed(document.file, format!("scene {index}"), problem);
        let chosen = root.scenes.get(index).ok_or_else(|| fault("it does not exist".into()))?;
        for &node in &chosen.nodes {
            *is_in.get_mut(node).ok_or_else(|| fault(format!("node {node} does not exist")))? = true;
        }
        for &node in &scene.order {
            is_in[node] |= scene.parents[node].is_some_and(|parent| is_in[parent]);
        }
    }
    Ok((0..root.nodes.len()).filter(|&node| is_in[node]).collect())
}

struct Builder<'a, 'b> {
    document: &'a Document<'b>,
    scene: &'a mut Scene,
    budget: &'a mut Budget,
    /// Bone of each node and inverse bind matrix; skins often share both.
    bone_of: HashMap<(usize, [[u64; 4]; 3]), u32>,
    bones_of_skin: HashMap<usize, Vec<u32>>,
    skin: Skin,
    surface: Surface,
    welding: Welding,
}

impl Builder<'_, '_> {
    fn add_instance(&mut self, node: usize, mesh_index: usize) -> Result<()> {
        let root = &self.document.root;
        let fault = |problem: String| malformed(self.document.file, format!("node {node}"), problem);
        let mesh = root.meshes.get(mesh_index);
        let mesh = mesh.ok_or_else(|| fault(format!("mesh {mesh_index} does not exist")))?;
        // A copy, since it is at most as long as the list of joints and read once for each instance.
        let binding_bones;
        let binding = match root.nodes[node].skin {
            Some(skin) => {
                binding_bones = self.skin_bones(skin)?;
                Binding::Skin(&binding_bones)
            }
            None => Binding::Rigid(self.bone(node, IDENTITY, format!("node {node}"), None)?),
        };
        let mut primitives = Vec::new();
        let mut numbers = Vec::new();
        for (i, source) in mesh.primitives.iter().enumerate() {
            let place = format!("primitive {i} of mesh {mesh_index}");
            self.budget.charge(1, 256, || place.clone())?;
            match primitive::read(self.document, source, &place, &binding, self.budget)? {
                Some(primitive) => {
                    primitives.push(primitive);
                    numbers.push(i as u32);
                }
                None => self.surface.skipped += 1,
            }
        }
        if primitives.is_empty() {
            return Ok(());
        }
        let name = root.nodes[node].name.as_ref().or(mesh.name.as_ref()).filter(|name| !name.is_empty());
        self.surface.objects.push(name.cloned().unwrap_or_else(|| format!("node {node}")));
        self.add_primitives(node, mesh_index, &primitives, &numbers)
    }

    /// Welds the primitives of an instance and adds them to the surface.
    fn add_primitives(
        &mut self,
        node: usize,
        mesh: usize,
        primitives: &[Primitive],
        numbers: &[u32],
    ) -> Result<()> {
        let n: usize = primitives.iter().map(|p| p.positions.len()).sum();
        let n_influences: usize = primitives.iter().map(|p| p.influences.len()).sum();
        let n_targets = self.scene.n_morphs[node];
        let what = || format!("the instance of mesh {mesh} at node {node}");
        // Rest, object, source and the maps of welding; vectors that grow may be twice as large.
        self.budget.charge(n, 160, what)?;
        self.budget.charge(n_influences, 2 * size_of::<crate::Influence>(), what)?;
        // Every target is compared for every vertex, and has its own list.
        self.budget.charge(n.saturating_add(4), 8usize.saturating_mul(n_targets), what)?;
        let welded = weld(primitives, n_targets);
        let first = self.skin.rest.len();
        let object = self.surface.objects.len() as u32 - 1;
        if u32::try_from(first + n).is_err() {
            return Err(malformed(self.document.file, what(), "there are 2^32 vertices or more"));
        }
        let root = &self.document.root;
        let weights = [&root.nodes[node].weights, &root.meshes[mesh].weights];
        let weights = weights.into_iter().find(|weights| !weights.is_empty());
        let weight = |target: usize| weights.and_then(|w| w.get(target)).copied().unwrap_or(0.0);
        let mut morph = Morph {
            node,
            weights: (0..n_targets).map(weight).collect(),
            targets: vec![Vec::new(); n_targets],
        };
        for (i, &(p, vertex)) in welded.kept.iter().enumerate() {
            let primitive = &primitives[p as usize];
            let index = (first + i) as u32;
            self.skin.push(primitive.positions[vertex as usize], primitive.influences(vertex as usize));
            self.surface.vertex_object.push(object);
            let primitive_index = numbers[p as usize];
            let (node, mesh) = (node as u32, mesh as u32);
            self.welding.source.push(SourceVertex { node, mesh, primitive: primitive_index, vertex });
            for (target, deltas) in morph.targets.iter_mut().enumerate() {
                let delta = primitive.delta(target, vertex as usize);
                if delta != [0.0; 3] {
                    self.budget.charge(1, 64, what)?;
                    deltas.push((index, delta));
                }
            }
        }
        self.welding.welded += n - welded.kept.len();
        for (primitive, of) in primitives.iter().zip(&welded.of) {
            self.budget.charge(primitive.triangles.len(), 24, what)?;
            for triangle in &primitive.triangles {
                let [a, b, c] = triangle.map(|corner| first as u32 + of[corner as usize]);
                if a == b || b == c || c == a {
                    self.welding.collapsed += 1;
                } else {
                    self.surface.faces.push([a, b, c]);
                }
            }
        }
        if 0 < n_targets {
            self.scene.morphs.push(morph);
        }
        Ok(())
    }

    /// Returns the bones of a skin in the order of its joints.
    fn skin_bones(&mut self, index: usize) -> Result<Vec<u32>> {
        if let Some(bones) = self.bones_of_skin.get(&index) {
            self.budget.charge(bones.len(), 4, || format!("skin {index}"))?;
            return Ok(bones.clone());
        }
        let fault = |problem: String| malformed(self.document.file, format!("skin {index}"), problem);
        let skin = self.document.root.skins.get(index).ok_or_else(|| fault("it does not exist".into()))?;
        let matrices = match skin.inverse_bind_matrices {
            Some(accessor) => self.document.numbers(accessor, "MAT4", self.budget)?,
            None => Vec::new(),
        };
        let n = skin.joints.len();
        if skin.inverse_bind_matrices.is_some() && matrices.len() < 16 * n {
            return Err(fault(format!("{n} joints, but {} inverse bind matrices", matrices.len() / 16)));
        }
        let mut bones = Vec::with_capacity(n);
        for (i, &joint) in skin.joints.iter().enumerate() {
            if self.scene.locals.len() <= joint {
                return Err(fault(format!("its joint {i} is node {joint}, which does not exist")));
            }
            let inverse_bind = matrices.get(16 * i..16 * i + 16).map_or(IDENTITY, from_columns);
            bones.push(self.bone(joint, inverse_bind, format!("joint {i}"), Some(index))?);
        }
        self.link(&bones)?;
        self.bones_of_skin.insert(index, bones.clone());
        Ok(bones)
    }

    /// Returns the bone of a node with an inverse bind matrix, adding it if it is new.
    fn bone(
        &mut self,
        node: usize,
        inverse_bind: Affine,
        unnamed: String,
        skin: Option<usize>,
    ) -> Result<u32> {
        let key = (node, inverse_bind.map(|row| row.map(f64::to_bits)));
        if let Some(&bone) = self.bone_of.get(&key) {
            return Ok(bone);
        }
        let name = self.document.root.nodes[node].name.clone().filter(|name| !name.is_empty());
        let name = name.unwrap_or(unnamed);
        self.budget.charge(1, 768 + name.len(), || match skin {
            Some(skin) => format!("a joint of skin {skin}"),
            None => format!("node {node}"),
        })?;
        let bone = self.skin.bones.len() as u32;
        let head = origin_of(&inverse_bind).unwrap_or([0.0; 3]);
        self.skin.bones.push(Bone { name, parent: None, head, tail: None });
        self.scene.joints.push(Joint { node, inverse_bind });
        self.bone_of.insert(key, bone);
        Ok(bone)
    }

    /// Gives the bones of a skin their parents: the nearest ancestors among them.
    fn link(&mut self, bones: &[u32]) -> Result<()> {
        let n = self.scene.order.len();
        self.budget.charge(n, 8, || "the ancestors of joints".into())?;
        let mut nearest: Vec<Option<u32>> = vec![None; n];
        for &bone in bones.iter().rev() {
            nearest[self.scene.joints[bone as usize].node] = Some(bone);
        }
        let own = nearest.clone();
        for &node in &self.scene.order {
            let above = self.scene.parents[node].and_then(|parent| nearest[parent]);
            nearest[node] = own[node].or(above);
        }
        for &bone in bones {
            let parent = self.scene.parents[self.scene.joints[bone as usize].node];
            self.skin.bones[bone as usize].parent = parent.and_then(|parent| nearest[parent]);
        }
        Ok(())
    }

    /// Gives bones without a parent, such as a sword in a hand, the nearest ancestor of any skin.
    fn attach_rigid_bones(&mut self) {
        let mut nearest: Vec<Option<u32>> = vec![None; self.scene.order.len()];
        for (bone, joint) in self.scene.joints.iter().enumerate().rev() {
            nearest[joint.node] = Some(bone as u32);
        }
        let own = nearest.clone();
        for &node in &self.scene.order {
            let above = self.scene.parents[node].and_then(|parent| nearest[parent]);
            nearest[node] = own[node].or(above);
        }
        for (bone, joint) in self.skin.bones.iter_mut().zip(&self.scene.joints) {
            let above = self.scene.parents[joint.node].and_then(|parent| nearest[parent]);
            bone.parent = bone.parent.or(above);
        }
    }
}
