//! The tables of CSV and Parquet files, documented in [`super`]: a row for each episode, or a row
//! for each contact and each crossing.

use super::episodes::{ClipReport, Episode, Pair, Report};
use super::report::{Contact, Crossing, Frame, Kind};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    U32,
    // In the data sets of many clips only, which are Parquet.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    U64,
    F64,
    Text,
}

/// A value of a row; `None` is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    U32(Option<u32>),
    U64(Option<u64>),
    F64(Option<f64>),
    Text(Option<&'a str>),
}

/// Names and types of columns in order, and how many of them are never empty, which stand first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    // The name of a Parquet schema.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub(super) name: &'static str,
    pub(super) all: &'static [(&'static str, Type)],
    // Of CSV files, all cells may be empty.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub(super) required: usize,
}

/// The columns of contacts and crossings.
pub(super) const CONTACTS: Columns = Columns { name: "contacts", all: &COLUMNS, required: 4 };

/// The columns of episodes.
pub(super) const EPISODES: Columns = Columns {
    name: "episodes",
    all: &[
        ("file", Type::Text),
        ("clip", Type::Text),
        ("part_a", Type::Text),
        ("part_b", Type::Text),
        ("status", Type::Text),
        ("enter", Type::F64),
        ("leave", Type::F64),
        ("enter_seconds", Type::F64),
        ("leave_seconds", Type::F64),
        ("worst_frame", Type::U32),
        ("severity_share", Type::F64),
        ("length", Type::F64),
        ("extent", Type::F64),
        ("crossings", Type::U32),
        ("point_x", Type::F64),
        ("point_y", Type::F64),
        ("point_z", Type::F64),
        ("first_frame", Type::U32),
        ("last_frame", Type::U32),
        ("depth", Type::F64),
        ("depth_share", Type::F64),
        ("area", Type::F64),
    ],
    required: 17,
};

/// Returns the row of an episode.
pub(super) fn of_episode<'a>(
    report: &'a Report,
    clip: &'a ClipReport,
    pair: &'a Pair,
    episode: &Episode,
) -> Vec<Cell<'a>> {
    let text = |text: &'a str| Cell::Text(Some(text));
    let number = |number: f64| Cell::F64(Some(number));
    let Episode { frames, enter, leave, seconds, worst_frame, worst } = *episode;
    let [x, y, z] = worst.point;
    vec![
        text(&report.files[clip.file].name),
        text(&clip.name),
        text(&pair.parts[0]),
        text(&pair.parts[1]),
        text(pair.status.word()),
        number(enter),
        number(leave),
        number(seconds[0]),
        number(seconds[1]),
        Cell::U32(Some(worst_frame)),
        number(report.share(clip, worst.severity())),
        number(worst.length),
        number(worst.extent),
        Cell::U32(Some(worst.crossings)),
        number(x),
        number(y),
        number(z),
        Cell::U32(frames.map(|[first, _]| first)),
        Cell::U32(frames.map(|[_, last]| last)),
        Cell::F64(worst.depth),
        Cell::F64(worst.depth.map(|depth| report.share(clip, depth))),
        Cell::F64(worst.area),
    ]
}

/// Calls `row` with the row of each episode, the worst pairs first.
pub(super) fn for_each_episode<E>(
    report: &Report,
    mut row: impl FnMut(&[Cell]) -> Result<(), E>,
) -> Result<(), E> {
    for (clip, pair) in report.ranked(true).into_iter().chain(report.ranked(false)) {
        for episode in &pair.episodes {
            row(&of_episode(report, clip, pair, episode))?;
        }
    }
    Ok(())
}

/// The columns of contacts in order: name and type.
pub(super) const COLUMNS: [(&str, Type); 35] = [
    ("frame", Type::U32),
    ("from", Type::U32),
    ("to", Type::U32),
    ("kind", Type::Text),
    ("a0", Type::U32),
    ("a1", Type::U32),
    ("b0", Type::U32),
    ("b1", Type::U32),
    ("b2", Type::U32),
    ("toi_lo", Type::F64),
    ("toi_hi", Type::F64),
    ("point_x", Type::F64),
    ("point_y", Type::F64),
    ("point_z", Type::F64),
    ("normal_x", Type::F64),
    ("normal_y", Type::F64),
    ("normal_z", Type::F64),
    ("weight_0", Type::F64),
    ("weight_1", Type::F64),
    ("weight_2", Type::F64),
    ("weight_3", Type::F64),
    ("body_a", Type::U32),
    ("body_b", Type::U32),
    ("bone_a", Type::Text),
    ("bone_b", Type::Text),
    ("triangle_a", Type::U32),
    ("triangle_b", Type::U32),
    ("segment_x0", Type::F64),
    ("segment_y0", Type::F64),
    ("segment_z0", Type::F64),
    ("segment_x1", Type::F64),
    ("segment_y1", Type::F64),
    ("segment_z1", Type::F64),
    ("distance", Type::F64),
    ("clip", Type::Text),
];

