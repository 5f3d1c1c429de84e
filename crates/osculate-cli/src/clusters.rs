//! Converts clusters between a whole surface and its bodies, and reads and writes cluster files.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use osculate::Mesh;
use osculate::method::{Clusters, Observer};
use osculate_io::write::AtomicFile;

/// Returns the clusters of a part of a surface: those that contain its triangles, in their order.
pub(crate) fn of_part(whole: &Clusters, triangles: &[u32]) -> Result<Clusters> {
    let mut new_number = vec![u32::MAX; whole.len()];
    for &triangle in triangles {
        new_number[whole.of_triangles()[triangle as usize] as usize] = 0;
    }
    let mut observers = Vec::new();
    for (number, &observer) in new_number.iter_mut().zip(whole.observers()) {
        if *number == 0 {
            *number = observers.len() as u32;
            observers.push(observer);
        }
    }
    let number = |&triangle: &u32| new_number[whole.of_triangles()[triangle as usize] as usize];
    Ok(Clusters::new(triangles.iter().map(number).collect(), observers, whole.joints().to_vec())?)
}

/// Returns the clusters of a whole surface of `n_triangles` from those of its parts, each with its
/// triangles. Joints are shared if all parts have the same ones, and concatenated otherwise.
pub(crate) fn of_whole<'a>(
    n_triangles: usize,
    parts: impl Iterator<Item = (&'a Clusters, &'a [u32])>,
) -> Result<Clusters> {
    let parts: Vec<_> = parts.collect();
    let are_shared = parts.windows(2).all(|two| two[0].0.joints() == two[1].0.joints());
    let mut of_triangle = vec![0; n_triangles];
    let mut observers = Vec::new();
    let mut joints: Vec<[f64; 3]> = Vec::new();
    for (i, (clusters, triangles)) in parts.into_iter().enumerate() {
        let first = observers.len() as u32;
        for (&triangle, &cluster) in triangles.iter().zip(clusters.of_triangles()) {
            of_triangle[triangle as usize] = first + cluster;
        }
        let behind = if are_shared { 0 } else { joints.len() as u32 };
        observers.extend(clusters.observers().iter().map(|&observer| match observer {
            Observer::Joint(joint) => Observer::Joint(behind + joint),
            Observer::Bone(joints) => Observer::Bone(joints.map(|joint| behind + joint)),
            Observer::Free => Observer::Free,
        }));
        if i == 0 || !are_shared {
            joints.extend(clusters.joints());
        }
    }
    Ok(Clusters::new(of_triangle, observers, joints)?)
}

/// Returns the clusters in a file, or `None` if there is no such file. Fails if they are damaged,
/// or belong to another mesh or skeleton; `skeleton` has its joints.
pub(crate) fn load(path: &Path, mesh: &Mesh, skeleton: Option<&[[f64; 3]]>) -> Result<Option<Clusters>> {
    let name = || path.display().to_string();
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        result => result.with_context(name)?,
    };
    let clusters = Clusters::from_bytes(&bytes, mesh).with_context(name)?;
    let fits = clusters.joints().is_empty() || skeleton.is_none_or(|joints| joints == clusters.joints());
    ensure!(fits, "{}: saved clusters: they are of another skeleton", name());
    Ok(Some(clusters))
}

/// Writes clusters to a file.
pub(crate) fn save(path: &Path, mesh: &Mesh, clusters: &Clusters) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(&clusters.to_bytes(mesh)).with_context(|| path.display().to_string())?;
    Ok(file.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_is_cut_and_joined() {
        let joints = vec![[0.0; 3], [1.0; 3]];
        let observers = vec![Observer::Free, Observer::Joint(1), Observer::Bone([0, 1])];
        let whole = Clusters::new(vec![1, 0, 1, 2, 1], observers, joints).unwrap();
        let triangles: [&[u32]; 2] = [&[0, 2, 3], &[1, 4]];
        let parts = triangles.map(|triangles| of_part(&whole, triangles).unwrap());
        assert_eq!(parts[0].of_triangles(), [0, 0, 1]);
        assert_eq!(parts[0].observers(), [Observer::Joint(1), Observer::Bone([0, 1])]);
        assert_eq!(parts[1].of_triangles(), [0, 1]);
        let again = of_whole(5, parts.iter().zip(triangles)).unwrap();
        assert_eq!(again.of_triangles(), [0, 2, 0, 1, 3]);
        assert_eq!(again.joints(), whole.joints());
        for (triangles, part) in triangles.iter().zip(&parts) {
            assert_eq!(of_part(&again, triangles).unwrap(), *part);
        }
        // Different joints are concatenated.
        let other = Clusters::new(vec![0, 0], vec![Observer::Joint(0)], vec![[7.0; 3]]).unwrap();
        let both = of_whole(5, [&parts[0], &other].into_iter().zip(triangles)).unwrap();
        assert_eq!(both.joints(), [[0.0; 3], [1.0; 3], [7.0; 3]]);
        assert_eq!(both.observers()[2], Observer::Joint(2));
    }
}
