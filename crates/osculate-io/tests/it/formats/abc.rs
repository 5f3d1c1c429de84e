//! Alembic files, written here: an Ogawa container with transforms and polygon meshes.

use osculate_io::Options;

use super::support::{assert_near, bounded, check_error, clip, pose, refused};

/// A group of an Ogawa container to be written.
enum Node {
    Data(Vec<u8>),
    Group(Vec<Node>),
    /// One that is written already, by what refers to it.
    Written(u64),
}

use Node::{Data, Group, Written};

/// Appends a node and what is below it; returns how its parent refers to it.
fn write(node: &Node, out: &mut Vec<u8>) -> u64 {
    match node {
        Written(place) => *place,
        Data(bytes) if bytes.is_empty() => 1 << 63,
        Data(bytes) => {
            let at = out.len() as u64;
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
            at | 1 << 63
        }
        Group(children) if children.is_empty() => 0,
        Group(children) => {
            let places: Vec<u64> = children.iter().map(|child| write(child, out)).collect();
            let at = out.len() as u64;
            out.extend((places.len() as u64).to_le_bytes());
            out.extend(places.iter().flat_map(|place| place.to_le_bytes()));
            at
        }
    }
}

/// A property: its name, its header without the name, and its group.
struct Property(&'static str, Vec<u8>, Node);

const BYTE: u32 = 1;
const I8: u32 = 2;
const I32: u32 = 6;
const F32: u32 = 10;
const F64: u32 = 11;

/// Samples of a property, of which all differ; at time sampling 1. Arrays have dimensions, too.
fn samples(name: &'static str, pod: u32, extent: u32, is_array: bool, all: &[Vec<u8>]) -> Property {
    let with_digest = |bytes: &Vec<u8>| Data([&[7; 16][..], bytes].concat());
    let children = all.iter().flat_map(|bytes| {
        let dimensions = is_array.then(|| Data(Vec::new()));
        std::iter::once(with_digest(bytes)).chain(dimensions)
    });
    Property(name, header(pod, extent, is_array, all.len()), Group(children.collect()))
}

/// The header of a property with `n` samples, without its name.
fn header(pod: u32, extent: u32, is_array: bool, n: usize) -> Vec<u8> {
    let kind = if is_array { 2 } else { 1 };
    // Numbers of four bytes.
    let mut bits = kind | 2 << 2 | pod << 4 | 1 << 8 | extent << 12;
    if n == 1 {
        bits |= 0x800;
    }
    [bits, n as u32, 1].iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn compound(name: &'static str, properties: Vec<Property>) -> Property {
    Property(name, (2u32 << 2).to_le_bytes().to_vec(), properties_of(properties))
}

fn properties_of(properties: Vec<Property>) -> Node {
    let (mut headers, mut children) = (Vec::new(), Vec::new());
    for Property(name, header, node) in properties {
        headers.extend(header);
        headers.extend((name.len() as u32).to_le_bytes());
        headers.extend(name.as_bytes());
        children.push(node);
    }
    children.push(Data(headers));
    Group(children)
}

/// An object with a schema, its properties, and its children.
struct Object(&'static str, &'static str, Vec<Property>, Vec<Object>);

fn object(properties: Vec<Property>, below: Vec<Object>) -> Node {
    let mut headers = Vec::new();
    let mut children = vec![properties_of(properties)];
    for Object(name, schema, properties, below) in below {
        let metadata = format!("schema={schema};schemaBaseType=any");
        headers.extend((name.len() as u32).to_le_bytes());
        headers.extend(name.as_bytes());
        headers.push(255);
        headers.extend((metadata.len() as u32).to_le_bytes());
        headers.extend(metadata.as_bytes());
        children.push(object(properties, below));
    }
    headers.extend([0; 32]);
    children.push(Data(headers));
    Group(children)
}

/// The bytes of an archive whose time sampling 1 is 24 frames per second from 0.5 s on.
fn archive(top: Vec<Object>) -> Vec<u8> {
    archive_with(&[], |_| top, &Data(Vec::new()))
}

/// The same, with shared metadata, and where objects may refer to what is written first.
fn archive_with(first: &[Node], top: impl FnOnce(&[u64]) -> Vec<Object>, metadata: &Node) -> Vec<u8> {
    let mut bytes = b"Ogawa\xff\0\x01".to_vec();
    bytes.extend([0; 8]);
    let places: Vec<u64> = first.iter().map(|node| write(node, &mut bytes)).collect();
    let mut times = Vec::new();
    for (n, cycle, start) in [(1u32, 1.0f64, 0.0f64), (3, 1.0 / 24.0, 0.5)] {
        times.extend(n.to_le_bytes());
        times.extend(cycle.to_le_bytes());
        times.extend(1u32.to_le_bytes());
        times.extend(start.to_le_bytes());
    }
    let root = Group(vec![
        Data(0u32.to_le_bytes().to_vec()),
        Data(10_803u32.to_le_bytes().to_vec()),
        object(Vec::new(), top(&places)),
        Data(b"_ai_Application=tests".to_vec()),
        Data(times),
        Written(write(metadata, &mut bytes)),
    ]);
    let at = write(&root, &mut bytes);
    bytes[8..16].copy_from_slice(&at.to_le_bytes());
    bytes
}

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn f64s(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn i32s(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The points of a square whose last corner rises.
fn square(i: usize) -> Vec<u8> {
    f32s(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, i as f32])
}

fn mesh(name: &'static str, points: &[Vec<u8>]) -> Object {
    let geometry = vec![
        samples("P", F32, 3, true, points),
        samples(".faceIndices", I32, 1, true, &[i32s(&[3, 2, 1, 0])]),
        samples(".faceCounts", I32, 1, true, &[i32s(&[4])]),
    ];
    Object(name, "AbcGeom_PolyMesh_v1", vec![compound(".geom", geometry)], Vec::new())
}

fn xform(name: &'static str, operations: &[u8], values: &[Vec<f64>], below: Vec<Object>) -> Object {
    let values: Vec<Vec<u8>> = values.iter().map(|values| f64s(values)).collect();
    let n = values[0].len() / 8;
    let properties = vec![
        samples(".inherits", BYTE, 1, false, &[vec![1]]),
        samples(".ops", BYTE, operations.len() as u32, false, &[operations.to_vec()]),
        samples(".vals", F64, n as u32, false, &values),
    ];
    Object(name, "AbcGeom_Xform_v3", vec![compound(".xform", properties)], below)
}

/// A square under two transforms, one of which moves; and a still one without a transform.
pub(crate) fn squares() -> Vec<u8> {
    let points: Vec<Vec<u8>> = (0..3).map(square).collect();
    let moves: Vec<Vec<f64>> = (0..3).map(|i| vec![f64::from(i), 0.0, 0.0]).collect();
    let turned = vec![xform(
        "turned",
        &[0x20, 0x00],
        &[vec![0.0, 0.0, 2.0, 90.0, 2.0, 1.0, 1.0]],
        vec![mesh("turnedShape", &points)],
    )];
    archive(vec![xform("moved", &[0x10], &moves, turned), mesh("still", &points[..1])])
}

#[test]
fn transforms_points_and_names() {
    let clip = clip(&squares(), "a.abc");
    assert_eq!((clip.name.as_str(), clip.n_frames(), clip.fps), ("a", 3, 24.0));
    assert_eq!(clip.surface.objects, ["turned", "still"]);
    // The faces of Alembic are wound the other way round.
    assert_eq!(clip.surface.faces[..2], [[0, 1, 2], [0, 2, 3]]);
    assert_eq!((clip.time(0), clip.time(2)), (0.5, 0.5 + 2.0 / 24.0));
    let skin = clip.surface.skin.as_ref().unwrap();
    let names: Vec<&str> = skin.bones.iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["turned", "still"]);
    for i in 0..3 {
        let x = i as f64;
        // Twice as long in x, turned about z, then moved.
        let expected = [[x, 0.0, 0.0], [x, 2.0, 0.0], [x - 1.0, 2.0, 0.0], [x - 1.0, 0.0, x]];
        let found = pose(&clip, i);
        assert_near(&found[..4], &expected, 1e-15);
        assert_near(&found[4..], &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]], 0.0);
    }
    assert!(!clip.rest(&mut Vec::new()));
    assert!(clip.has_morphs());
}

