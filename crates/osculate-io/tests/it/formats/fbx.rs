//! FBX files, written here as text, and from it as binary files: a skin, blend shapes, two takes,
//! and units and axes.

use std::io::Write as _;
use std::iter::Peekable;

use osculate_io::{Clip, Options, read_bytes};

use super::support::{Random, assert_near, bounded, check_error, clips, pose, refused};

/// Ticks of a second in FBX.
const SECOND: i64 = 46_186_158_000;

/// A file in centimeters with Z up: a strip of three rows, bound to two bones, of which the second
/// is half a meter above the first; a shape that moves the last row; and two takes of a second.
pub(crate) fn strip() -> Vec<u8> {
    let matrix = |z: f64| format!("1,0,0,0,0,1,0,0,0,0,1,0,0,0,{z},1");
    let curve = |id: u32, values: [f64; 2]| {
        format!(
            "AnimationCurve: {id}, \"AnimCurve::\", \"\" {{
                Default: 0
                KeyVer: 4009
                KeyTime: *2 {{ a: 0,{SECOND} }}
                KeyValueFloat: *2 {{ a: {},{} }}
                KeyAttrFlags: *1 {{ a: 4 }}
                KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}
                KeyAttrRefCount: *1 {{ a: 2 }}
            }}\n",
            values[0], values[1]
        )
    };
    let take = |id: u32, name: &str| {
        format!(
            "AnimationStack: {id}, \"AnimStack::{name}\", \"\" {{ Properties70: {{
                P: \"LocalStart\", \"KTime\", \"Time\", \"\",0
                P: \"LocalStop\", \"KTime\", \"Time\", \"\",{SECOND}
            }} }}
            AnimationLayer: {}, \"AnimLayer::{name}\", \"\" {{ }}\n",
            id + 1
        )
    };
    let turn = |id: u32, degrees: f64| {
        let node = format!(
            "AnimationCurveNode: {id}, \"AnimCurveNode::R\", \"\" {{ Properties70: {{
                P: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",0\nP: \"d|Z\", \"Number\", \"\", \"A\",0
            }} }}\n"
        );
        node + &curve(id + 1, [0.0, degrees])
    };
    let vertices = "-10,0,0, 10,0,0, -10,0,50, 10,0,50, -10,0,100, 10,0,100";
    format!(
        "; FBX 7.4.0 project file
FBXHeaderExtension:  {{ FBXHeaderVersion: 1003
 FBXVersion: 7400
}}
GlobalSettings:  {{ Version: 1000
 Properties70:  {{
  P: \"UpAxis\", \"int\", \"Integer\", \"\",2
  P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1
  P: \"FrontAxis\", \"int\", \"Integer\", \"\",1
  P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1
  P: \"CoordAxis\", \"int\", \"Integer\", \"\",0
  P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1
  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1
  P: \"TimeMode\", \"enum\", \"\", \"\",11
 }}
}}
Objects:  {{
 Geometry: 100, \"Geometry::strip\", \"Mesh\" {{
  Vertices: *18 {{ a: {vertices} }}
  PolygonVertexIndex: *8 {{ a: 0,1,3,-3,2,3,5,-5 }}
  GeometryVersion: 124
 }}
 Geometry: 101, \"Geometry::wide\", \"Shape\" {{
  Version: 100
  Indexes: *2 {{ a: 4,5 }}
  Vertices: *6 {{ a: -10,0,0,10,0,0 }}
 }}
 Model: 200, \"Model::Strip\", \"Mesh\" {{ Version: 232 }}
 Model: 201, \"Model::Lower\", \"LimbNode\" {{ Version: 232 }}
 Model: 202, \"Model::Upper\", \"LimbNode\" {{ Version: 232
  Properties70:  {{ P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,50 }}
 }}
 Deformer: 300, \"Deformer::skin\", \"Skin\" {{ Version: 101 }}
 Deformer: 301, \"SubDeformer::Lower\", \"Cluster\" {{ Version: 100
  Indexes: *4 {{ a: 0,1,2,3 }}
  Weights: *4 {{ a: 1,1,0.5,0.5 }}
  Transform: *16 {{ a: {} }}
  TransformLink: *16 {{ a: {} }}
 }}
 Deformer: 302, \"SubDeformer::Upper\", \"Cluster\" {{ Version: 100
  Indexes: *4 {{ a: 2,3,4,5 }}
  Weights: *4 {{ a: 0.5,0.5,1,1 }}
  Transform: *16 {{ a: {} }}
  TransformLink: *16 {{ a: {} }}
 }}
 Deformer: 310, \"Deformer::shapes\", \"BlendShape\" {{ Version: 100 }}
 Deformer: 311, \"SubDeformer::wide\", \"BlendShapeChannel\" {{ Version: 100
  DeformPercent: 0
  FullWeights: *1 {{ a: 100 }}
 }}
 {}{}{}{}
 AnimationCurveNode: 420, \"AnimCurveNode::DeformPercent\", \"\" {{ Properties70:  {{
  P: \"d|DeformPercent\", \"Number\", \"\", \"A\",0
 }} }}
 {}
}}
Connections:  {{
 C: \"OO\",200,0\n C: \"OO\",201,0\n C: \"OO\",202,201\n C: \"OO\",100,200
 C: \"OO\",300,100\n C: \"OO\",301,300\n C: \"OO\",302,300\n C: \"OO\",201,301\n C: \"OO\",202,302
 C: \"OO\",310,100\n C: \"OO\",311,310\n C: \"OO\",101,311
 C: \"OO\",401,400\n C: \"OO\",403,402
 C: \"OO\",410,401\n C: \"OP\",410,202, \"Lcl Rotation\"\n C: \"OP\",411,410, \"d|X\"
 C: \"OO\",412,403\n C: \"OP\",412,201, \"Lcl Rotation\"\n C: \"OP\",413,412, \"d|Z\"
 C: \"OO\",420,403\n C: \"OP\",420,311, \"DeformPercent\"\n C: \"OP\",421,420, \"d|DeformPercent\"
}}
",
        matrix(0.0),
        matrix(0.0),
        matrix(-50.0),
        matrix(50.0),
        take(400, "Bend"),
        take(402, "Turn"),
        turn(410, 90.0),
        turn(412, 180.0),
        curve(421, [0.0, 100.0]),
    )
    .into_bytes()
}

