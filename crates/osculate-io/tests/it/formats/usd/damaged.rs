//! Files that are wrong, or that would need much time, memory or stack.

use osculate_io::{Options, open, read_bytes};

use super::super::support::{bounded, check_error, clip, refused};
use super::{STRIP, binary, scene, triangle, written};

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