#[test]
fn every_operation() {
    let matrix = [1.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 1.0, 0.0, 5.0, 6.0, 7.0, 1.0];
    let cases: [(u8, &[f64], [f64; 3]); 7] = [
        (0x00, &[2.0, 3.0, 4.0], [2.0, 3.0, 0.0]),
        (0x10, &[1.0, 2.0, 3.0], [2.0, 3.0, 3.0]),
        (0x20, &[0.0, 0.0, -1.0, 90.0], [1.0, -1.0, 0.0]),
        (0x30, &matrix, [6.0, 9.0, 7.0]),
        (0x40, &[90.0], [1.0, 0.0, 1.0]),
        (0x50, &[90.0], [0.0, 1.0, -1.0]),
        (0x60, &[90.0], [-1.0, 1.0, 0.0]),
    ];
    for (operation, values, expected) in cases {
        let top = xform("x", &[operation], &[values.to_vec()], vec![mesh("m", &[square(0)])]);
        let clip = clip(&archive(vec![top]), "a.abc");
        assert_near(&pose(&clip, 0)[2..3], &[expected], 1e-15);
    }
}

#[test]
fn times_between_samples() {
    // The points of one mesh are at other times than those of the other: frame 1 is between them.
    let points: Vec<Vec<u8>> = (0..3).map(square).collect();
    let slow = vec![square(0), square(8)];
    let mut bytes = archive(vec![mesh("fast", &points), mesh("slow", &slow)]);
    // A third time sampling is not needed: the second sample of `slow` is simply the last one.
    let clip = clip(&bytes, "a.abc");
    assert_eq!((pose(&clip, 1)[3][2], pose(&clip, 1)[7][2], pose(&clip, 2)[7][2]), (1.0, 8.0, 8.0));
    // Half as many frames per second for both: those at the ends of longer steps.
    let at = bytes.windows(8).rposition(|window| window == (1.0f64 / 24.0).to_le_bytes()).unwrap();
    bytes[at..at + 8].copy_from_slice(&(1.0f64 / 12.0).to_le_bytes());
    let clip = super::support::clip(&bytes, "a.abc");
    assert_eq!((clip.fps, clip.n_frames()), (12.0, 3));
}