/// Returns a text as a binary file. Arrays of fractions are compressed.
pub(crate) fn binary(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let (_, text) = text.split_once('\n').unwrap();
    // No word has a space.
    let text = text.replace("\"Lcl ", "\"Lcl_").replace(',', " ").replace('{', " { ").replace('}', " } ");
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(7400u32.to_le_bytes());
    write(&mut text.split_whitespace().peekable(), &mut out);
    out.extend([0; 13]);
    out
}

/// Appends nodes: each begins with a word and a colon, and ends before the next one.
fn write<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>, out: &mut Vec<u8>) {
    const REAL: [&str; 6] =
        ["Vertices", "Weights", "Transform", "TransformLink", "KeyValueFloat", "FullWeights"];
    while let Some(name) = words.next_if(|word| word.ends_with(':') && !word.starts_with('"')) {
        let name = name.trim_end_matches(':');
        let start = out.len();
        out.extend([0; 12]);
        out.push(name.len() as u8);
        out.extend(name.as_bytes());
        let (first, mut n) = (out.len(), 0u32);
        while let Some(word) = words.next_if(|word| !matches!(*word, "{" | "}") && !word.ends_with(':')) {
            n += 1;
            if let Some(text) = word.strip_prefix('"') {
                let text = text.trim_end_matches('"').replace("Lcl_", "Lcl ");
                let text = match text.split_once("::") {
                    Some((kind, name)) => format!("{name}\0\x01{kind}"),
                    None => text,
                };
                out.push(b'S');
                out.extend((text.len() as u32).to_le_bytes());
                out.extend(text.as_bytes());
            } else if let Some(n) = word.strip_prefix('*') {
                let values: Vec<&str> = words.by_ref().skip(2).take_while(|word| *word != "}").collect();
                assert_eq!(values.len(), n.parse::<usize>().unwrap(), "{name}");
                let real = |value: &&str| value.parse::<f64>().unwrap().to_le_bytes();
                let (kind, bytes) = match name {
                    _ if REAL.contains(&name) => (b'd', values.iter().flat_map(real).collect::<Vec<u8>>()),
                    "KeyTime" => {
                        (b'l', values.iter().flat_map(|v| v.parse::<i64>().unwrap().to_le_bytes()).collect())
                    }
                    _ => {
                        (b'i', values.iter().flat_map(|v| v.parse::<i32>().unwrap().to_le_bytes()).collect())
                    }
                };
                let is_packed = kind == b'd';
                let bytes = if is_packed {
                    let mut encoder =
                        flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                    encoder.write_all(&bytes).unwrap();
                    encoder.finish().unwrap()
                } else {
                    bytes
                };
                out.push(kind);
                for number in [values.len() as u32, is_packed.into(), bytes.len() as u32] {
                    out.extend(number.to_le_bytes());
                }
                out.extend(bytes);
            } else if let Ok(number) = word.parse::<i64>() {
                out.push(b'L');
                out.extend(number.to_le_bytes());
            } else {
                out.push(b'D');
                out.extend(word.parse::<f64>().unwrap().to_le_bytes());
            }
        }
        let size = (out.len() - first) as u32;
        if words.next_if_eq(&"{").is_some() {
            write(words, out);
            out.extend([0; 13]);
            assert_eq!(words.next(), Some("}"), "{name}");
        }
        let end = out.len() as u32;
        for (i, number) in [end, n, size].into_iter().enumerate() {
            out[start + 4 * i..start + 4 * i + 4].copy_from_slice(&number.to_le_bytes());
        }
    }
}

