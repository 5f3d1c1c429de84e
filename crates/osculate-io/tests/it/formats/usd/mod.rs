//! USD files, written here as text, and from it by the crate as binary layers and packages: skins,
//! blend shapes, moving points, transforms, and scenes that consist of several layers.

mod composing;
mod damaged;
mod reading;

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use osculate_io::{Clip, Options, open};

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
