//! What is read of a scene in one layer: skins, shapes, points, transforms and visibility.

use super::super::support::{assert_near, check_error, clip, pose};
use super::{STRIP, binary, package, scene, triangle};

#[test]
fn joints_shapes_points_and_units() {
    let binary_strip = binary(STRIP);
    let packed = package(&[("strip.usdc", &binary_strip)]);
    let files: [(&str, &[u8]); 4] = [
        ("a.usda", STRIP.as_bytes()),
        ("a.usdc", &binary_strip),
        ("a.usd", &binary_strip),
        ("a.usdz", &packed),
    ];
    for (name, bytes) in files {
        let clip = clip(bytes, name);
        assert_eq!((clip.name.as_str(), clip.fps, clip.n_frames()), ("a", 24.0, 25));
        assert_eq!(clip.surface.objects, ["Strip", "Flag"]);
        let faces = [[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4], [6, 7, 8]];
        assert_eq!(clip.surface.faces, faces);
        let skin = clip.surface.skin.as_ref().unwrap();
        let bones: Vec<(&str, Option<u32>, f64)> =
            skin.bones.iter().map(|bone| (bone.name.as_str(), bone.parent, bone.head[2])).collect();
        assert_eq!(bones, [("Lower", None, 0.0), ("Upper", Some(0), 50.0), ("Flag", None, 0.0)]);
        assert_eq!(skin.dominant_bone(5), Some(1));
        assert!(clip.has_morphs() && clip.surface.notes.is_empty(), "{:?}", clip.surface.notes);

        let strip = [0.0, 0.5, 1.0].into_iter().flat_map(|y| [[-0.1, y, 0.0], [0.1, y, 0.0]]);
        let mut still: Vec<[f64; 3]> = strip.collect();
        // Z up became Y up, so what turned about z turned about y.
        still.extend([[0.0, 0.0, 0.0], [0.0, 0.0, -0.1], [0.0, 0.1, 0.0]]);
        assert_near(&pose(&clip, 0), &still, 1e-12);
        let mut rest = Vec::new();
        assert!(clip.rest(&mut rest));
        assert_near(&rest, &still, 1e-12);

        // The upper joint turns about x by 90 degrees: what was up is in front; the middle row,
        // which follows both joints, stays in the joint. The last row is wider.
        let mut end = still.clone();
        (end[4], end[5]) = ([-0.2, 0.5, 0.5], [0.2, 0.5, 0.5]);
        (end[6], end[7], end[8]) = ([1.0, 0.0, 0.0], [1.0, 0.0, -0.1], [1.0, 0.3, 0.0]);
        assert_near(&pose(&clip, 24), &end, 1e-7);
        // Half way, the shape is the one in between, and rotations are interpolated on the sphere.
        let (sine, cosine) = 45f64.to_radians().sin_cos();
        let half = pose(&clip, 12);
        assert_near(&half[5..6], &[[0.18, 0.5 + 0.5 * cosine, 0.5 * sine]], 1e-7);
        assert_near(&half[8..9], &[[0.5, 0.2, 0.0]], 1e-7);
    }
}

/// Three operations, one of them inverted, and a prim that is not moved by those above it.
#[test]
fn transforms() {
    let inner = triangle(
        "Free",
        "double3 xformOp:translate = (0, 0, 5)\n\
         uniform token[] xformOpOrder = [\"!resetXformStack!\", \"xformOp:translate\"]",
    );
    let text = scene(&format!(
        "def Xform \"A\"\n{{\n double3 xformOp:translate:pivot = (1, 0, 0)\n float3 xformOp:rotateXYZ = (90, 0, 90)\n \
         float3 xformOp:scale = (2, 2, 2)\n uniform token[] xformOpOrder = [\"xformOp:translate:pivot\", \
         \"xformOp:rotateXYZ\", \"xformOp:scale\", \"!invert!xformOp:translate:pivot\"]\n{}{inner}}}\n",
        triangle("Own", "")
    ));
    let clip = clip(text.as_bytes(), "a.usda");
    assert_eq!(clip.n_frames(), 1);
    assert_eq!(clip.surface.objects, ["Own", "Free"]);
    // (0, 0, 0) - pivot = (-1, 0, 0), twice as far (-2, 0, 0), about x, then about z (0, -2, 0).
    let own = [[1.0, -2.0, 0.0], [1.0, 0.0, 0.0], [1.0, -2.0, 2.0]];
    let free = [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]];
    assert_near(&pose(&clip, 0), &[own, free].concat(), 1e-12);
}