/// The strip at rest, in meters with Y up.
fn rest() -> Vec<[f64; 3]> {
    [0.0, 0.5, 1.0].into_iter().flat_map(|y| [[-0.1, y, 0.0], [0.1, y, 0.0]]).collect()
}

#[test]
fn takes_bones_shapes_and_units() {
    let clips = clips(&strip(), "a.fbx");
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["Bend", "Turn"]);
    let bend: &Clip = &clips[0];
    assert_eq!((bend.fps, bend.n_frames()), (24.0, 25));
    assert_eq!(bend.surface.objects, ["Strip"]);
    assert_eq!(bend.surface.faces, [[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]]);
    let skin = bend.surface.skin.as_ref().unwrap();
    let bones: Vec<(&str, Option<u32>)> =
        skin.bones.iter().map(|bone| (bone.name.as_str(), bone.parent)).collect();
    assert_eq!(bones, [("Lower", None), ("Upper", Some(0))]);
    assert_eq!(skin.dominant_bone(5), Some(1));
    assert!(bend.has_morphs());

    assert_near(&pose(bend, 0), &rest(), 1e-12);
    // The upper bone turns about x by 90 degrees: what was up is in front; the middle row, which
    // follows both bones, stays in the joint.
    let mut bent = rest();
    (bent[4], bent[5]) = ([-0.1, 0.5, 0.5], [0.1, 0.5, 0.5]);
    assert_near(&pose(bend, 24), &bent, 1e-6);
    // The lower bone turns about the vertical axis by half a turn, and the last row is twice as
    // wide.
    let mut turned: Vec<[f64; 3]> = rest().iter().map(|p| [-p[0], p[1], p[2]]).collect();
    (turned[4][0], turned[5][0]) = (0.2, -0.2);
    assert_near(&pose(&clips[1], 24), &turned, 1e-6);

    let mut found = Vec::new();
    assert!(bend.rest(&mut found));
    assert_near(&found, &rest(), 1e-12);
    // A take that names no moments lasts as long as its keys.
    let text = String::from_utf8(strip()).unwrap().replace("LocalSt", "Other");
    assert_eq!(super::support::clips(text.as_bytes(), "a.fbx")[1].n_frames(), 25);

    let options = Options { clip: Some("Turn".into()), ..Options::default() };
    assert_eq!(read_bytes(&strip(), "a.fbx", &options).unwrap().len(), 1);
    let options = Options { clip: Some("Run".into()), ..Options::default() };
    let message = read_bytes(&strip(), "a.fbx", &options).unwrap_err().to_string();
    assert!(message.contains("there is no clip named 'Run'; there are Bend, Turn"), "{message}");
}

#[test]
fn what_is_wrong_is_named() {
    check_error(b"", "a.fbx", "the file is empty");
    check_error(b"solid", "a.fbx", "");
    let text = String::from_utf8(strip()).unwrap();
    check_error(text.replace("2,3,5,-5", "2,3,9,-5").as_bytes(), "a.fbx", "");
    check_error(text.replace("C: \"OO\",100,200", "").as_bytes(), "a.fbx", "there are no triangles");
    let options = Options { memory: Some(1000), ..Options::default() };
    let message = read_bytes(&strip(), "a.fbx", &options).unwrap_err().to_string();
    assert!(message.contains("--memory"), "{message}");
}

