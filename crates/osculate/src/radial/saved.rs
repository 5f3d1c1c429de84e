//! Clusters as bytes, for files.
//!
//! All numbers are little-endian: a mark of eight bytes; the version; the numbers of triangles,
//! clusters and joints; a fingerprint of the mesh; for each triangle its cluster; for each cluster
//! the kind of its observer and two joints; for each joint three coordinates; and a checksum of
//! everything before it.

use super::{Clusters, Observer};
use crate::{Error, Mesh};

/// The first eight bytes.
const MARK: &[u8; 8] = b"osculcls";
/// The only version.
const VERSION: u32 = 1;
/// Bytes before the first cluster: the mark, four numbers of four bytes, and the fingerprint.
const HEADER: usize = 8 + 4 * 4 + 8;
/// Bytes of the checksum.
const CHECKSUM: usize = 8;
/// Bytes of a triangle, of an observer, and of a joint.
const SIZES: [u64; 3] = [4, 12, 24];

const JOINT: u32 = 0;
const BONE: u32 = 1;
const FREE: u32 = 2;

impl Clusters {
    /// Returns the clusters as bytes for [`from_bytes`](Clusters::from_bytes). They identify their
    /// mesh.
    #[must_use]
    pub fn to_bytes(&self, mesh: &Mesh) -> Vec<u8> {
        let counts = [self.of_triangles().len(), self.len(), self.joints().len()];
        let mut bytes = Vec::with_capacity(total_size(counts.map(|n| n as u32)) as usize);
        bytes.extend(MARK);
        bytes.extend(VERSION.to_le_bytes());
        counts.iter().for_each(|&n| bytes.extend((n as u32).to_le_bytes()));
        bytes.extend(fingerprint(mesh).to_le_bytes());
        self.of_triangles().iter().for_each(|cluster| bytes.extend(cluster.to_le_bytes()));
        for observer in self.observers() {
            let numbers = match *observer {
                Observer::Joint(joint) => [JOINT, joint, joint],
                Observer::Bone([a, b]) => [BONE, a, b],
                Observer::Free => [FREE, 0, 0],
            };
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        self.joints().as_flattened().iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        let sum = checksum(bytes.iter().copied());
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Returns [saved](Clusters::to_bytes) clusters. Fails with [`Error::SavedClusters`] and the
    /// reason if the bytes are something else, of another version, incomplete, damaged, or the
    /// clusters of another mesh.
    pub fn from_bytes(bytes: &[u8], mesh: &Mesh) -> Result<Clusters, Error> {
        let fail = |problem: String| Err(Error::SavedClusters(problem));
        if bytes.iter().zip(MARK).any(|(found, expected)| found != expected) {
            return fail("these bytes are something else".to_owned());
        }
        if bytes.len() < HEADER + CHECKSUM {
            return fail(format!("cut off after {} bytes", bytes.len()));
        }
        let (header, behind) = bytes.split_at(HEADER);
        let [version, triangles, clusters, joints] = [8, 12, 16, 20].map(|at| u32_at(header, at));
        if version != VERSION {
            return fail(format!("they are of version {version}, and only version {VERSION} can be read"));
        }
        // Nothing is allocated for counts that exceed the bytes.
        let expected = total_size([triangles, clusters, joints]);
        let found = bytes.len() as u64;
        if found < expected {
            return fail(format!("cut off after {found} of {expected} bytes"));
        }
        if expected < found {
            return fail(format!("{} bytes too many", found - expected));
        }
        let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if checksum(content.iter().copied()) != u64_at(sum, 0) {
            return fail("they are damaged: the checksum is wrong".to_owned());
        }
        let n_triangles = mesh.triangles().len();
        if triangles as usize != n_triangles {
            return fail(format!(
                "they are of another mesh, one of {triangles} triangles and not of {n_triangles}"
            ));
        }
        if u64_at(header, 24) != fingerprint(mesh) {
            return fail("they are of another mesh, with as many triangles".to_owned());
        }

        let (of_triangles, behind) = behind.split_at(4 * n_triangles);
        let (of_observers, behind) = behind.split_at(12 * clusters as usize);
        let of_joints = &behind[..24 * joints as usize];
        let of_triangle = of_triangles.chunks_exact(4).map(|number| u32_at(number, 0)).collect();
        let mut observers = Vec::with_capacity(clusters as usize);
        for (cluster, numbers) in of_observers.chunks_exact(12).enumerate() {
            let [kind, a, b] = [0, 4, 8].map(|at| u32_at(numbers, at));
            observers.push(match kind {
                JOINT => Observer::Joint(a),
                BONE => Observer::Bone([a, b]),
                FREE => Observer::Free,
                _ => return fail(format!("the observer of cluster {cluster} is of the unknown kind {kind}")),
            });
        }
        let coordinates = |joint: &[u8]| [0, 8, 16].map(|at| f64::from_bits(u64_at(joint, at)));
        let joints = of_joints.chunks_exact(24).map(coordinates).collect();
        Clusters::new(of_triangle, observers, joints).map_err(|fault| Error::SavedClusters(fault.to_string()))
    }
}

/// Bytes of clusters with these numbers of triangles, clusters and joints; at most 2^38, so the sum
/// does not overflow.
fn total_size(counts: [u32; 3]) -> u64 {
    let content: u64 = counts.iter().zip(SIZES).map(|(&n, size)| u64::from(n) * size).sum();
    (HEADER + CHECKSUM) as u64 + content
}

/// A number that two meshes with different triangles are unlikely to share.
fn fingerprint(mesh: &Mesh) -> u64 {
    let numbers = std::iter::once(mesh.n_vertices() as u32).chain(mesh.triangles().iter().copied().flatten());
    checksum(numbers.flat_map(u32::to_le_bytes))
}

/// FNV-1a. Each step is invertible, so two byte sequences that differ in one byte never have the
/// same checksum.
fn checksum(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The number at a position that is known to exist.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

#[cfg(test)]
mod tests;
