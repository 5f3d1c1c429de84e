//! NPZ: types, orders, packing, skins, and broken files.

use super::support::{check_error, clip, npy, npy_f32, npy_i32, npy_texts, npz, pose};

const POINTS: [f32; 18] =
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0, 1.0, 0.0, 5.0, 0.0, 1.0, 5.25];

fn frames() -> (&'static str, Vec<u8>) {
    ("frames", npy_f32("(2, 3, 3)", &POINTS))
}

fn faces() -> (&'static str, Vec<u8>) {
    ("faces", npy_i32("(1, 3)", &[0, 1, 2]))
}

#[test]
fn frames_in_every_type_and_order() {
    let little: Vec<u8> = POINTS.iter().flat_map(|v| f64::from(*v).to_le_bytes()).collect();
    let big: Vec<u8> = POINTS.iter().flat_map(|v| v.to_be_bytes()).collect();
    // The first index is the fastest: frame, then vertex, then axis.
    let mut fortran = Vec::new();
    for axis in 0..3 {
        for vertex in 0..3 {
            for frame in 0..2 {
                fortran.extend(POINTS[frame * 9 + vertex * 3 + axis].to_le_bytes());
            }
        }
    }
    let arrays = [
        npy_f32("(2, 3, 3)", &POINTS),
        npy("<f8", "(2, 3, 3)", false, &little),
        npy(">f4", "(2, 3, 3)", false, &big),
        npy("<f4", "(2, 3, 3)", true, &fortran),
    ];
    let triangles = [
        npy("|i1", "(1, 3)", false, &[2, 1, 0]),
        npy("|u1", "(1, 3)", true, &[2, 1, 0]),
        npy("<u2", "(1, 3)", false, &[2, 0, 1, 0, 0, 0]),
        npy(">i2", "(1, 3)", false, &[0, 2, 0, 1, 0, 0]),
        npy(">u4", "(1, 3)", false, &[0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0]),
        npy("<i8", "(1, 3)", false, &[2i64, 1, 0].map(i64::to_le_bytes).concat()),
        npy(">u8", "(1, 3)", false, &[2u64, 1, 0].map(u64::to_be_bytes).concat()),
    ];
    for array in &arrays {
        for triangles in &triangles {
            for deflate in [false, true] {
                let bytes = npz(&[("faces", triangles.clone()), ("frames", array.clone())], deflate);
                let clip = clip(&bytes, "a.npz");
                assert_eq!((clip.n_frames(), clip.fps), (2, 30.0));
                assert_eq!(clip.surface.faces, [[2, 1, 0]]);
                for frame in 0..2 {
                    let expected: Vec<f64> =
                        POINTS[9 * frame..9 * frame + 9].iter().map(|v| f64::from(*v)).collect();
                    assert_eq!(pose(&clip, frame).concat(), expected);
                }
            }
        }
    }
}

#[test]
fn objects_and_rate() {
    let objects = ("vertex_object", npy("|u1", "(3,)", false, &[1, 1, 1]));
    let clip = clip(&npz(&[frames(), faces(), objects, ("fps", npy_f32("()", &[60.0]))], true), "a.npz");
    assert_eq!((clip.fps, clip.time(1)), (60.0, 1.0 / 60.0));
    assert_eq!(clip.surface.objects, ["object 0", "object 1"]);
    assert_eq!(clip.surface.vertex_object, [1; 3]);
    let apart = ("vertex_object", npy("|u1", "(3,)", false, &[0, 1, 1]));
    check_error(
        &npz(&[frames(), faces(), apart], true),
        "a.npz",
        "triangle 0: its corners belong to the objects 0 and 1",
    );
    let far = ("vertex_object", npy_i32("(3,)", &[0, 0, i32::MAX]));
    check_error(&npz(&[frames(), faces(), far], true), "a.npz", "vertex 2 is in object 2147483647");
    check_error(&npz(&[frames(), faces(), ("fps", npy_f32("()", &[0.0]))], true), "a.npz", "array 'fps'");
}

/// A skin of three vertices, five influences each, and two bones; the second moves in frame 1.
pub(crate) fn skin() -> Vec<(&'static str, Vec<u8>)> {
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let moved = [0.0, -2.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0];
    vec![
        ("rest_vertices", npy_f32("(3, 3)", &POINTS[..9])),
        faces(),
        (
            "joints",
            npy(
                "<i2",
                "(3, 5)",
                false,
                &[[0i16, 1, 0, 0, 0], [1, -7, 0, 0, 0], [0, 0, 0, 0, 1]]
                    .concat()
                    .iter()
                    .flat_map(|j| j.to_le_bytes())
                    .collect::<Vec<_>>(),
            ),
        ),
        (
            "weights",
            npy_f32(
                "(3, 5)",
                &[0.25, 0.75, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.25, 0.125, 0.125, 0.25],
            ),
        ),
        ("bone_matrices", npy_f32("(2, 2, 3, 4)", &[identity, identity, identity, moved].concat())),
        ("bone_names", npy_texts(&["hip", "Fußß"], 6)),
        ("bone_parents", npy_i32("(2,)", &[-1, 0])),
        ("bone_heads", npy_f32("(2, 3)", &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0])),
    ]
}

