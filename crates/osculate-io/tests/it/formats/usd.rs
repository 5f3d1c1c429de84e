//! USD files, written here as text, and from it by the crate as binary layers and packages: skins,
//! blend shapes, moving points, transforms, and scenes that consist of several layers.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use osculate_io::{Clip, Options, files_of, open, read_bytes};

use super::support::{Random, assert_near, bounded, check_error, clip, pose, refused};

/// In centimeters with Z up: a strip of three rows, bound to two joints, of which the second is
/// half a meter above the first and bends, a shape that moves the last row, and a triangle whose
/// points and place move. It lasts a second.
pub(crate) const STRIP: &str = r#"#usda 1.0
(
    defaultPrim = "Figure"
    metersPerUnit = 0.01
    upAxis = "Z"
    timeCodesPerSecond = 24
    framesPerSecond = 24
    startTimeCode = 0
    endTimeCode = 24
)
def SkelRoot "Figure" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </Figure/Rig>
    def Skeleton "Rig" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["Lower", "Lower/Upper"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1)),
            ((1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,50,1))]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1)),
            ((1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,50,1))]
        rel skel:animationSource = </Figure/Rig/Bend>
        def SkelAnimation "Bend"
        {
            uniform token[] joints = ["Lower/Upper"]
            float3[] translations = [(0, 0, 50)]
            quatf[] rotations.timeSamples = {
                0: [(1, 0, 0, 0)],
                24: [(0.70710678, 0.70710678, 0, 0)],
            }
            half3[] scales = [(1, 1, 1)]
            uniform token[] blendShapes = ["wide"]
            float[] blendShapeWeights.timeSamples = { 0: [0], 12: [0.5], 24: [1] }
        }
    }
    def Mesh "Strip" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(-10, 0, 0), (10, 0, 0), (-10, 0, 50), (10, 0, 50), (-10, 0, 100), (10, 0, 100)]
        int[] faceVertexCounts = [4, 4]
        int[] faceVertexIndices = [0, 1, 3, 2, 2, 3, 5, 4]
        uniform token subdivisionScheme = "none"
        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0] (
            elementSize = 2
            interpolation = "vertex"
        )
        float[] primvars:skel:jointWeights = [1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5, 1, 0, 1, 0] (
            elementSize = 2
            interpolation = "vertex"
        )
        matrix4d primvars:skel:geomBindTransform = ((1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1))
        uniform token[] skel:blendShapes = ["wide"]
        rel skel:blendShapeTargets = </Figure/Strip/wide>
        def BlendShape "wide"
        {
            uniform int[] pointIndices = [4, 5]
            uniform vector3f[] offsets = [(-10, 0, 0), (10, 0, 0)]
            uniform vector3f[] inbetweens:half = [(-8, 0, 0), (8, 0, 0)] (weight = 0.5)
        }
    }
}
def Xform "Flag"
{
    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 24: (100, 0, 0) }
    float xformOp:rotateZ = 90
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]
    def Mesh "Cloth"
    {
        point3f[] points.timeSamples = {
            0: [(0, 0, 0), (10, 0, 0), (0, 0, 10)],
            24: [(0, 0, 0), (10, 0, 0), (0, 0, 30)],
        }
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        uniform token subdivisionScheme = "none"
    }
}
"#;

/// Returns a text as a binary layer.
pub(crate) fn binary(text: &str) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    openusd::usdc::CrateWriter::write(&openusd::usda::parse(text).unwrap(), &mut out).unwrap();
    out.into_inner()
}