#[test]
fn what_is_not_shown_is_left_out_with_a_note() {
    let text = scene(
        &[
            triangle("A", ""),
            triangle("Hidden", "token visibility = \"invisible\""),
            triangle("Proxy", "uniform token purpose = \"proxy\""),
            triangle("Render", "uniform token purpose = \"render\""),
            triangle("Cage", "").replace("subdivisionScheme = \"none\"", "subdivisionScheme = \"loop\""),
            "def Sphere \"Ball\"\n{\n}\n".into(),
            format!("def PointInstancer \"Crowd\"\n{{\n{}}}\n", triangle("Prototype", "")),
            format!("class \"Kind\"\n{{\n{}}}\n", triangle("Abstract", "")),
            format!("def Xform \"Off\" (active = false)\n{{\n{}}}\n", triangle("Inactive", "")),
            format!("over \"Nothing\"\n{{\n{}}}\n", triangle("Undefined", "")),
        ]
        .concat(),
    );
    let clip = clip(text.as_bytes(), "a.usda");
    assert_eq!(clip.surface.objects, ["A", "Render", "Cage"]);
    let notes = clip.surface.notes.join("\n");
    for part in [
        "1 mesh left out, as it is invisible",
        "1 mesh left out, as it is a guide or a proxy",
        "2 objects left out",
        "1 subdivision surface read as the polygons of its cage",
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
}

/// Two skeletons, of which each is bound by a mesh, and one mesh whose list of joints is its own.
#[test]
fn several_skeletons() {
    let figure = |name: &str, x: f64| {
        format!(
            "def SkelRoot \"{name}\"\n{{\n def Skeleton \"Rig\"\n {{\n uniform token[] joints = [\"a\", \"a/b\"]\n \
             uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), \
             ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]\n double3 xformOp:translate = ({x}, 0, 0)\n \
             uniform token[] xformOpOrder = [\"xformOp:translate\"]\n }}\n{}}}\n",
            triangle(
                "Skin",
                &format!(
                    "rel skel:skeleton = </{name}/Rig>\n uniform token[] skel:joints = [\"a/b\"]\n \
                     int[] primvars:skel:jointIndices = [0] (interpolation = \"constant\")\n \
                     float[] primvars:skel:jointWeights = [1] (interpolation = \"constant\")"
                )
            )
        )
    };
    let clip = clip(scene(&(figure("A", 0.0) + &figure("B", 3.0))).as_bytes(), "a.usda");
    let names: Vec<&str> =
        clip.surface.skin.as_ref().unwrap().bones.iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["b", "b"]);
    let at = |x: f64| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
    assert_near(&pose(&clip, 0), &[at(0.0), at(3.0)].concat(), 1e-12);
}

/// What is invisible at all of its samples is left out; what is so at some of them is read.
#[test]
fn visibility_that_changes() {
    let samples = |name: &str, values: [&str; 2]| {
        let [first, second] = values;
        triangle(name, &format!("token visibility.timeSamples = {{ 0: \"{first}\", 5: \"{second}\" }}"))
    };
    let text = scene(
        &[
            samples("Blinks", ["invisible", "inherited"]),
            samples("Never", ["invisible", "invisible"]),
            format!(
                "def Xform \"Gone\"\n{{\n token visibility = \"invisible\"\n{}}}\n",
                samples("Below", ["inherited", "invisible"])
            ),
        ]
        .concat(),
    );
    let clip = clip(text.as_bytes(), "a.usda");
    assert_eq!(clip.surface.objects, ["Blinks"]);
    let notes = clip.surface.notes.join("\n");
    assert!(notes.contains("2 meshes left out, as they are invisible"), "{notes}");
    assert!(notes.contains("1 mesh that is invisible at times"), "{notes}");
}

/// A mirror turns what is outside; so do the triangles, for skins, too.
#[test]
fn mirrored_meshes_are_turned() {
    let mirrored = |below: &str| {
        scene(&format!(
            "def Xform \"A\"\n{{\n float3 xformOp:scale = (-1, 1, 1)\n \
             uniform token[] xformOpOrder = [\"xformOp:scale\"]\n{below}}}\n{}",
            triangle("Still", "")
        ))
    };
    let rig = "def Skeleton \"Rig\"\n{\n uniform token[] joints = [\"a\"]\n \
               uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n}\n";
    let skin = "rel skel:skeleton = </A/Rig>\n \
                int[] primvars:skel:jointIndices = [0] (interpolation = \"constant\")\n \
                float[] primvars:skel:jointWeights = [1] (interpolation = \"constant\")";
    for text in [mirrored(&triangle("M", "")), mirrored(&(rig.to_owned() + &triangle("M", skin)))] {
        let clip = clip(text.as_bytes(), "a.usda");
        assert_eq!(pose(&clip, 0)[1], [-1.0, 0.0, 0.0]);
        assert_eq!(clip.surface.faces, [[0, 2, 1], [3, 4, 5]]);
    }
}

/// An animation that names joints, and moves only shapes: the joints stay at rest.
#[test]
fn animations_of_shapes_alone() {
    let text = STRIP
        .replace("float3[] translations = [(0, 0, 50)]", "")
        .replace("half3[] scales = [(1, 1, 1)]", "")
        .replace("quatf[] rotations.timeSamples", "float[] other.timeSamples")
        .replace("[(1, 0, 0, 0)]", "[1]")
        .replace("[(0.70710678, 0.70710678, 0, 0)]", "[2]");
    let clip = clip(text.as_bytes(), "a.usda");
    assert_near(&pose(&clip, 24)[4..6], &[[-0.2, 1.0, 0.0], [0.2, 1.0, 0.0]], 1e-12);
    let some = STRIP.replace("half3[] scales = [(1, 1, 1)]", "");
    check_error(some.as_bytes(), "a.usda", "it needs translations, rotations and scales");
}
