//! A body under construction: bones, and the cones around them, which blend into one skin.

use crate::field::{Cone, Field};
use crate::remesh::{Meshing, mesh};
use crate::rig::{Pose, Rig};
use crate::scene::{Affine, Motion, Scene, Skin};
use crate::skin::bind;
use crate::vector::{Vector, normalize};

/// Frames per second of all scenes.
pub(crate) const FPS: f64 = 30.0;

/// Bones and the flesh around them.
pub(crate) struct Body {
    pub(crate) rig: Rig,
    pub(crate) field: Field,
    /// Added flesh blends with existing flesh that is nearer than this.
    pub(crate) blend: f64,
}

impl Body {
    /// An empty body.
    pub(crate) fn new(blend: f64) -> Body {
        Body { rig: Rig::default(), field: Field::default(), blend }
    }

    /// Adds flesh through points with radii; each piece belongs to the bone given with its second
    /// end.
    pub(crate) fn flesh(&mut self, start: (Vector, f64), rest: &[(Vector, f64, usize)]) {
        self.flat_flesh(None, start, rest);
    }

    /// The same, flattened in the direction of `flat`.
    pub(crate) fn flat_flesh(
        &mut self,
        flat: Option<(Vector, f64)>,
        start: (Vector, f64),
        rest: &[(Vector, f64, usize)],
    ) {
        let flat = flat.map(|(axis, part)| (normalize(axis), part));
        let mut last = start;
        let cones = rest.iter().map(|&(point, radius, bone)| {
            let cone = Cone { ends: [last.0, point], radii: [last.1, radius], flat, bone };
            last = (point, radius);
            cone
        });
        let cones: Vec<Cone> = cones.collect();
        self.field.add(cones, self.blend);
    }

    /// Adds a ball that belongs to a bone.
    pub(crate) fn ball(&mut self, center: Vector, radius: f64, bone: usize) {
        self.flesh((center, radius), &[(center, radius, bone)]);
    }

    /// The scene of this body: meshed, bound to its bones over `width` radii, and animated through
    /// poses.
    pub(crate) fn scene(
        self,
        name: &str,
        about: &str,
        how: &Meshing,
        width: f64,
        poses: impl Iterator<Item = Pose>,
    ) -> Scene {
        let (faces, rest) = mesh(&self.field, how);
        let maps = poses.map(|pose| self.rig.maps(&pose)).collect();
        let skin = bind(self.rig.bones, &self.field, &faces, &rest, width);
        skinned(name, about, (faces, rest), skin, maps)
    }
}

/// A scene of one object with a skin.
pub(crate) fn skinned(
    name: &str,
    about: &str,
    surface: (Vec<[u32; 3]>, Vec<Vector>),
    skin: Skin,
    maps: Vec<Vec<Affine>>,
) -> Scene {
    Scene { skin: Some(skin), ..moved(name, about, surface, Motion::Bones(maps)) }
}

/// A scene of one object without a skin.
pub(crate) fn moved(
    name: &str,
    about: &str,
    (faces, rest): (Vec<[u32; 3]>, Vec<Vector>),
    motion: Motion,
) -> Scene {
    Scene {
        name: name.to_owned(),
        about: about.to_owned(),
        vertex_object: vec![0; rest.len()],
        objects: vec![name.to_owned()],
        static_objects: Vec::new(),
        faces,
        rest,
        skin: None,
        fps: FPS,
        motion,
    }
}