/// What is invisible at all of its samples is left out; what is so at some of them is read.
#[test]
fn visibility_that_changes() {
    let with = |name: &'static str, values: &[u8]| {
        let Object(name, schema, mut properties, below) = mesh(name, &[square(0)]);
        let values: Vec<Vec<u8>> = values.iter().map(|&value| vec![value]).collect();
        properties.push(samples("visible", I8, 1, false, &values));
        Object(name, schema, properties, below)
    };
    let bytes = archive(vec![
        with("blinks", &[0, 1]),
        with("gone", &[0]),
        with("never", &[0, 0]),
        with("shown", &[255]),
    ]);
    let clip = clip(&bytes, "a.abc");
    assert_eq!(clip.surface.objects, ["blinks", "shown"]);
    let notes = clip.surface.notes.join("\n");
    assert!(notes.contains("2 meshes left out, as they are invisible"), "{notes}");
    assert!(notes.contains("1 mesh that is invisible at times"), "{notes}");
}

/// A mirror turns what is outside; so do the triangles.
#[test]
fn mirrored_meshes_are_turned() {
    let scaled = |scale: [f64; 3]| {
        let top = xform("x", &[0x00], &[scale.to_vec()], vec![mesh("m", &[square(0)])]);
        clip(&archive(vec![top]), "a.abc")
    };
    assert_eq!(scaled([1.0, -2.0, -1.0]).surface.faces, [[0, 1, 2], [0, 2, 3]]);
    let mirrored = scaled([1.0, -2.0, 1.0]);
    assert_eq!(mirrored.surface.faces, [[0, 2, 1], [0, 3, 2]]);
    assert_eq!(pose(&mirrored, 0)[2], [1.0, -2.0, 0.0]);
}