/// The cells of a row, in the order of [`COLUMNS`].
pub(super) type Row<'a> = [Cell<'a>; COLUMNS.len()];

/// Returns the rows of a frame: its contacts, then its crossings.
pub(super) fn rows(frame: &Frame) -> impl Iterator<Item = Row<'_>> {
    let contacts = frame.contacts.iter().map(|contact| of_contact(frame, contact));
    contacts.chain(frame.crossings.iter().map(|crossing| of_crossing(frame, crossing)))
}

/// Returns an otherwise empty row of a frame.
fn empty<'a>(frame: &'a Frame, kind: &'a str) -> Row<'a> {
    let mut row = COLUMNS.map(|(_, kind)| match kind {
        Type::U32 => Cell::U32(None),
        Type::U64 => Cell::U64(None),
        Type::F64 => Cell::F64(None),
        Type::Text => Cell::Text(None),
    });
    set_integers(&mut row, 0, [frame.frame, frame.from, frame.to].map(Some));
    row[3] = Cell::Text(Some(kind));
    row[34] = Cell::Text(Some(&frame.clip));
    row
}

fn of_contact<'a>(frame: &'a Frame, contact: &'a Contact) -> Row<'a> {
    let mut row = empty(frame, contact.kind.word());
    let [p, q, r, s] = contact.vertices.map(Some);
    let vertices = match contact.kind {
        Kind::VertexFace => [p, None, q, r, s],
        Kind::EdgeEdge => [p, q, r, s, None],
    };
    set_integers(&mut row, 4, vertices);
    set_numbers(&mut row, 9, &contact.toi);
    set_numbers(&mut row, 11, &contact.point);
    set_numbers(&mut row, 14, &contact.normal);
    set_numbers(&mut row, 17, &contact.weights);
    set_numbers(&mut row, 33, &[contact.distance]);
    set_integers(&mut row, 21, contact.bodies.map(Some));
    if let Some([a, b]) = &contact.bones {
        (row[23], row[24]) = (Cell::Text(Some(a)), Cell::Text(Some(b)));
    }
    row
}

fn of_crossing<'a>(frame: &'a Frame, crossing: &'a Crossing) -> Row<'a> {
    let mut row = empty(frame, "crossing");
    set_integers(&mut row, 21, crossing.bodies.map(Some));
    if let Some([a, b]) = &crossing.bones {
        (row[23], row[24]) = (Cell::Text(Some(a)), Cell::Text(Some(b)));
    }
    set_integers(&mut row, 25, crossing.triangles.map(Some));
    if let Some([a, b]) = &crossing.segment {
        set_numbers(&mut row, 27, a);
        set_numbers(&mut row, 30, b);
    }
    row
}

fn set_integers<const N: usize>(row: &mut Row, first: usize, values: [Option<u32>; N]) {
    for (cell, value) in row[first..].iter_mut().zip(values) {
        *cell = Cell::U32(value);
    }
}

fn set_numbers(row: &mut Row, first: usize, values: &[f64]) {
    for (cell, &value) in row[first..].iter_mut().zip(values) {
        *cell = Cell::F64(Some(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Every cell has the type of its column, and no applicable cell is empty.
    #[test]
    fn cells_fit_their_columns() {
        let contact = |kind| Contact {
            kind,
            vertices: [1, 2, 3, 4],
            toi: [0.25, 0.5],
            point: [1.0; 3],
            normal: [1.0, 0.0, 0.0],
            weights: [0.5; 4],
            distance: 0.125,
            bodies: [0, 1],
            bones: Some([Arc::from("hip"), Arc::from("knee")]),
        };
        let crossing =
            Crossing { triangles: [7, 8], segment: Some([[0.0; 3], [1.0; 3]]), bodies: [0, 1], bones: None };
        let frame = Frame {
            contacts: vec![contact(Kind::VertexFace), contact(Kind::EdgeEdge)],
            crossings: vec![crossing],
            ..Frame::default()
        };
        let n_filled = rows(&frame).map(|row| {
            row.iter()
                .zip(COLUMNS)
                .filter(|(cell, (name, kind))| match (cell, kind) {
                    (Cell::U32(value), Type::U32) => value.is_some(),
                    (Cell::U64(value), Type::U64) => value.is_some(),
                    (Cell::F64(value), Type::F64) => value.is_some(),
                    (Cell::Text(value), Type::Text) => value.is_some(),
                    _ => panic!("column {name} holds {cell:?}"),
                })
                .count()
        });
        assert_eq!(n_filled.collect::<Vec<_>>(), [26, 26, 15]);
    }
}
