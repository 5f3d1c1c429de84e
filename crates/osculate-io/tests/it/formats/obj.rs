//! OBJ: corners, objects, and broken files.

use super::support::{check_error, clip, pose};

pub(crate) const TEXT: &str = "# two squares\nmtllib a.mtl\no left\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n\
    f 1/1/1 2/1/1 3/1/1 4/1/1\no right\nv 9 9 9\nv 2 0 0\nv 3 0 0\nv 3 1 \\\n 0.5\r\ng part\nf -3//1 -2//1 -1\n\nl 1 2\nf 6 7\n";

#[test]
fn corners_count_from_either_end() {
    let clip = clip(TEXT.as_bytes(), "a.obj");
    assert_eq!(clip.surface.faces, [[0, 1, 2], [0, 2, 3], [5, 6, 7]]);
    assert_eq!(clip.surface.objects, ["left", "right"]);
    // Vertex 4 belongs to no face.
    assert_eq!(clip.surface.vertex_object, [0, 0, 0, 0, 0, 1, 1, 1]);
    assert_eq!(clip.surface.skipped, 1);
    assert_eq!(pose(&clip, 0)[4..], [[9.0; 3], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 1.0, 0.5]]);
}

#[test]
fn groups_are_objects_where_no_object_is_named() {
    let clip =
        clip(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 5 1 0\nv 5 0 1\nf 1 2 3\ng tail\nf 4 5 6\n", "a.obj");
    assert_eq!(clip.surface.objects, ["object 0", "tail"]);
    assert_eq!(clip.surface.vertex_object, [0, 0, 0, 1, 1, 1]);
}

#[test]
fn objects_that_share_a_vertex_are_one() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 0\nv 3 3 3\nv 4 4 5\no a\nf 1 2 3\no b\nf 5 6 7\no c\nf 2 3 4\no d\n";
    let clip = clip(text, "a.obj");
    assert_eq!(clip.surface.objects, ["a", "b"]);
    assert_eq!(clip.surface.vertex_object, [0, 0, 0, 0, 1, 1, 1]);
}

#[test]
fn broken_lines_are_named() {
    check_error(b"v 0 0 0\nv 1 0\n", "a.obj", "line 2: a vertex needs three coordinates");
    check_error(b"v 0 0 0\nv 1 0 x\n", "a.obj", "line 2: 'x' is no number");
    check_error(b"v 0 0 0\nf 1 1 0\n", "a.obj", "line 2: '0' is no corner");
    check_error(b"v 0 0 0\nf 1 1 -2\n", "a.obj", "line 2: '-2' is no corner");
    check_error(b"v 0 0 0\nf 1 1 2\n# end\n", "a.obj", "line 2: vertex 2, but there are 1 vertices");
    check_error(b"v 0 0 0\n", "a.obj", "there are no triangles");
    check_error(b"\nf 1 2 3", "a.obj", "line 2: vertex 3, but there are 0 vertices");
    check_error(b"f 4294967296 1 1", "a.obj", "line 1: vertex 4294967296, but there are 0 vertices");
    check_error(b"f 4294967297 1 1", "a.obj", "line 1: '4294967297' is no corner");
}

#[test]
fn polygons_that_name_a_vertex_twice_lose_a_triangle() {
    let clip = clip(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 2 3\nf 1 1 2\nf 3 2 1\n", "a.obj");
    assert_eq!(clip.surface.faces, [[0, 1, 2], [2, 1, 0]]);
    assert_eq!(clip.surface.skipped, 2);
    let note = "2 triangles or polygons left out, with fewer than three different corners";
    assert_eq!(clip.surface.notes, [note]);
}

#[test]
fn bytes_of_a_file_do_not_reach_the_terminal() {
    let message = super::support::error("v 0 0 \u{1b}[2J\u{202e}\n".as_bytes(), "a\u{7}.obj").to_string();
    assert_eq!(message, "a\\u{7}.obj: line 1: '\\u{1b}[2J\\u{202e}' is no number");
    let message = super::support::error(b"ply\n\x1b]0;title\x07\n", "a.ply").to_string();
    assert!(message.contains("unknown line '\\u{1b}]0;title\\u{7}'"), "{message}");
}