#[test]
fn binary_files_are_read_as_texts_are() {
    let (of_text, of_binary) = (clips(&strip(), "a.fbx"), clips(&binary(&strip()), "a.fbx"));
    assert_eq!(of_binary.len(), 2);
    for (a, b) in of_text.iter().zip(&of_binary) {
        assert_eq!((&a.name, &a.surface.objects), (&b.name, &b.surface.objects));
        assert_eq!(a.surface.faces, b.surface.faces);
        for frame in [0, 7, 24] {
            assert_eq!(pose(a, frame), pose(b, frame));
        }
    }
}

/// The file as it is saved while the strip is hidden, with a curve of its visibility, or in a
/// display layer.
#[test]
fn visibility_is_that_of_curves_and_layers() {
    let text = String::from_utf8(strip()).unwrap();
    let model = "Model: 200, \"Model::Strip\", \"Mesh\" { Version: 232 }";
    let hidden = format!(
        "{} Properties70: {{ P: \"Visibility\", \"Visibility\", \"\", \"A\",0 }} }}",
        model.trim_end_matches([' ', '}'])
    );
    let saved = text.replace(model, &hidden);
    assert!(saved != text);
    check_error(saved.as_bytes(), "a.fbx", "there are no triangles");
    let with_curve = |of: &str, values: &str| {
        let curve = format!(
            "AnimationCurveNode: 430, \"AnimCurveNode::Visibility\", \"\" {{ Properties70:  {{
              P: \"d|Visibility\", \"Number\", \"\", \"A\",0
             }} }}
             AnimationCurve: 431, \"AnimCurve::\", \"\" {{
              Default: 0
              KeyVer: 4009
              KeyTime: *2 {{ a: 0,{SECOND} }}
              KeyValueFloat: *2 {{ a: {values} }}
              KeyAttrFlags: *1 {{ a: 2 }}
              KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}
              KeyAttrRefCount: *1 {{ a: 2 }}
             }}\n AnimationCurveNode: 420"
        );
        let connected = "C: \"OO\",430,403\n C: \"OP\",430,200, \"Visibility\"\n \
                         C: \"OP\",431,430, \"d|Visibility\"\n C: \"OO\",420,403";
        of.replacen("AnimationCurveNode: 420", &curve, 1).replace("C: \"OO\",420,403", connected)
    };
    let blinking = with_curve(&saved, "0,1");
    let notes = clips(blinking.as_bytes(), "a.fbx")[0].surface.notes.join("\n");
    assert!(notes.contains("1 mesh that is invisible at times"), "{notes}");
    assert!(clips(with_curve(&saved, "1,1").as_bytes(), "a.fbx")[0].surface.notes.is_empty());
    check_error(with_curve(&text, "0,0").as_bytes(), "a.fbx", "there are no triangles");

    let layer = text
        .replace(
            model,
            &format!(
                "{model}\n CollectionExclusive: 500, \"DisplayLayer::L\", \"DisplayLayer\" {{ Properties70: {{
                 P: \"Show\", \"bool\", \"\", \"\",0\n }} }}"
            ),
        )
        .replace("C: \"OO\",420,403", "C: \"OO\",200,500\n C: \"OO\",420,403");
    check_error(layer.as_bytes(), "a.fbx", "there are no triangles");
    let shown = layer.replace("\"Show\", \"bool\", \"\", \"\",0", "\"Show\", \"bool\", \"\", \"\",1");
    assert_eq!(clips(shown.as_bytes(), "a.fbx").len(), 2);
}

/// The same strip, twice below a group of levels of detail.
#[test]
fn lower_levels_of_detail_are_left_out() {
    let text = String::from_utf8(strip()).unwrap();
    let model = "Model: 200, \"Model::Strip\", \"Mesh\" { Version: 232 }";
    let more = format!(
        "{model}\n Model: 210, \"Model::Far\", \"Mesh\" {{ Version: 232 }}
         Model: 220, \"Model::Levels\", \"LodGroup\" {{ Version: 232 }}
         NodeAttribute: 221, \"NodeAttribute::Levels\", \"LodGroup\" {{ TypeFlags: \"LodGroup\" }}
         Geometry: 110, \"Geometry::far\", \"Mesh\" {{
          Vertices: *9 {{ a: 0,0,0,1,0,0,0,1,0 }}
          PolygonVertexIndex: *3 {{ a: 0,1,-3 }}
          GeometryVersion: 124
         }}"
    );
    let far = "C: \"OO\",210,220\n C: \"OO\",110,210\n C: \"OO\",220,0\n C: \"OO\",221,220\n";
    let both = text.replace(model, &more).replace("C: \"OO\",200,0\n", &format!("C: \"OO\",200,220\n {far}"));
    let clip = &clips(both.as_bytes(), "a.fbx")[0];
    assert_eq!(clip.surface.objects, ["Strip"]);
    assert_eq!(clip.surface.notes, ["1 mesh left out, as it is a lower level of detail"]);
    // In a group of another kind, both are read.
    let other = both.replace("\"LodGroup\"", "\"Null\"");
    assert_eq!(clips(other.as_bytes(), "a.fbx")[0].surface.objects.len(), 2);
}

