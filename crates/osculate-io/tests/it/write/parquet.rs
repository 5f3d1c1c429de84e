//! Parquet, read back row by row.

use bytes::Bytes;
use osculate_io::write::{Frame, ParquetWriter};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};

use super::support::{frames, header};

fn parquet(frames: &[Frame], group_rows: usize) -> Vec<u8> {
    let mut writer = ParquetWriter::with_group_rows(Vec::new(), &header(), group_rows).unwrap();
    frames.iter().for_each(|frame| writer.frame(frame).unwrap());
    writer.finish().unwrap()
}

fn field<'a>(row: &'a Row, name: &str) -> &'a Field {
    row.get_column_iter().find(|(column, _)| *column == name).unwrap().1
}

fn check_numbers(row: &Row, names: &[&str], numbers: &[f64]) {
    assert_eq!(names.len(), numbers.len());
    for (name, number) in names.iter().zip(numbers) {
        match field(row, name) {
            Field::Double(value) => assert_eq!(value.to_bits(), number.to_bits()),
            other => panic!("{name} is {other:?}"),
        }
    }
}

fn check_integers(row: &Row, names: &[&str], integers: &[u32]) {
    let found: Vec<&Field> =
        names.iter().map(|name| field(row, name)).filter(|f| **f != Field::Null).collect();
    assert_eq!(
        found,
        integers.iter().map(|&value| Field::UInt(value)).collect::<Vec<_>>().iter().collect::<Vec<_>>()
    );
}

#[test]
fn parquet_reads_back_bit_for_bit() {
    let frames = frames(4);
    let bytes = parquet(&frames, 100);
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    let metadata = reader.metadata();
    let n_rows: usize = frames.iter().map(|frame| frame.contacts.len() + frame.crossings.len()).sum();
    assert_eq!(metadata.file_metadata().num_rows(), n_rows as i64);
    assert_eq!(metadata.num_row_groups(), n_rows.div_ceil(100));
    assert!(metadata.row_groups().iter().all(|group| group.num_rows() <= 100));
    let entry = &metadata.file_metadata().key_value_metadata().unwrap()[0];
    let header: serde_json::Value = serde_json::from_str(entry.value.as_ref().unwrap()).unwrap();
    assert_eq!((&*entry.key, &header["method"]), ("osculate", &"bvh".into()));
    let mut rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    for frame in &frames {
        for contact in &frame.contacts {
            let row = rows.next().unwrap();
            assert_eq!(field(&row, "frame"), &Field::UInt(frame.frame));
            assert_eq!(field(&row, "kind"), &Field::Str(contact.kind.word().into()));
            check_integers(&row, &["a0", "a1"], contact.a());
            check_integers(&row, &["b0", "b1", "b2"], contact.b());
            check_integers(&row, &["body_a", "body_b"], &contact.bodies);
            check_numbers(&row, &["toi_lo", "toi_hi"], &contact.toi);
            check_numbers(&row, &["point_x", "point_y", "point_z"], &contact.point);
            check_numbers(&row, &["normal_x", "normal_y", "normal_z"], &contact.normal);
            check_numbers(&row, &["weight_0", "weight_1", "weight_2", "weight_3"], &contact.weights);
            check_numbers(&row, &["distance"], &[contact.distance]);
            let bone = contact.bones.as_ref().map_or(Field::Null, |[a, _]| Field::Str((&**a).into()));
            assert_eq!(field(&row, "bone_a"), &bone);
            assert_eq!(field(&row, "triangle_a"), &Field::Null);
        }
        for crossing in &frame.crossings {
            let row = rows.next().unwrap();
            assert_eq!(field(&row, "kind"), &Field::Str("crossing".into()));
            check_integers(&row, &["triangle_a", "triangle_b"], &crossing.triangles);
            assert_eq!(field(&row, "toi_lo"), &Field::Null);
            if let Some([a, b]) = &crossing.segment {
                check_numbers(&row, &["segment_x0", "segment_y0", "segment_z0"], a);
                check_numbers(&row, &["segment_x1", "segment_y1", "segment_z1"], b);
            }
        }
    }
    assert!(rows.next().is_none());
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    assert_eq!(parquet(&frames(5), 1000), parquet(&frames(5), 1000));
}

#[test]
fn a_report_without_contacts_is_valid() {
    let reader = SerializedFileReader::new(Bytes::from(parquet(&[], 1000))).unwrap();
    assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
}