/// Returns a package of layers.
pub(crate) fn package(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = openusd::usdz::ArchiveWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.add_layer(name, bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Returns a text with the usual header, in meters with Y up.
fn scene(prims: &str) -> String {
    format!("#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n    defaultPrim = \"A\"\n)\n{prims}")
}

/// A triangle, with further lines in its prim.
fn triangle(name: &str, more: &str) -> String {
    format!(
        "def Mesh \"{name}\"\n{{\n    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n    \
         int[] faceVertexCounts = [3]\n    int[] faceVertexIndices = [0, 1, 2]\n    \
         uniform token subdivisionScheme = \"none\"\n    {more}\n}}\n"
    )
}

/// Writes files into a folder of their own, and returns the path of the first.
fn written(folder: &str, files: &[(&str, Vec<u8>)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder.join(files[0].0)
}

fn opened(path: PathBuf) -> Clip {
    open(&[path], &Options::default()).unwrap_or_else(|error| panic!("{error}")).remove(0)
}

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

/// A scene of several layers: sublayers, references with a shift of time, payloads, variants,
/// classes and overrides; instances are read as copies.
#[test]
fn layers_are_composed() {
    let leg = format!(
        "#usda 1.0\n(\n    defaultPrim = \"Leg\"\n    timeCodesPerSecond = 12\n)\ndef Xform \"Leg\" (\n    \
         variants = {{ string side = \"left\" }}\n    prepend variantSets = \"side\"\n)\n{{\n    \
         double3 xformOp:translate.timeSamples = {{ 0: (0, 0, 0), 12: (0, 0, 6) }}\n    \
         uniform token[] xformOpOrder = [\"xformOp:translate\"]\n    variantSet \"side\" = {{\n        \
         \"left\" {{\n{}        }}\n        \"right\" {{\n{}        }}\n    }}\n}}\n",
        triangle("Left", ""),
        triangle("Right", "")
    );
    let over = "#usda 1.0\nover \"Body\"\n{\n    over \"Two\" (variants = { string side = \"right\" })\n    {\n    }\n}\n";
    let root = "#usda 1.0\n(\n    metersPerUnit = 1\n    timeCodesPerSecond = 24\n    subLayers = [@./over.usda@]\n)\n\
         class \"Kind\"\n{\n    double3 xformOp:translate = (10, 0, 0)\n    uniform token[] xformOpOrder = \
         [\"xformOp:translate\"]\n}\n\
         def Xform \"Body\" (prepend inherits = </Kind>)\n{\n    def \"One\" (instanceable = true prepend references = \
         @parts/leg.usdc@ (offset = 24))\n    {\n    }\n    def \"Two\" (prepend payload = @parts/leg.usdc@)\n    \
         {\n    }\n    def \"Three\" (prepend references = </Body/Two>)\n    {\n        over \"Right\"\n        {\n            \
         point3f[] points = [(0, 0, 0), (5, 0, 0), (0, 5, 0)]\n        }\n    }\n}\n";
    let leg = binary(&leg);
    let path = written(
        "usd-layers",
        &[("root.usda", root.into()), ("over.usda", over.into()), ("parts/leg.usdc", leg.clone())],
    );
    let folder = path.parent().unwrap().to_owned();
    let clip = opened(path.clone());
    assert_eq!(clip.surface.objects, ["One", "Two", "Three"]);
    // Twelve time codes of the leg are a second; the first leg starts one later.
    assert_eq!((clip.fps, clip.n_frames()), (24.0, 49));
    let z = |frame: usize| {
        let pose = pose(&clip, frame);
        assert!(pose.iter().all(|p| 10.0 <= p[0]));
        [pose[0][2], pose[3][2], pose[6][2]]
    };
    assert_eq!((z(0), z(24), z(36), z(48)), ([0.0; 3], [0.0, 6.0, 6.0], [3.0, 6.0, 6.0], [6.0; 3]));
    assert_eq!(pose(&clip, 0)[7], [15.0, 0.0, 0.0]);
    let mut files = files_of(&path).unwrap();
    files.sort();
    assert_eq!(files, ["over.usda", "parts/leg.usdc", "root.usda"].map(|name| folder.join(name)));

    // The same in a package, where nothing outside is read.
    let members: [(&str, &[u8]); 3] =
        [("root.usda", root.as_bytes()), ("over.usda", over.as_bytes()), ("parts/leg.usdc", &leg)];
    let packed = super::support::clip(&package(&members), "a.usdz");
    assert_eq!(pose(&packed, 30), pose(&clip, 30));

    fs::remove_file(folder.join("over.usda")).unwrap();
    let without = opened(path);
    assert!(
        without.surface.notes.join(" ").contains("not found: ./over.usda"),
        "{:?}",
        without.surface.notes
    );
}

/// The composition of this crate and that of `openusd` agree on random scenes of arcs.
#[test]
fn composition_is_that_of_the_other_implementation() {
    let mut random = Random(5);
    let mut n_meshes = 0;
    for case in 0..300 {
        let mut prims = String::new();
        let mut is_used = [false; 6];
        for i in 0..6 {
            // Arcs lead to prims after their own, so that there are no cycles.
            let mut arcs = String::new();
            // One arc leads to a prim; implementations disagree on the place of what two arcs lead
            // to.
            for kind in ["references", "inherits", "payload", "specializes"] {
                if i < 5 && random.below(2) == 0 {
                    let target = i + 1 + random.below(5 - i);
                    if !std::mem::replace(&mut is_used[target], true) {
                        arcs += &format!(" prepend {kind} = </P{target}>");
                    }
                }
            }
            let point = |random: &mut Random| format!("({}, {}, 0)", random.below(9), random.below(9));
            let own = match random.below(2) + 2 * (case % 2) {
                0 => format!("double3 xformOp:translate = {}\n", point(&mut random)),
                2 => format!(
                    "double3 xformOp:translate.timeSamples = {{ 0: {}, {}: {} }}\n",
                    point(&mut random),
                    1 + random.below(9),
                    point(&mut random)
                ),
                _ => String::new(),
            };
            let mesh = match random.below(2) {
                0 => triangle(["M", "N"][random.below(2)], ""),
                _ => format!(
                    "over \"M\"\n{{\n point3f[] points = [(0, 0, 0), (1, 0, 0), {}]\n}}\n",
                    point(&mut random)
                ),
            };
            prims += &format!(
                "def Xform \"P{i}\" ({arcs} )\n{{\n{own}uniform token[] xformOpOrder = [\"xformOp:translate\"]\n{mesh}}}\n"
            );
        }
        let text = scene(&prims);
        let path = written("usd-arcs", &[(&format!("{case}.usda"), text.clone().into_bytes())]);
        let stage = openusd::usd::Stage::open(path.to_str().unwrap()).unwrap();
        let clip = match open(&[path], &Options::default()) {
            Ok(mut clips) => clips.remove(0),
            Err(error) => {
                assert!(error.to_string().contains("there are no triangles"), "{error}\n{text}");
                continue;
            }
        };
        let mut at = 0;
        for i in 0..6 {
            for name in ["M", "N"] {
                let prim = stage.prim(&*format!("/P{i}/{name}"));
                if prim.type_name().unwrap().is_none_or(|kind| kind.as_str() != "Mesh")
                    || !prim.is_defined().unwrap()
                {
                    continue;
                }
                at += 1;
                let points: Vec<openusd::gf::Vec3f> = prim.attribute("points").get().unwrap().unwrap();
                let translate = stage.prim(&*format!("/P{i}")).attribute("xformOp:translate");
                // The order of objects is that of the file, with what arcs bring first or last.
                for frame in [0, clip.n_frames() - 1] {
                    let code = clip.time(frame) * 24.0;
                    let by = match translate.get_at::<openusd::gf::Vec3d>(openusd::usd::TimeCode::new(code)) {
                        Ok(Some(by)) => [by.x, by.y, by.z],
                        _ => [0.0; 3],
                    };
                    let expected: Vec<[f64; 3]> = points
                        .iter()
                        .map(|p| [f64::from(p.x) + by[0], f64::from(p.y) + by[1], f64::from(p.z) + by[2]])
                        .collect();
                    let found = pose(&clip, frame);
                    let is_there = found.chunks_exact(3).any(|corners| {
                        corners
                            .iter()
                            .zip(&expected)
                            .all(|(a, b)| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9))
                    });
                    assert!(is_there, "/P{i}/{name} at {code}: {expected:?} is not in {found:?}\n{text}");
                }
            }
        }
        assert_eq!(clip.surface.objects.len(), at, "{text}");
        n_meshes += at;
    }
    assert!(1000 < n_meshes, "{n_meshes}");
}

#[test]
fn what_is_wrong_is_named() {
    check_error(b"", "a.usda", "neither a text nor a binary layer");
    check_error(b"PXR-USDC", "a.usdc", "the file ends in it");
    check_error(b"PK\x05\x06", "a.usdz", "ZIP");
    let changed = |from: &str, to: &str, part: &str| {
        let text = STRIP.replace(from, to);
        assert!(text != STRIP, "{from}");
        check_error(text.as_bytes(), "a.usda", part);
        check_error(&binary(&text), "a.usdc", part);
    };
    changed("[4, 4]", "[4, 5]", "mesh /Figure/Strip: its faces need 9 corners");
    changed("2, 3, 5, 4]", "2, 3, 9, 4]", "corner 9, but there are 6 points");
    changed("0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0]", "0, 1]", "it needs 12 joints and weights");
    changed("[0, 1, 0, 1, 0", "[0, 7, 0, 1, 0", "joint 7, but there are 2");
    changed("[\"Lower\", \"Lower/Upper\"]", "[\"Lower/Upper\", \"Lower\"]", "comes before its parent");
    changed("[4, 5]\n", "[4, 6]\n", "point 6, but the mesh has 6");
    changed("0: [0], 12", "0: [0, 1], 12", "1 blend shapes, but 2 weights");
    changed("\"xformOp:rotateZ\"]", "\"xformOp:turn\"]", "there is no operation xformOp:turn");
    changed("points.timeSamples = {", "points.timeSamples = { 1: [(0, 0, 0)], ", "triangles that change");
    let cycle = scene("def \"A\"\n{\n    def \"B\" (references = </A>)\n    {\n    }\n}\n");
    check_error(cycle.as_bytes(), "a.usda", "it refers to /A, which is above it");
    let path = written(
        "usd-cycle",
        &[
            (
                "a.usda",
                scene("def \"A\"\n{\n    def \"B\" (references = @b.usda@</A>)\n    {\n    }\n}\n").into(),
            ),
            (
                "b.usda",
                scene("def \"A\"\n{\n    def \"C\" (references = @a.usda@</A>)\n    {\n    }\n}\n").into(),
            ),
        ],
    );
    let error = open(&[path], &Options::default()).unwrap_err().to_string();
    assert!(error.contains("nested deeper than 200, or refer to prims above them"), "{error}");
    let own = written("usd-cycle", &[("own.usda", b"#usda 1.0\n(subLayers = [@own.usda@])\n".to_vec())]);
    let error = open(&[own], &Options::default()).unwrap_err().to_string();
    assert!(error.contains("they form a cycle"), "{error}");
}

/// Small files that would need much time, memory or stack.
#[test]
fn bombs_are_refused() {
    let nested =
        |n: usize, open: &str, close: &str| format!("#usda 1.0\n{}{}", open.repeat(n), close.repeat(n));
    refused(nested(100_000, "def \"a\" {\n", "}\n").as_bytes(), "a.usda", "100,000 nested prims");
    refused(nested(100_000, "( a = {", "} )").as_bytes(), "a.usda", "100,000 nested dictionaries");
    let many = format!("#usda 1.0\ndef \"a\"\n{{\n{}}}\n", "float a\n".repeat(200_000));
    refused(many.as_bytes(), "a.usda", "200,000 properties");
    let long = "n".repeat(1 << 20);
    let paths = format!("#usda 1.0\ndef \"{long}\"\n{{\n{}}}\n", "def \"a\" { float b = 1 }\n".repeat(5000));
    refused(paths.as_bytes(), "a.usda", "5000 paths of a megabyte");
    // Each prim refers to the next one twice, below itself.
    let mut doubling = String::new();
    for i in 0..60 {
        doubling += &format!(
            "def \"P{i}\"\n{{\n def \"x\" (references = </P{0}>)\n {{\n }}\n def \"y\" (references = </P{0}>)\n {{\n }}\n}}\n",
            i + 1
        );
    }
    doubling += &format!("def \"P60\"\n{{\n{}}}\n", triangle("M", ""));
    refused(scene(&doubling).as_bytes(), "a.usda", "2^60 meshes");
    refused(&binary(&scene(&doubling)), "a.usdc", "2^60 meshes");
}

/// Tables and values of a binary layer whose counts are wrong, one at a time: each of its words is
/// replaced by large numbers.
#[test]
fn counts_of_binary_layers_that_lie() {
    let bytes = binary(STRIP);
    let mut n_refused = 0;
    for at in 8..bytes.len() - 8 {
        for wrong in [u64::MAX, 1 << 40, 1 << 31, 200_000_000] {
            let mut damaged = bytes.clone();
            damaged[at..at + 8].copy_from_slice(&wrong.to_le_bytes());
            let read = || read_bytes(&damaged, "a.usdc", &Options::default());
            n_refused += usize::from(bounded(&format!("byte {at}"), read).is_err());
        }
    }
    assert!(4 * bytes.len() / 3 < n_refused, "{n_refused} of {}", 4 * bytes.len());
}

/// Comments end where the parser ends them; a string or a path whose three quotes are not closed is
/// an empty one, as for the parser. What follows is not skipped.
#[test]
fn nesting_is_not_hidden_in_texts() {
    let deep = "def \"a\" {\r".repeat(100_000);
    refused(format!("#usda 1.0\r{deep}").as_bytes(), "a.usda", "prims after a carriage return");
    let deep = "def A {\n".repeat(100_000);
    let open = |start: &str| format!("#usda 1.0\n{start}\n{deep}");
    for start in ["(\"\"\" \")", "(''' ')", "(a = @@@ @)", "\"\"\" \"", "@@@ @", "/*", "<", "@", "\""] {
        refused(open(start).as_bytes(), "a.usda", start);
        let dictionaries = format!("#usda 1.0\n( a = {start} {}", "a = { dictionary ".repeat(100_000));
        refused(dictionaries.as_bytes(), "a.usda", start);
    }
}

/// A layer that is said to be a package, and a member of a package that many prims refer to.
#[test]
fn members_of_layers_and_of_packages() {
    let text =
        scene(&format!("def \"A\" (references = @./hero.usda[x.usda]@)\n{{\n{}}}\n", triangle("M", "")));
    let clip = opened(written("usd-members", &[("hero.usda", text.into_bytes())]));
    assert_eq!(clip.surface.notes, ["left out, as it was not found: ./hero.usda[x.usda]"]);

    // A large member is parsed once.
    let leg = format!("#usda 1.0\n#{}\n{}", "-".repeat(200_000), triangle("Leg", ""));
    let packed = package(&[("leg.usda", leg.as_bytes())]);
    let prims: String = (0..100)
        .map(|i| format!("def \"P{i}\" (references = @./legs.usdz[leg.usda]@</Leg>)\n{{\n}}\n"))
        .collect();
    let path = written("usd-members", &[("many.usda", scene(&prims).into_bytes()), ("legs.usdz", packed)]);
    let options = Options { memory: Some(32 << 20), ..Options::default() };
    let clip = open(&[path], &options).unwrap_or_else(|error| panic!("{error}")).remove(0);
    assert_eq!(clip.surface.objects.len(), 100);
}

/// A list of payloads in the place of a number, whose count says that there are 2^40.
#[test]
fn lists_that_are_inlined_are_refused() {
    let text = scene(&triangle(
        "M",
        "double xformOp:rotateX.timeSamples = { 0: 0.1, 1: 0.2 }\n    double[] a = [0.3, 0.7]\n    \
         uniform token[] xformOpOrder = [\"xformOp:rotateX\"]",
    ));
    let bytes = binary(&text);
    let find = |x: f64| bytes.windows(8).position(|w| w == x.to_le_bytes()).unwrap();
    let rep = |kind: u64, at: usize| kind << 48 | at as u64;
    let sample = rep(9, find(0.1)).to_le_bytes();
    let at = bytes.windows(8).position(|w| w == sample).unwrap();
    for kind in [55, 54].into_iter().chain(32..=39) {
        let mut damaged = bytes.clone();
        // Explicit items, and their number.
        damaged[find(0.3)] = 3;
        damaged[find(0.3) + 1..find(0.3) + 9].copy_from_slice(&(1u64 << 40).to_le_bytes());
        let list = rep(kind, find(0.3)) | 1 << 62;
        damaged[at..at + 8].copy_from_slice(&list.to_le_bytes());
        let message = refused(&damaged, "a.usdc", &format!("kind {kind}"));
        assert!(message.contains("a list is where only numbers and words are"), "{message}");
    }
}

/// A skin whose weights are the same at all points: they are looked at once.
#[test]
fn many_weights_of_many_points() {
    let n = 100_000;
    let list = |word: &str| vec![word; n].join(",");
    let mesh = format!(
        "def Mesh \"M\"\n{{\n rel skel:skeleton = </Rig>\n point3f[] points = [{}]\n \
         int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n \
         int[] primvars:skel:jointIndices = [{}] (elementSize = {n} interpolation = \"constant\")\n \
         float[] primvars:skel:jointWeights = [{}] (elementSize = {n} interpolation = \"constant\")\n}}\n",
        list("(0,0,0)"),
        list("0"),
        list("0")
    );
    let rig = "def Skeleton \"Rig\"\n{\n uniform token[] joints = [\"a\"]\n \
               uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n}\n";
    let text = scene(&(rig.to_owned() + &mesh));
    let clip = bounded("weights of 0", || clip(text.as_bytes(), "a.usda"));
    let notes = clip.surface.notes.join("\n");
    assert!(notes.contains("100000 vertices of skins without a weight above 0"), "{notes}");
    let some = text.replace(&format!("[{}] (", list("0")), &format!("[{}] (", list("1")));
    let some = some.replacen(&list("1"), &list("0"), 1);
    refused(some.as_bytes(), "a.usda", "10^10 weights");
}

/// Lists that are decoded and converted again for each of many prims, and words that are long.
#[test]
fn lists_that_are_read_often_are_work() {
    let names = |n: usize| (0..n).map(|i| format!("\"s{i}\"")).collect::<Vec<_>>().join(", ");
    let users = |n: usize| -> String {
        (0..n).map(|i| format!("def \"P{i}\" (inherits = </K>)\n{{\n}}\n")).collect()
    };
    let kind = format!("class \"K\" (prepend variantSets = [{}])\n{{\n}}\n", names(4900));
    let text = scene(&(kind + &users(10_000) + &triangle("M", "")));
    refused(text.as_bytes(), "a.usda", "49 million sets of variants");
    refused(&binary(&text), "a.usdc", "49 million sets of variants");
    let kind = format!("class \"K\" (prepend variantSets = [{}])\n{{\n}}\n", names(5001));
    let text = scene(&(kind + &users(1) + &triangle("M", "")));
    for (bytes, name) in [(text.as_bytes(), "a.usda"), (&*binary(&text), "a.usdc")] {
        check_error(bytes, name, "prim /K: a list has more than 5000 items");
    }
    // Each list edits the one below.
    let half = |from: usize| (from..from + 2000).map(|i| format!("</X{i}>")).collect::<Vec<_>>().join(", ");
    let kinds = format!(
        "class \"K\" (inherits = </L>)\n{{\n prepend rel skel:skeleton = [{}]\n}}\n\
         class \"L\"\n{{\n rel skel:skeleton = [{}]\n}}\n",
        half(0),
        half(2000)
    );
    let text = scene(&(kinds + &users(10_000) + &triangle("M", "")));
    refused(text.as_bytes(), "a.usda", "edits of 10,000 lists");

    // A word of 100 kB, 300 times in each of two lists.
    let joints = vec![format!("\"{}\"", "j".repeat(100_000)); 300].join(", ");
    let matrices = vec!["((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))"; 300].join(", ");
    let rig = format!(
        "def Skeleton \"Rig\"\n{{\n uniform token[] joints = [{joints}]\n \
         uniform matrix4d[] bindTransforms = [{matrices}]\n}}\n"
    );
    let mesh = triangle(
        "Skin",
        &format!(
            "rel skel:skeleton = </Rig>\n uniform token[] skel:joints = [{joints}]\n \
             int[] primvars:skel:jointIndices = [0] (interpolation = \"constant\")\n \
             float[] primvars:skel:jointWeights = [1] (interpolation = \"constant\")"
        ),
    );
    let bytes = binary(&scene(&(rig + &mesh)));
    assert!(bytes.len() < 300_000);
    let options = Options { memory: Some(56 << 20), ..Options::default() };
    let error = read_bytes(&bytes, "a.usdc", &options).map(drop).unwrap_err().to_string();
    assert!(error.contains("default of /Skin.skel:joints") && error.contains("--memory"), "{error}");
}

/// A long word that is each of many samples: the word after the first sample is replaced by it.
#[test]
fn samples_of_a_long_word_are_refused() {
    let samples: String = (1..6000).map(|i| format!("{i}: \"v\", ")).collect();
    let long = "v".repeat(100_000);
    let text =
        scene(&triangle("M", &format!("token visibility.timeSamples = {{ 0: \"{long}\", {samples} }}")));
    let mut bytes = binary(&text);
    // Words and texts that are inlined are of the kinds 10 and 11.
    let word = |w: &[u8]| u64::from_le_bytes(w.try_into().unwrap());
    let is_word = |w: &[u8]| word(w) >> 49 == (1 << 14 | 10) >> 1;
    let at =
        bytes.windows(16).position(|w| is_word(&w[..8]) && is_word(&w[8..]) && w[..8] != w[8..]).unwrap();
    let first = bytes[at..at + 8].to_vec();
    for i in 1..6000 {
        bytes[at + 8 * i..at + 8 * i + 8].copy_from_slice(&first);
    }
    let message = refused(&bytes, "a.usdc", "6000 words of 100 kB");
    // Before they are decoded.
    assert!(message.contains("time samples would take"), "{message}");
}
