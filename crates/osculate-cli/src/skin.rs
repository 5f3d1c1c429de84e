//! Converts the skin of a file to the library's, and checks whether bones alone determine the
//! vertices of a clip.

use anyhow::Result;
use osculate::{Affine, Error, Skin};
use osculate_io::Clip;

/// Returns the skin of a clip's surface, and its bone matrices in a frame whose vertices are at
/// `pose`.
///
/// If bodies cannot be posed by bones, because these do not give bitwise the same positions,
/// returns the reason instead, as text.
pub(crate) fn of_clip(
    clip: &Clip,
    frame: usize,
    pose: &[[f64; 3]],
) -> Result<Result<(Skin, Vec<Affine>), String>> {
    let (Some(skin), Some(bones)) = (&clip.surface.skin, clip.bone_matrices(frame)?) else {
        return Ok(Err("no bones move them".to_owned()));
    };
    if clip.has_morphs() {
        return Ok(Err("morph targets move them, too".to_owned()));
    }
    if let Some(bone) = bones.iter().position(|map| map.as_flattened().iter().any(|x| !x.is_finite())) {
        return Ok(Err(format!("bone {bone} is nowhere in frame {frame}")));
    }
    let influences = (0..skin.rest.len()).map(|vertex| {
        let influences = skin.influences(vertex).iter();
        influences.map(|influence| (influence.bone, influence.weight)).collect::<Vec<_>>()
    });
    Ok(match Skin::new(skin.bones.len(), &skin.rest, influences) {
        Err(error) => Err(error.to_string()),
        Ok(skin) if !are_same(&skin.pose(&bones), pose) => Err("bones take them elsewhere".to_owned()),
        Ok(skin) => Ok((skin, bones)),
    })
}

/// Returns the skin of a part of a surface, given by its vertices.
pub(crate) fn of_part(whole: &Skin, vertices: &[u32]) -> Result<Skin, Error> {
    let rest: Vec<[f64; 3]> = vertices.iter().map(|&v| whole.rest()[v as usize]).collect();
    Skin::new(whole.n_bones(), &rest, vertices.iter().map(|&v| whole.influences(v as usize)))
}

/// Whether two poses are bitwise equal.
fn are_same(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    let mut coordinates = a.as_flattened().iter().zip(b.as_flattened());
    a.len() == b.len() && coordinates.all(|(a, b)| a.to_bits() == b.to_bits())
}
