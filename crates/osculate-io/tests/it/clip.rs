//! Clips of poses in memory.

use osculate_io::{Bone, Clip, Influence, Skin, Surface};

const REST: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

fn surface(skin: Option<Skin>) -> Surface {
    Surface {
        faces: vec![[0, 1, 2]],
        n_vertices: 3,
        objects: vec!["triangle".to_owned()],
        static_objects: Vec::new(),
        vertex_object: vec![0; 3],
        skin,
        welding: None,
        skipped: 0,
        notes: Vec::new(),
    }
}

fn skin() -> Skin {
    let bone = Bone { name: "root".to_owned(), parent: None, head: [0.0; 3], tail: None };
    let vertices = REST.map(|p| (p, vec![Influence { bone: 0, weight: 1.0 }]));
    Skin::from_vertices("test", vec![bone], vertices).unwrap()
}

#[test]
fn bones_of_poses_name_parts_and_move_nothing() {
    let moved = REST.map(|[x, y, z]| [x + 2.0, y, z]).to_vec();
    let frames = vec![REST.to_vec(), moved.clone()];
    let rest = Some(moved.clone());
    let clip = Clip::from_poses_and_rest("two", 24.0, surface(Some(skin())), frames, rest).unwrap();
    let mut pose = Vec::new();
    clip.pose(1, &mut pose).unwrap();
    assert_eq!((clip.n_frames(), &pose), (2, &moved));
    assert!(clip.rest(&mut pose) && pose == moved);
    assert!(!clip.follows_bones() && clip.bone_matrices(1).unwrap().is_none());
    let identity = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let by_bones = Clip::from_matrices("two", 24.0, surface(Some(skin())), vec![vec![identity]]).unwrap();
    assert!(by_bones.follows_bones());
    let without = Clip::from_poses("one", 24.0, surface(None), vec![REST.to_vec()]).unwrap();
    assert!(!without.rest(&mut pose) && !without.follows_bones());
}

#[test]
fn a_rest_pose_has_the_vertices_of_the_surface() {
    let frames = vec![REST.to_vec()];
    let error = Clip::from_poses_and_rest("one", 24.0, surface(None), frames, Some(REST[..2].to_vec()));
    assert_eq!(error.unwrap_err().to_string(), "one: rest: 2 vertices, but the surface has 3");
}
