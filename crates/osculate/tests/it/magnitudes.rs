//! Spatial hashing at all magnitudes of coordinates and separations, also where boxes are widened
//! beyond the range of f32.

use osculate::narrow::Settings;
use osculate::{BodyId, Contact, Mesh, Method, Model, Query, Results, World};
use std::sync::Arc;

const HERE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const ABOVE: [[f64; 3]; 3] = [[0.25, 0.25, 0.125], [1.25, 0.25, 0.125], [0.25, 1.25, 0.125]];
const BELOW: [[f64; 3]; 3] = [[0.25, 0.25, -0.75], [1.25, 0.25, -0.75], [0.25, 1.25, -0.75]];

/// A triangle, and one that falls through it, both scaled.
fn falling(scale: f64) -> (World, BodyId, [[f64; 3]; 3]) {
    let scaled = |pose: [[f64; 3]; 3]| pose.map(|p| p.map(|x| x * scale));
    let mesh = Mesh::new(vec![[0, 1, 2]], 3).unwrap();
    let model = Arc::new(Model::new(mesh, &scaled(HERE)).unwrap());
    let mut world = World::new();
    world.add(model.clone(), &scaled(HERE)).unwrap();
    let body = world.add(model, &scaled(ABOVE)).unwrap();
    (world, body, scaled(BELOW))
}

fn contacts(
    world: &mut World,
    body: BodyId,
    end: &[[f64; 3]; 3],
    method: Method,
    want: Results,
    min_separation: f64,
) -> Vec<Contact> {
    let narrow = Settings { min_separation, ..Settings::default() };
    world.contacts(&[(body, end)], &Query::all().method(method).narrow(narrow).results(want)).unwrap().found
}

#[test]
fn the_grid_is_bounded_at_every_magnitude() {
    let mut n_found = 0;
    for exponent in (-1070..=1020).step_by(38).chain([120, 126, 127, 128, 129]) {
        let scale = 2f64.powi(exponent);
        let (mut world, body, end) = falling(scale);
        for want in [Results::All, Results::Earliest, Results::Any] {
            let [expected, found] = [Method::Brute, Method::SpatialHash]
                .map(|method| contacts(&mut world, body, &end, method, want, 0.0));
            assert_eq!(found.len(), expected.len(), "2^{exponent}, {want:?}");
            // Which contact ends a search for any depends on the order of the pairs.
            assert!(want == Results::Any || found == expected, "2^{exponent}, {want:?}");
            n_found += found.len();
            // Near misses may be a hit for one method and not for another; contacts are hits for
            // both.
            for separation in [0.01, 1e39, 0.25 * scale, 1e300] {
                let near = contacts(&mut world, body, &end, Method::SpatialHash, want, separation);
                let is_near = |contact: &Contact| near.iter().any(|other| other.key == contact.key);
                assert!(
                    want != Results::All || expected.iter().all(is_near),
                    "2^{exponent}, separation {separation}"
                );
            }
        }
        world.set_pose(body, &end.map(|p| [p[0], p[1], 0.0])).unwrap();
        let [expected, found] = [Method::Brute, Method::SpatialHash]
            .map(|method| world.crossings(&Query::all().method(method)).unwrap().found);
        assert_eq!(found, expected, "2^{exponent}");
        assert_eq!(found.len(), 1, "2^{exponent}");
    }
    assert_ne!(n_found, 0);
}
