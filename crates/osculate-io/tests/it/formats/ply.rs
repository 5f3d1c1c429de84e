//! PLY: encodings, types, polygons, and broken files.

use super::support::{check_error, clip, pose};

const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [0.0, 1.0, 0.5]];

/// A square with an extra property, an extra list and two extra elements, one of them without
/// properties.
pub(crate) fn binary(is_big_endian: bool) -> Vec<u8> {
    let order = if is_big_endian { "big" } else { "little" };
    let mut bytes = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\ncomment made by hand\r\nelement marker 1\r\nproperty short s\r\n\
         element void 4000000000\r\nelement vertex 4\r\nproperty uchar red\r\nproperty double x\r\n\
         property float y\r\nproperty list ushort char tags\r\nproperty float32 z\r\nelement face 2\r\n\
         property int flags\r\nproperty list uint8 ushort vertex_indices\r\nproperty list int float uv\r\nend_header\r\n"
    )
    .into_bytes();
    let mut put = |value: &[u8]| {
        let mut value = value.to_vec();
        if is_big_endian {
            value.reverse();
        }
        bytes.extend(value);
    };
    put(&(-5i16).to_le_bytes());
    for [x, y, z] in SQUARE {
        put(&[9]);
        put(&x.to_le_bytes());
        put(&(y as f32).to_le_bytes());
        put(&2u16.to_le_bytes());
        put(&[1]);
        put(&[2]);
        put(&(z as f32).to_le_bytes());
    }
    for corners in [&[0u16, 1, 2, 3][..], &[1, 2]] {
        put(&77i32.to_le_bytes());
        put(&[corners.len() as u8]);
        corners.iter().for_each(|corner| put(&corner.to_le_bytes()));
        put(&1i32.to_le_bytes());
        put(&0.25f32.to_le_bytes());
    }
    bytes
}

pub(crate) const TEXT: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 .5\n1 0 5e-1\n1 1 0.5\n0 1 0.5\n4 0 1 2 3\n";

#[test]
fn text_and_both_byte_orders_agree() {
    for bytes in [TEXT.as_bytes().to_vec(), binary(false), binary(true)] {
        let clip = clip(&bytes, "folder/square.ply");
        assert_eq!((clip.name.as_str(), clip.n_frames(), clip.fps), ("square", 1, 30.0));
        assert_eq!(clip.surface.faces, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(clip.surface.objects, ["square"]);
        assert_eq!(clip.surface.vertex_object, [0; 4]);
        assert_eq!(pose(&clip, 0), SQUARE);
        assert!(clip.surface.skin.is_none() && clip.bone_matrices(0).unwrap().is_none());
    }
    assert_eq!(clip(&binary(true), "a.ply").surface.skipped, 1);
}

#[test]
fn values_that_are_no_indices_are_refused() {
    check_error(TEXT.replace("4 0 1 2 3", "4 0 1 2 4").as_bytes(), "a.ply", "row 0 of element 'face'");
    check_error(TEXT.replace("4 0 1 2 3", "4 0 1 2 -1").as_bytes(), "a.ply", "vertex -1");
    check_error(TEXT.replace("4 0 1 2 3", "4 0 1 2 1.5").as_bytes(), "a.ply", "'1.5'");
    check_error(TEXT.replace("4 0 1 2 3", "9999999 0 1").as_bytes(), "a.ply", "a list of 9999999 values");
    check_error(TEXT.replace("1 0 5e-1", "1 0 x").as_bytes(), "a.ply", "row 1 of element 'vertex'");
}

#[test]
fn headers_that_lie_are_refused() {
    let many = TEXT.replace("vertex 4", "vertex 4000000000");
    check_error(many.as_bytes(), "a.ply", "4000000000 rows do not fit");
    check_error(TEXT.replace("vertex 4", "vertex 99999999999").as_bytes(), "a.ply", "line 3");
    check_error(TEXT.replace("end_header", "end").as_bytes(), "a.ply", "unknown line 'end'");
    check_error(TEXT.replace("float x", "quad x").as_bytes(), "a.ply", "unknown type 'quad'");
    check_error(TEXT.replace("ascii", "morse").as_bytes(), "a.ply", "unknown format");
    check_error(TEXT.replace("float z", "float w").as_bytes(), "a.ply", "no scalar property 'z'");
    check_error(TEXT.replace("vertex_index", "corners").as_bytes(), "a.ply", "no list property");
    check_error(b"solid", "a.ply", "line 1");
    let endless = ["ply\n".to_owned(), "comment x\n".repeat(200_000)].concat();
    check_error(endless.as_bytes(), "a.ply", "has no end");
    check_error(&binary(false)[..binary(false).len() - 1], "a.ply", "the file ends here");
    let points = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n";
    check_error(points.as_bytes(), "a.ply", "there are no triangles");
}