/// A mirror turns what is outside; so do the triangles.
#[test]
fn mirrored_meshes_are_turned() {
    let text = String::from_utf8(strip()).unwrap();
    let model = "Model: 200, \"Model::Strip\", \"Mesh\" { Version: 232 }";
    let mirrored = format!(
        "{} Properties70: {{ P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1,-1,1 }} }}",
        model.trim_end_matches([' ', '}'])
    );
    // Without its skin, the strip follows its own node.
    let rigid = text.replace(model, &mirrored).replace("C: \"OO\",300,100\n", "");
    let clip = &clips(rigid.as_bytes(), "a.fbx")[0];
    assert_eq!(clip.surface.faces, [[0, 3, 1], [0, 2, 3], [2, 5, 3], [2, 4, 5]]);
    assert_near(&pose(clip, 0), &rest(), 1e-12);
    let straight = text.replace("C: \"OO\",300,100\n", "");
    let faces = &clips(straight.as_bytes(), "a.fbx")[0].surface.faces;
    assert_eq!(*faces, [[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]]);
}

/// Counts, lengths and places that are wrong, one at a time.
#[test]
fn counts_that_lie() {
    let text = String::from_utf8(strip()).unwrap();
    for (what, n) in [("Vertices: *", "18"), ("PolygonVertexIndex: *", "8"), ("KeyTime: *", "2")] {
        let lie = text.replace(&format!("{what}{n}"), &format!("{what}2000000000"));
        assert!(lie != text);
        let read = || read_bytes(lie.as_bytes(), "a.fbx", &Options::default());
        // In a text, the values themselves count.
        assert_eq!(bounded(what, read).unwrap().len(), 2);
    }
    let bytes = binary(&strip());
    let mut n_refused = 0;
    for at in 23..bytes.len() - 4 {
        for wrong in [u32::MAX, 1 << 31, 200_000_000] {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
            let read = || read_bytes(&damaged, "a.fbx", &Options::default());
            n_refused += usize::from(bounded(&format!("byte {at}"), read).is_err());
        }
    }
    assert!(bytes.len() < n_refused, "{n_refused} of {}", 3 * bytes.len());
}

/// Objects that are connected to themselves, in a ring, and at random.
#[test]
fn connections_in_cycles() {
    let text = String::from_utf8(strip()).unwrap();
    let connected = |more: &str| text.replace("C: \"OO\",200,0\n", &format!("C: \"OO\",200,0\n{more}"));
    let read = |more: &str| {
        let text = connected(more);
        for bytes in [text.clone().into_bytes(), binary(text.as_bytes())] {
            bounded(more, || {
                for clip in read_bytes(&bytes, "a.fbx", &Options::default()).unwrap_or_default() {
                    let _ = clip.pose(clip.n_frames() - 1, &mut Vec::new());
                }
            });
        }
    };
    let ring = connected("C: \"OO\",201,202\n").replace("C: \"OO\",201,0\n", "");
    refused(ring.as_bytes(), "a.fbx", "two bones below each other");
    refused(&binary(ring.as_bytes()), "a.fbx", "two bones below each other");
    for id in [100, 101, 200, 201, 300, 301, 310, 311, 400, 401, 410, 411, 420] {
        read(&format!("C: \"OO\",{id},{id}\n"));
    }
    let ids = [100, 101, 200, 201, 202, 300, 301, 302, 310, 311, 400, 401, 402, 403, 410, 411, 412, 413, 420];
    let mut random = Random(3);
    for _ in 0..300 {
        let mut id = || ids[random.below(ids.len())];
        let more: String = (0..4).map(|_| format!("C: \"OO\",{},{}\n", id(), id())).collect();
        read(&more);
    }
}
