use super::*;
use crate::random::random;

/// Two tetrahedra, and an observer of each kind.
fn example() -> (Mesh, Clusters) {
    let one = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let both: Vec<[u32; 3]> = one.into_iter().chain(one.map(|face| face.map(|v| v + 4))).collect();
    let mesh = Mesh::new(both, 8).unwrap();
    let observers = vec![Observer::Bone([2, 0]), Observer::Free, Observer::Joint(1)];
    let joints = vec![[0.5, -0.0, 1e300], [1.0, 5e-324, 3.0], [-7.0, 0.1, 0.2]];
    (mesh, Clusters::new(vec![0, 0, 2, 2, 1, 1, 1, 0], observers, joints).unwrap())
}

/// The sentence with which bytes are rejected.
fn refusal(bytes: &[u8], mesh: &Mesh) -> String {
    match Clusters::from_bytes(bytes, mesh) {
        Err(Error::SavedClusters(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

/// The bytes with a correct checksum.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - CHECKSUM);
    let sum = checksum(bytes.iter().copied());
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn saved_clusters_are_read_back() {
    let (mesh, clusters) = example();
    let bytes = clusters.to_bytes(&mesh);
    let read = Clusters::from_bytes(&bytes, &mesh).unwrap();
    assert_eq!(read, clusters);
    assert_eq!(read.joints()[0][1].to_bits(), (-0.0_f64).to_bits());
    assert_eq!(read.to_bytes(&mesh), bytes);

    let empty = Mesh::new(Vec::new(), 0).unwrap();
    let none = Clusters::new(Vec::new(), Vec::new(), Vec::new()).unwrap();
    assert_eq!(Clusters::from_bytes(&none.to_bytes(&empty), &empty).unwrap(), none);
}

#[test]
fn no_changed_byte_and_no_missing_end_goes_unnoticed() {
    let (mesh, clusters) = example();
    let bytes = clusters.to_bytes(&mesh);
    for i in 0..bytes.len() {
        for bit in 0..8 {
            let mut wrong = bytes.clone();
            wrong[i] ^= 1 << bit;
            refusal(&wrong, &mesh);
        }
        let problem = refusal(&bytes[..i], &mesh);
        assert!(problem.starts_with("cut off"), "{i}: {problem}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert_eq!(refusal(&longer, &mesh), "1 bytes too many");
}

#[test]
fn each_fault_has_a_sentence_of_its_own() {
    let (mesh, clusters) = example();
    let bytes = clusters.to_bytes(&mesh);
    assert_eq!(refusal(b"glTF and more", &mesh), "these bytes are something else");
    let with = |at: usize, number: u32| {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
        resealed(changed)
    };
    assert_eq!(refusal(&with(8, 2), &mesh), "they are of version 2, and only version 1 can be read");
    for at in [12, 16, 20] {
        assert!(refusal(&with(at, u32::MAX), &mesh).starts_with("cut off after"), "{at}");
    }
    let mut damaged = bytes.clone();
    damaged[HEADER + 3] ^= 1;
    assert_eq!(refusal(&damaged, &mesh), "they are damaged: the checksum is wrong");
    // Numbers that fit neither a cluster nor an observer nor a joint, with a correct checksum.
    assert_eq!(refusal(&with(HEADER, 3), &mesh), "triangle 0 is in cluster 3, but there are 3 observers");
    let observers = HEADER + 4 * 8;
    assert_eq!(refusal(&with(observers, 9), &mesh), "the observer of cluster 0 is of the unknown kind 9");
    assert_eq!(
        refusal(&with(observers + 4, 3), &mesh),
        "the observer of cluster 0 is at joint 3, but there are 3 joints"
    );
    let not_a_number = with(observers + 12 * 3 + 4, 0x7ff8_0000);
    assert!(refusal(&not_a_number, &mesh).starts_with("joint 0 has a non-finite x"));
}

#[test]
fn clusters_of_another_mesh_are_refused() {
    let (mesh, clusters) = example();
    let bytes = clusters.to_bytes(&mesh);
    let turned: Vec<[u32; 3]> = mesh.triangles().iter().map(|&[a, b, c]| [b, c, a]).collect();
    let mut fewer = mesh.triangles().to_vec();
    fewer.pop();
    let same = "they are of another mesh, with as many triangles";
    assert_eq!(refusal(&bytes, &Mesh::new(turned, 8).unwrap()), same);
    assert_eq!(refusal(&bytes, &Mesh::new(mesh.triangles().to_vec(), 9).unwrap()), same);
    assert_eq!(
        refusal(&bytes, &Mesh::new(fewer, 8).unwrap()),
        "they are of another mesh, one of 8 triangles and not of 7"
    );
}

#[test]
fn random_bytes_are_refused() {
    let (mesh, clusters) = example();
    let bytes = clusters.to_bytes(&mesh);
    let mut next = random(7);
    for round in 0..20_000 {
        let length = (next() * 300.0) as usize;
        let mut noise: Vec<u8> = (0..length).map(|_| (next() * 256.0) as u8).collect();
        // As much of a correct start as lets the noise reach the later checks; now and then with a
        // correct checksum.
        let kept = [0, 8, 12, 24, HEADER, bytes.len() - 20][round % 6].min(length);
        noise[..kept].copy_from_slice(&bytes[..kept]);
        if round % 2 == 0 && CHECKSUM < length {
            noise = resealed(noise);
        }
        assert!(noise == bytes || Clusters::from_bytes(&noise, &mesh).is_err());
        let mut changed = bytes.clone();
        for _ in 0..1 + round % 4 {
            let at = 12 + (next() * (bytes.len() - 12 - CHECKSUM) as f64) as usize;
            changed[at] = (next() * 256.0) as u8;
        }
        // It either fails with an error, or is clusters of this mesh.
        if let Ok(read) = Clusters::from_bytes(&resealed(changed), &mesh) {
            assert_eq!(read.of_triangles().len(), mesh.triangles().len());
        }
    }
}
