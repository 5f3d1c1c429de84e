//! Collects the mesh instances of a scene into one surface with one set of bones.

use std::collections::HashMap;
use std::rc::Rc;

use super::bones::{Bones, IDENTITY};
use super::document::Document;
use super::instances;
use super::mesh::{self, Mesh};
use super::primitive::{Binding, Repaired};
use super::scene::{Morph, Scene};
use crate::bytes::Budget;
use crate::clip::{SourceVertex, Surface, Welding};
use crate::error::{Result, malformed};
use crate::note::note;
use crate::skin::{Affine, Influence, Skin};
use crate::tally::Tally;

/// Returns the surface of all visible meshes in the default scene, with one object for each node
/// with a mesh, or for each of its instances. Its joints and morphs are added to `scene`.
pub(super) fn read(document: &Document, scene: &mut Scene, budget: &mut Budget) -> Result<Surface> {
    let is_hidden = instances::hidden(document, scene);
    let mut tally = Tally::default();
    let mut nodes = Vec::new();
    let mut uses: HashMap<Key, usize> = HashMap::new();
    for node in nodes_in_scene(document, scene)? {
        let Some(mesh) = document.root.nodes[node].mesh else { continue };
        if is_hidden[node] {
            tally.n_hidden += 1;
            continue;
        }
        nodes.push((node, mesh));
        *uses.entry((mesh, document.root.nodes[node].skin)).or_default() += 1;
    }
    let mut builder = Builder {
        document,
        scene,
        budget,
        bones: Bones::default(),
        meshes: HashMap::new(),
        repaired: Repaired::default(),
        skin: Skin::new(Vec::new()),
        surface: Surface::plain("", Vec::new(), 0),
        welding: Welding { welded: 0, collapsed: 0, source: Vec::new() },
    };
    builder.surface.objects.clear();
    for (node, mesh) in nodes {
        let key = (mesh, document.root.nodes[node].skin);
        builder.add_node(node, mesh)?;
        // A mesh that is not used again is released.
        let left = uses.entry(key).or_default();
        *left = left.saturating_sub(1);
        if *left == 0
            && let Some(mesh) = builder.meshes.remove(&key)
        {
            builder.budget.give_back(mesh.bytes);
        }
    }
    let Builder { mut surface, mut skin, welding, mut bones, repaired, .. } = builder;
    bones.attach_rest(scene);
    skin.bones = bones.list;
    scene.joints = bones.joints;
    surface.n_vertices = skin.rest.len();
    surface.skin = Some(skin);
    surface.welding = Some(welding);
    surface.notes.extend(tally.into_notes());
    repaired.notes().for_each(|text| note(&mut surface.notes, &text));
    surface.checked(document.file)
}

/// Returns the nodes of the default scene, or of the first one, or all, in the order of the file.
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

/// Identifies a decoded mesh: its index, and that of its skin.
type Key = (usize, Option<usize>);

struct Builder<'a, 'b> {
    document: &'a Document<'b>,
    scene: &'a mut Scene,
    budget: &'a mut Budget,
    bones: Bones,
    /// Meshes that will be used again.
    meshes: HashMap<Key, Rc<Mesh>>,
    repaired: Repaired,
    skin: Skin,
    surface: Surface,
    welding: Welding,
}

impl Builder<'_, '_> {
    /// Adds the mesh of a node, at the node or at its instances.
    fn add_node(&mut self, node: usize, mesh_index: usize) -> Result<()> {
        let root = &self.document.root;
        let fault = |problem: String| malformed(self.document.file, format!("node {node}"), problem);
        let named = root.meshes.get(mesh_index);
        let named = named.ok_or_else(|| fault(format!("mesh {mesh_index} does not exist")))?;
        let mesh = self.mesh(node, mesh_index)?;
        self.surface.skipped += mesh.skipped;
        if mesh.positions.is_empty() {
            return Ok(());
        }
        let name = root.nodes[node].name.as_ref().or(named.name.as_ref()).filter(|name| !name.is_empty());
        let name = name.cloned().unwrap_or_else(|| format!("node {node}"));
        if root.nodes[node].instancing().is_none() {
            return self.add_instance(node, mesh_index, &mesh, IDENTITY, name);
        }
        let places = instances::places(self.document, node, self.budget)?;
        for (i, place) in places.into_iter().enumerate() {
            self.budget.charge(1, 64 + name.len(), || format!("the instances of node {node}"))?;
            self.add_instance(node, mesh_index, &mesh, place, format!("{name} {i}"))?;
        }
        Ok(())
    }

