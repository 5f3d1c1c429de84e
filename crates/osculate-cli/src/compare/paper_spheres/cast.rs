//! The bodies of a scenario and their poses in each frame.

use std::f64::consts::PI;
use std::sync::Arc;

use anyhow::Result;
use osculate::{Affine, BodyId, BodySettings, Model, World};
use osculate_scenes::{Placement, Scene};

use crate::compare::paper::spread;

/// For each body, its bone matrices.
pub(super) type Poses = Vec<Vec<Affine>>;

/// Bodies that share a model, and how they move.
pub(super) struct Cast {
    pub(super) model: Arc<Model>,
    /// For each measured frame, its poses and those of the next frame.
    pub(super) frames: Vec<[Poses; 2]>,
}

impl Cast {
    /// Two men who walk toward each other, and brush as they pass.
    pub(super) fn two_men(man: &Scene, most: usize) -> Result<Cast> {
        let places = [place(0.0, -1.5, 0.0, 0.03, 0), place(0.55, 1.5, PI, -0.03, 10)];
        Cast::new(man, &places, &spread(96, most))
    }

    /// Two creatures that walk through each other.
    pub(super) fn two_creatures(creature: &Scene, most: usize) -> Result<Cast> {
        let places = [place(0.0, -1.6, 0.0, 0.05, 0), place(0.0, 1.6, PI, -0.05, 0)];
        Cast::new(creature, &places, &spread(64, most))
    }

    /// Two dwarves in one pose, face to face at a distance.
    pub(super) fn two_dwarves(dwarf: &Scene, distance: f64) -> Result<Cast> {
        let places = [place(0.0, 0.0, 0.0, 0.0, 0), place(0.3, distance, PI, 0.0, 0)];
        Cast::new(dwarf, &places, &[40])
    }

    /// Fifty creatures in an ever denser crowd.
    pub(super) fn crowd(creature: &Scene, most: usize) -> Result<Cast> {
        let places = osculate_scenes::crowd(creature, 50, 1);
        Cast::new(creature, &places, &spread(192, most))
    }

    fn new(scene: &Scene, places: &[Placement], frames: &[usize]) -> Result<Cast> {
        let poses = |frame: usize| places.iter().map(|place| place.bones(scene, frame)).collect();
        let frames = frames.iter().map(|&frame| [poses(frame), poses(frame + 1)]).collect();
        Ok(Cast { model: Arc::new(scene.model()?), frames })
    }

    pub(super) fn n_bodies(&self) -> usize {
        self.frames[0][0].len()
    }

    /// Returns a world of the bodies at their first poses, without self-collision.
    pub(super) fn world(&self) -> Result<(World, Vec<BodyId>)> {
        let mut world = World::new();
        let settings = BodySettings::default().self_contact(false);
        let add = |bones: &Vec<Affine>| world.add_with(self.model.clone(), bones, settings);
        let bodies = self.frames[0][0].iter().map(add).collect::<Result<_, _>>()?;
        Ok((world, bodies))
    }
}

/// The bone matrices of a scene in a frame, relative to rest; empty if bones do not move it.
pub(super) fn bones(scene: &Scene, frame: usize) -> Vec<Affine> {
    place(0.0, 0.0, 0.0, 0.0, 0).bones(scene, frame)
}

fn place(x: f64, z: f64, heading: f64, pace: f64, phase: usize) -> Placement {
    Placement { position: [x, 0.0, z], heading, velocity: [0.0, 0.0, pace], phase }
}
