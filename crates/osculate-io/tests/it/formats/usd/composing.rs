//! Scenes that consist of several layers and arcs.

use std::fs;

use osculate_io::{Options, files_of, open};

use super::super::support::{Random, pose};
use super::{binary, opened, package, scene, triangle, written};

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
    let packed = super::super::support::clip(&package(&members), "a.usdz");
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

/// A layer without a default prim is as good as none, if the arc names no prim.
#[test]
fn layers_without_a_default_prim_are_left_out() {
    let text = scene(&format!(
        "def \"A\" (references = @./parts.usda@)\n{{\n{}}}\ndef \"B\" (references = @./parts.usda@</P>)\n{{\n}}\n",
        triangle("M", "")
    ));
    let parts = format!("#usda 1.0\n{}", triangle("P", ""));
    let clip = opened(written("usd-default", &[("a.usda", text.into()), ("parts.usda", parts.into())]));
    assert_eq!(clip.surface.objects, ["M", "B"]);
    let [note] = &clip.surface.notes[..] else { panic!("{:?}", clip.surface.notes) };
    assert!(note.starts_with("left out, as it was not found: the default prim of"), "{note}");
    assert!(note.ends_with("parts.usda"), "{note}");
}