#[test]
fn a_skin_blends_its_bones() {
    let mut members = skin();
    members.push(("bone_tails", npy_f32("(2, 3)", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])));
    let clip = clip(&npz(&members, true), "a.npz");
    assert_eq!(pose(&clip, 0).concat(), POINTS[..9].iter().map(|v| f64::from(*v)).collect::<Vec<_>>());
    assert_eq!(pose(&clip, 1), [[0.75, 0.0, 2.25], [1.0, 1.0, 3.0], [-0.25, 0.75, 0.75]]);
    let skin = clip.surface.skin.as_ref().unwrap();
    assert_eq!((0..4).map(|v| skin.dominant_bone(v)).collect::<Vec<_>>(), [Some(1), Some(1), Some(0), None]);
    assert_eq!(skin.influences(1).len(), 1);
    assert_eq!(skin.bones[1].name, "Fußß");
    assert_eq!((skin.bones[0].parent, skin.bones[1].parent), (None, Some(0)));
    assert_eq!((skin.bones[1].head, skin.bones[1].tail), ([1.0, 2.0, 3.0], Some([4.0, 5.0, 6.0])));
    assert_eq!(clip.bone_matrices(1).unwrap().unwrap()[1][0], [0.0, -2.0, 0.0, 1.0]);
}

#[test]
fn weights_are_divided_by_their_sum() {
    let read = |weights: &[f32; 15]| {
        let mut members = skin();
        let index = members.iter().position(|(name, _)| *name == "weights").unwrap();
        members[index].1 = npy_f32("(3, 5)", weights);
        clip(&npz(&members, true), "a.npz")
    };
    let mut weights = [0.0; 15];
    // Twice the sum of 1; a NaN; nothing.
    (weights[0], weights[1], weights[5]) = (1.5, 0.5, f32::NAN);
    let clip = read(&weights);
    let skin = clip.surface.skin.as_ref().unwrap();
    let root = skin.bones.iter().position(|bone| bone.parent.is_none()).unwrap() as u32;
    assert!((skin.influences(0).iter().map(|i| i.weight).sum::<f64>() - 1.0).abs() < 1e-15);
    for vertex in 1..3 {
        assert_eq!(skin.influences(vertex), [osculate_io::Influence { bone: root, weight: 1.0 }]);
    }
    let notes = [
        "2 vertices with weights that are no numbers, or none above 0 (1, 2); bound to the root of the skin",
        "1 vertex with weights whose sum is not 1 (0); divided by their sum",
    ];
    assert_eq!(clip.surface.notes, notes);
}

#[test]
fn faults_of_a_skin_are_named() {
    let check = |name: &str, array: Vec<u8>, part: &str| {
        let mut members = skin();
        members.iter_mut().find(|member| member.0 == name).unwrap().1 = array;
        check_error(&npz(&members, true), "a.npz", part);
    };
    check("bone_parents", npy_i32("(2,)", &[1, 0]), "its own ancestor");
    check("bone_parents", npy_i32("(2,)", &[-1, 2]), "bone 1 has the parent 2");
    check("bone_names", npy_i32("(2,)", &[1, 0]), "array 'bone_names': it holds no texts");
    check("joints", npy("|i1", "(3, 5)", false, &[2; 15]), "vertex 0 follows bone 2, but there are 2 bones");
    check("joints", npy_f32("(3, 5)", &[0.0; 15]), "its values are not integers");
    check("weights", npy_f32("(3, 4)", &[0.0; 12]), "its shape is [3, 4], but must be [3, 5]");
    check("bone_heads", npy_f32("(1, 3)", &[0.0; 3]), "array 'bone_heads'");
    let mut members = skin();
    members.remove(5);
    check_error(&npz(&members, false), "a.npz", "the array 'bone_names' is missing");
}

#[test]
fn faults_of_arrays_are_named() {
    let check =
        |array: Vec<u8>, part: &str| check_error(&npz(&[("frames", array), faces()], true), "a.npz", part);
    check(npy_f32("(2, 3, 4)", &[0.0; 24]), "its shape is [2, 3, 4], but must be [any, any, 3]");
    check(npy_f32("(2, 3, 3)", &[0.0; 17]), "does not fit");
    check(npy_f32("(18446744073709551615, 3, 3)", &[0.0; 9]), "does not fit");
    check(npy_f32("(0, 3, 3)", &[]), "there are no frames");
    check(npy("<c8", "(1, 1, 3)", false, &[0; 24]), "type \"<c8\"");
    check(npy("[('x', '<f4')]", "(1, 1, 3)", false, &[0; 12]), "type");
    check(b"\x93NUMPY".to_vec(), "header is damaged");
    check(npy("<U1", "(1, 1, 3)", false, &[0; 12]), "it holds no numbers");
    let corner = ("faces", npy_i32("(1, 3)", &[0, 1, 3]));
    check_error(&npz(&[frames(), corner], true), "a.npz", "triangle 0: vertex 3, but there are 3 vertices");
    let corner = ("faces", npy_i32("(1, 3)", &[0, 1, -1]));
    check_error(&npz(&[frames(), corner], true), "a.npz", "triangle 0 names vertex -1");
    check_error(&npz(&[frames()], true), "a.npz", "the array 'faces' is missing");
    check_error(&npz(&[], true), "a.npz", "'amplitudes' or 'rest_vertices'");
    check_error(b"hello", "a.npz", "no directory");
}

#[test]
fn archives_that_lie_are_refused() {
    // A member that claims to be larger than it is.
    let mut archive = npz(&[frames(), faces()], true);
    let at = archive.windows(4).position(|w| w == b"PK\x01\x02").unwrap() + 24;
    archive[at + 2] = 1;
    check_error(&archive, "a.npz", "member 'frames.npy': it cannot be inflated");
    // A flipped bit in a stored member.
    let mut archive = npz(&[frames(), faces()], false);
    archive[150] ^= 1;
    check_error(&archive, "a.npz", "checksum");
    let mut archive = npz(&[frames(), faces()], false);
    let at = archive.windows(4).position(|w| w == b"PK\x01\x02").unwrap() + 10;
    archive[at] = 12;
    check_error(&archive, "a.npz", "compression method 12");
}
