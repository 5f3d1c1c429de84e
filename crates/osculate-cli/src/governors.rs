//! What moves the vertices of a clip, as a deformer of the library, and whether its parameters
//! alone determine them.

use anyhow::Result;
use osculate::deformer::AnyDeformer;
use osculate_io::Clip;

/// What moves the vertices of a clip.
pub(crate) struct Governors {
    pub(crate) deformer: AnyDeformer,
    /// What its parameters are of, such as "bones".
    pub(crate) name: &'static str,
}

/// Returns what moves the vertices of a clip, which are at `pose` in a frame.
///
/// If bodies cannot be posed by its parameters, because these do not give bitwise the same
/// positions, returns the reason instead, as text.
pub(crate) fn of_clip(
    clip: &Clip,
    frame: usize,
    pose: &[[f64; 3]],
) -> Result<std::result::Result<Governors, String>> {
    let Some(parameters) = parameters(clip, frame)? else {
        return Ok(Err("no bones or other parameters move them".to_owned()));
    };
    let (deformer, name) = match (clip.deformer(), &clip.surface.skin) {
        (Some(deformer), _) => (deformer.into(), deformer.governors()),
        (None, _) if clip.has_morphs() => return Ok(Err("morph targets move them, too".to_owned())),
        (None, None) => return Ok(Err("no bones move them".to_owned())),
        (None, Some(skin)) => {
            if let Some(i) = parameters.iter().position(|x| !x.is_finite()) {
                return Ok(Err(format!("bone {} is nowhere in frame {frame}", i / 12)));
            }
            match skin.to_deformer() {
                Ok(skin) => (AnyDeformer::from(skin), "bones"),
                Err(error) => return Ok(Err(error.to_string())),
            }
        }
    };
    Ok(match deformer.vertices(&parameters) {
        Err(error) => Err(error.to_string()),
        Ok(vertices) if !are_same(&vertices, pose) => Err(format!("{name} take them elsewhere")),
        Ok(_) => Ok(Governors { deformer, name }),
    })
}

/// Returns the parameters of a frame: those of its deformer, or the matrices of its bones; `None`
/// if it has neither.
pub(crate) fn parameters(clip: &Clip, frame: usize) -> Result<Option<Vec<f64>>> {
    if let Some(parameters) = clip.parameters(frame) {
        return Ok(Some(parameters.to_vec()));
    }
    Ok(clip.bone_matrices(frame)?.map(|bones| bones.as_flattened().as_flattened().to_vec()))
}

/// Whether two poses are bitwise equal.
fn are_same(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    let mut coordinates = a.as_flattened().iter().zip(b.as_flattened());
    a.len() == b.len() && coordinates.all(|(a, b)| a.to_bits() == b.to_bits())
}