#[test]
fn what_is_wrong_is_named() {
    let good = squares();
    check_error(b"\x89HDF\r\n\x1a\n0000", "a.abc", "an Alembic file in an HDF5 container");
    check_error(b"Ogawa", "a.abc", "the file ends in its header");
    let mut open = good.clone();
    open[5] = 0;
    check_error(&open, "a.abc", "the file was not closed by the program that wrote it");
    let mut root = good.clone();
    root[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
    check_error(&root, "a.abc", "a group beyond the end of the file");
    check_error(&archive(Vec::new()), "a.abc", "there are no triangles");
    let faces = |counts: &[i32], corners: &[i32]| {
        let geometry = vec![
            samples("P", F32, 3, true, &[square(0)]),
            samples(".faceIndices", I32, 1, true, &[i32s(corners)]),
            samples(".faceCounts", I32, 1, true, &[i32s(counts)]),
        ];
        archive(vec![Object("m", "AbcGeom_PolyMesh_v1", vec![compound(".geom", geometry)], Vec::new())])
    };
    check_error(&faces(&[3], &[0, 1]), "a.abc", "mesh 'm': its faces need 3 corners, but there are 2");
    check_error(&faces(&[3], &[0, 1, 4]), "a.abc", "mesh 'm': corner 4, but there are 4 points");
    check_error(&faces(&[-3], &[0, 1, 4]), "a.abc", "mesh 'm': -3 as a number of corners or a corner");
    check_error(&faces(&[i32::MAX, 3], &[0, 1, 2]), "a.abc", "need 2147483650 corners, but there are 3");
    let changing = archive(vec![mesh("m", &[square(0), f32s(&[0.0; 9])])]);
    check_error(&changing, "a.abc", "mesh 'm' with triangles that change (4 points at sample 0 and 3 at 1)");
    let top = xform("x", &[0x10], &[vec![1.0]], vec![mesh("m", &[square(0)])]);
    check_error(
        &archive(vec![top]),
        "a.abc",
        "transform 'x': its operations need 3 numbers, but sample 0 has 1",
    );
    let top = xform("x", &[0x90], &[vec![1.0]], vec![mesh("m", &[square(0)])]);
    check_error(&archive(vec![top]), "a.abc", "transform 'x': operation 9 is not known");
}

/// Groups that contain themselves, and a few that stand for very many.
#[test]
fn cycles_and_multiplied_objects_are_refused() {
    let chain = |n: usize| {
        let mut top = mesh("m", &[square(0)]);
        for _ in 0..n {
            top = xform("x", &[0x10], &[vec![0.0; 3]], vec![top]);
        }
        archive(vec![top])
    };
    assert_eq!(clip(&chain(300), "a.abc").surface.n_vertices, 4);
    check_error(&chain(600), "a.abc", "object 'x': it is below 500 others");

    // An object whose two children are itself: the group of the innermost one gets the places of
    // its own group twice.
    let header = |name: &str| {
        let mut header = (name.len() as u32).to_le_bytes().to_vec();
        header.extend(name.as_bytes());
        header.push(0);
        header
    };
    let mut headers = [header("a"), header("b")].concat();
    headers.extend([0; 32]);
    let mut bytes = archive(Vec::new());
    let headers_at = write(&Data(headers), &mut bytes);
    let own = bytes.len() as u64;
    bytes.extend([4, 0, own, own, headers_at].iter().flat_map(|number: &u64| number.to_le_bytes()));
    let top = u64::from_le_bytes(bytes[8..16].try_into().unwrap()) as usize;
    bytes[top + 24..top + 32].copy_from_slice(&own.to_le_bytes());
    let start = std::time::Instant::now();
    let options = Options { memory: Some(100 << 20), ..Options::default() };
    let message = osculate_io::read_bytes(&bytes, "a.abc", &options).unwrap_err().to_string();
    assert!(message.contains("--memory") || message.contains("below 500 others"), "{message}");
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}

/// Objects that refer to the same large group or data: what each of them takes is counted.
#[test]
fn shared_operations_samples_and_metadata_are_refused() {
    // 100 objects of four million operations each, which have no values, and so no effect.
    let operations = Data(vec![0; 4 << 20]);
    let users = |places: &[u64]| {
        let ops = || Property(".ops", header(BYTE, 1, false, 1), Group(vec![Written(places[0])]));
        let user = |_| Object("x", "AbcGeom_Xform_v3", vec![compound(".xform", vec![ops()])], Vec::new());
        (0..100).map(user).chain([mesh("m", &[square(0)])]).collect()
    };
    let bytes = archive_with(&[operations], users, &Data(Vec::new()));
    let message = refused(&bytes, "a.abc", "shared operations");
    assert!(message.contains("transform 'x': 4194288 operations, but 255 are allowed"), "{message}");

    // Faces with 50,000 samples, all of them empty.
    let empty = Group((0..100_000).map(|_| Data(Vec::new())).collect());
    let users = |places: &[u64]| {
        let user = |_| {
            let geometry = vec![
                samples("P", F32, 3, true, &[square(0)]),
                Property(".faceIndices", header(I32, 1, true, 50_000), Written(places[0])),
                Property(".faceCounts", header(I32, 1, true, 50_000), Written(places[0])),
            ];
            Object("m", "AbcGeom_PolyMesh_v1", vec![compound(".geom", geometry)], Vec::new())
        };
        (0..20_000).map(user).collect()
    };
    refused(&archive_with(&[empty], users, &Data(Vec::new())), "a.abc", "shared samples");

    // More metadata than there are numbers for is not looked at.
    let many = archive_with(&[], |_| vec![mesh("m", &[square(0)])], &Data(vec![0; 160 << 20]));
    assert_eq!(bounded("metadata", || clip(&many, "a.abc")).surface.n_vertices, 4);
}