    /// Returns the mesh of a node, decoded if necessary.
    fn mesh(&mut self, node: usize, index: usize) -> Result<Rc<Mesh>> {
        let key = (index, self.document.root.nodes[node].skin);
        if let Some(mesh) = self.meshes.get(&key) {
            return Ok(mesh.clone());
        }
        let bones;
        let binding = match key.1 {
            Some(skin) => {
                bones = self.bones.of_skin(skin, self.document, self.scene, self.budget)?;
                Binding::Skin(&bones)
            }
            None => Binding::Rigid,
        };
        let n_targets = self.scene.n_morphs[node];
        let mesh = mesh::read(self.document, index, n_targets, &binding, &mut self.repaired, self.budget)?;
        let mesh = Rc::new(mesh);
        self.meshes.insert(key, mesh.clone());
        Ok(mesh)
    }

    /// Adds a copy of a mesh to the surface. Without a skin it follows its node, at `place`
    /// relative to it.
    fn add_instance(
        &mut self,
        node: usize,
        mesh_index: usize,
        mesh: &Mesh,
        place: Affine,
        name: String,
    ) -> Result<()> {
        let root = &self.document.root;
        let what = || format!("the instance of mesh {mesh_index} at node {node}");
        let (n, first) = (mesh.positions.len(), self.skin.rest.len());
        // Rest, object and source; growing vectors may be twice as large.
        self.budget.charge(n, 2 * (24 + 4 + 4 + size_of::<SourceVertex>()), what)?;
        self.budget.charge(mesh.n_influences(), 2 * size_of::<Influence>(), what)?;
        self.budget.charge(mesh.triangles.len(), 24, what)?;
        self.budget.charge(mesh.targets.len(), 64, what)?;
        self.budget.charge(mesh.targets.iter().map(Vec::len).sum(), 32, what)?;
        self.budget.charge(1, 64 + name.len(), what)?;
        if u32::try_from(first + n).is_err() {
            return Err(malformed(self.document.file, what(), "there are 2^32 vertices or more"));
        }
        let rigid = match root.nodes[node].skin {
            Some(_) => None,
            None => {
                let what = || format!("node {node}");
                Some(self.bones.of_node(node, place, &what(), self.document, self.budget, what)?)
            }
        };
        let object = self.surface.objects.len() as u32;
        self.surface.objects.push(name);
        for (vertex, (&position, &(primitive, of))) in mesh.positions.iter().zip(&mesh.source).enumerate() {
            match rigid {
                Some(bone) => self.skin.push(position, &[Influence { bone, weight: 1.0 }]),
                None => self.skin.push(position, mesh.influences(vertex)),
            }
            self.surface.vertex_object.push(object);
            let (node, mesh) = (node as u32, mesh_index as u32);
            self.welding.source.push(SourceVertex { node, mesh, primitive, vertex: of });
        }
        let shifted = |triangle: &[u32; 3]| triangle.map(|corner| first as u32 + corner);
        self.surface.faces.extend(mesh.triangles.iter().map(shifted));
        self.welding.welded += mesh.welded;
        self.welding.collapsed += mesh.collapsed;
        if !mesh.targets.is_empty() {
            let weights = [&root.nodes[node].weights, &root.meshes[mesh_index].weights];
            let weights = weights.into_iter().find(|weights| !weights.is_empty());
            let weight = |target: usize| weights.and_then(|w| w.get(target)).copied().unwrap_or(0.0);
            let shifted = |&(vertex, delta): &(u32, [f64; 3])| (first as u32 + vertex, delta);
            self.scene.morphs.push(Morph {
                node,
                weights: (0..mesh.targets.len()).map(weight).collect(),
                targets: mesh.targets.iter().map(|deltas| deltas.iter().map(shifted).collect()).collect(),
            });
        }
        Ok(())
    }
}
