//! Clips in memory: the places of episodes, progress, and an end by another thread.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use osculate_cli::{BASELINE_HEAD, Checked, Watch, check_clip};
use osculate_io::{Clip, Surface};

/// A tetrahedron with its point below, over a large triangle, in eight frames: in the fourth and
/// the fifth one, its point is below the triangle.
fn clip() -> Clip {
    let mut rest = vec![[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]];
    rest.extend([[0.0, 0.0, 0.0], [-1.0, -1.0, 2.0], [1.0, -1.0, 2.0], [0.0, 1.0, 2.0]]);
    let surface = Surface {
        faces: vec![[0, 1, 2], [3, 4, 5], [3, 5, 6], [3, 6, 4], [4, 6, 5]],
        n_vertices: 7,
        objects: vec!["floor".to_owned(), "pin".to_owned()],
        static_objects: Vec::new(),
        vertex_object: vec![0, 0, 0, 1, 1, 1, 1],
        skin: None,
        welding: None,
        skipped: 0,
        notes: Vec::new(),
    };
    let heights = [3.0, 2.0, 1.0, -0.5, -1.0, 1.0, 2.0, 3.0];
    let pose = |height: f64| {
        rest.iter().enumerate().map(|(v, &[x, y, z])| [x, y, if v < 3 { z } else { z + height }]).collect()
    };
    Clip::from_poses("pin", 24.0, surface, heights.map(pose).to_vec()).unwrap()
}

fn check(arguments: &[&str], interrupted: bool) -> anyhow::Result<(Checked, usize)> {
    let watch = Watch { interrupted: &AtomicBool::new(interrupted), n_done: Arc::default() };
    let checked = check_clip(clip(), arguments.iter().map(OsString::from), &watch)?;
    Ok((checked, watch.n_done.load(Relaxed)))
}

#[test]
fn places_are_those_of_worst_frames() {
    let (checked, n_done) = check(&[], false).unwrap();
    assert_eq!(n_done, 8);
    let pairs: Vec<_> = checked.report.clips[0].problems().collect();
    let [pair] = pairs[..] else { panic!("{} pairs", pairs.len()) };
    assert_eq!((&*pair.parts[0], &*pair.parts[1]), ("floor", "pin"));
    assert_eq!((pair.episodes[0].frames, pair.episodes[0].worst_frame), (Some([3, 4]), 4));
    let [place] = &checked.places[..] else { panic!("{} places", checked.places.len()) };
    // At frame 4, the three sides of the point cross the floor, in a closed curve.
    assert_eq!(place.triangles, [0, 1, 2, 3]);
    let [curve] = &place.curves[..] else { panic!("{} curves", place.curves.len()) };
    assert_eq!((curve.len(), curve.first()), (4, curve.last()));
    assert!(curve.iter().all(|p| p[2].abs() < 1e-12));
    assert!(checked.baseline[0].contains(r#"parts = ["floor", "pin"]"#) && checked.baseline.len() == 1);
    assert!(BASELINE_HEAD.contains("osculate-baseline/1"));
}

/// A body and clothes over it, each a sheet, closer together than the thickness.
#[test]
fn clothes_that_are_as_close_to_the_body_at_rest_are_left_out() {
    let n = 6;
    let (row, quads) = (n + 1, (0..n * n).map(|i| (i / n) * (n + 1) + i % n));
    let sheet = quads.flat_map(|v| [[v, v + 1, v + row], [v + 1, v + row + 1, v + row]]);
    let sheet: Vec<[u32; 3]> = sheet.collect();
    let of_sheet = row * row;
    let surface = || Surface {
        faces: [0, of_sheet]
            .into_iter()
            .flat_map(|first| sheet.iter().map(move |f| f.map(|v| v + first)))
            .collect(),
        n_vertices: 2 * of_sheet as usize,
        objects: vec!["body".to_owned(), "clothes".to_owned()],
        static_objects: Vec::new(),
        vertex_object: (0..2 * of_sheet).map(|v| v / of_sheet).collect(),
        skin: None,
        welding: None,
        skipped: 0,
        notes: Vec::new(),
    };
    let pose = |slide: f64, gap: f64| -> Vec<[f64; 3]> {
        let place = |v: u32| {
            let [x, y] = [v % of_sheet / row, v % row].map(f64::from);
            if v < of_sheet { [x, y, 0.0] } else { [x + slide, y, gap] }
        };
        (0..2 * of_sheet).map(place).collect()
    };
    // Clothes stay where they are, then slide over the body.
    let poses = || vec![pose(0.0, 0.1), pose(0.0, 0.11), pose(2.0, 0.1)];
    let n_contacts = |rest: Option<Vec<[f64; 3]>>, frames: &str, more: &[&str]| -> u64 {
        let clip = Clip::from_poses_and_rest("dressed", 24.0, surface(), poses(), rest).unwrap();
        let watch = Watch { interrupted: &AtomicBool::new(false), n_done: Arc::default() };
        let arguments = [&["--thickness", "0.2", "--contacts", "--frames", frames], more].concat();
        let checked = check_clip(clip, arguments.iter().map(OsString::from), &watch).unwrap();
        checked.report.clips[0].contacts.unwrap()
    };
    let all = ["0..1", "1..2"].map(|frames| n_contacts(None, frames, &["--no-rest-exclusion"]));
    // Without a rest pose, the first frame is that at rest, whichever frames are checked.
    let n = ["0..1", "1..2", "0..2"].map(|frames| n_contacts(None, frames, &[]));
    assert!(n[0] == 0 && 0 < n[1] && n[1] < all[1] && n[2] == n[1], "{n:?} {all:?}");
    // With one, it counts, too: here, the clothes are elsewhere in it.
    assert_eq!(n_contacts(Some(pose(0.0, 0.15)), "1..2", &[]), n[1]);
    let apart = ["0..1", "1..2", "0..2"].map(|frames| n_contacts(Some(pose(0.0, 5.0)), frames, &[]));
    assert!(0 < apart[0] && apart[2] == apart[0] + apart[1], "{apart:?}");
}

#[test]
fn what_is_set_aside_has_no_place() {
    let (checked, _) = check(&["--ignore", "floor:pin"], false).unwrap();
    assert!(checked.places.is_empty());
    let folder = std::env::temp_dir().join(format!("osculate-in-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("known.toml");
    let (first, _) = check(&[], false).unwrap();
    std::fs::write(&path, BASELINE_HEAD.to_owned() + &first.baseline.concat()).unwrap();
    let (again, _) = check(&["--baseline", path.to_str().unwrap()], false).unwrap();
    assert!(again.report.clips[0].problems().next().is_none());
    assert!(again.places.len() == 1 && again.places[0].triangles.is_empty());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_interrupt_and_another_input_are_errors() {
    let error = check(&[], true).unwrap_err().to_string();
    assert_eq!(error, "interrupted; nothing is finished");
    for other in [&["--scene", "figure"][..], &["other.glb"], &["--clip", "Run"]] {
        let error = check(other, false).unwrap_err().to_string();
        assert!(error.contains("no other input"), "{error}");
    }
}
