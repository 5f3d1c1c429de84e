//! Reports as Parquet: a row for each episode, or for each contact and each crossing.
//!
//! The columns are unsigned 32-bit integers, doubles and texts; null where a value does not apply.
//! The header of the report, without the origin of the vertices, is the value of the file's key
//! `osculate`. Pages are compressed with LZ4.

use std::io::{Error, Result, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type as SchemaType};

use super::columns::{CONTACTS, Cell, Columns, EPISODES, Type, for_each_episode, rows};
use super::episodes::Report;
use super::report::{Frame, Header, Model};

/// Rows of a group. A group is buffered in memory: some 30 MB.
pub(super) const GROUP_ROWS: usize = 1 << 17;

/// Writes the episodes of a report, or its contacts and crossings, as Parquet, with these
/// [columns](crate::write#the-columns-of-a-table).
#[derive(Debug)]
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    /// The first cells of every row.
    lead: Vec<String>,
    columns: Vec<Column>,
    n_required: usize,
    n_rows: usize,
    group_rows: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Writes the start of a table of contacts and crossings.
    pub fn new(out: W, header: &Header) -> Result<Self> {
        Self::with_group_rows(out, header, GROUP_ROWS)
    }

    /// The same, with groups of at most the given number of rows. More rows are faster to read, and
    /// take more memory while writing.
    pub fn with_group_rows(out: W, header: &Header, group_rows: usize) -> Result<Self> {
        Self::with_columns(out, Some(header), group_rows, CONTACTS, &[])
    }

    /// Writes the start of a table of episodes.
    pub fn of_episodes(out: W, header: &Header) -> Result<Self> {
        Self::with_columns(out, Some(header), GROUP_ROWS, EPISODES, &[])
    }

    /// Writes the start of a table with columns in front that are the same in all rows: their names
    /// and texts.
    pub(super) fn with_columns(
        out: W,
        header: Option<&Header>,
        group_rows: usize,
        of: Columns,
        lead: &[(&'static str, &str)],
    ) -> Result<Self> {
        let mut all: Vec<(&str, Type)> = lead.iter().map(|&(name, _)| (name, Type::Text)).collect();
        all.extend(of.all);
        let n_required = lead.len() + of.required;
        let schema = schema(of.name, &all, n_required).map_err(Error::other)?;
        let properties = Arc::new(properties(header, &all)?);
        let file = SerializedFileWriter::new(out, schema, properties).map_err(Error::other)?;
        let columns = all.iter().map(|&(_, kind)| Column::new(kind)).collect();
        let lead = lead.iter().map(|&(_, text)| text.to_owned()).collect();
        Ok(Self { file, lead, columns, n_required, n_rows: 0, group_rows: group_rows.max(1) })
    }

    /// Adds the rows of a frame.
    pub fn frame(&mut self, frame: &Frame) -> Result<()> {
        rows(frame).try_for_each(|row| self.row(&row))
    }

    /// Adds the rows of all episodes.
    pub fn episodes(&mut self, report: &Report) -> Result<()> {
        for_each_episode(report, |row| self.row(row))
    }

    pub(super) fn row(&mut self, row: &[Cell]) -> Result<()> {
        let lead = self.lead.iter().map(|text| Cell::Text(Some(text)));
        for (column, cell) in self.columns.iter_mut().zip(lead.chain(row.iter().copied())) {
            column.push(cell);
        }
        self.n_rows += 1;
        if self.n_rows == self.group_rows {
            self.write_group().map_err(Error::other)?;
        }
        Ok(())
    }

    /// Finishes the file and returns the writer.
    pub fn finish(mut self) -> Result<W> {
        if 0 < self.n_rows {
            self.write_group().map_err(Error::other)?;
        }
        let mut out = self.file.into_inner().map_err(Error::other)?;
        out.flush()?;
        Ok(out)
    }

    fn write_group(&mut self) -> std::result::Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        let mut columns = self.columns.iter_mut().enumerate();
        while let (Some(mut writer), Some((i, column))) = (group.next_column()?, columns.next()) {
            column.write(&mut writer, self.n_required <= i)?;
            writer.close()?;
        }
        group.close()?;
        self.n_rows = 0;
        Ok(())
    }
}

/// The values of a column in the current group.
#[derive(Debug)]
struct Column {
    values: Values,
    /// 1 for each row with a value, 0 for null.
    levels: Vec<i16>,
}

#[derive(Debug)]
enum Values {
    U32(Vec<i32>),
    U64(Vec<i64>),
    F64(Vec<f64>),
    Text(Vec<ByteArray>),
}

impl Column {
    fn new(kind: Type) -> Self {
        let values = match kind {
            Type::U32 => Values::U32(Vec::new()),
            Type::U64 => Values::U64(Vec::new()),
            Type::F64 => Values::F64(Vec::new()),
            Type::Text => Values::Text(Vec::new()),
        };
        Self { values, levels: Vec::new() }
    }

    fn push(&mut self, cell: Cell) {
        match (&mut self.values, cell) {
            // Parquet stores unsigned integers in the bits of signed ones.
            (Values::U32(values), Cell::U32(Some(value))) => values.push(value.cast_signed()),
            (Values::U64(values), Cell::U64(Some(value))) => values.push(value.cast_signed()),
            (Values::F64(values), Cell::F64(Some(value))) => values.push(value),
            (Values::Text(values), Cell::Text(Some(text))) => values.push(text.into()),
            _ => return self.levels.push(0),
        }
        self.levels.push(1);
    }

    /// Moves the values into the file.
    fn write(
        &mut self,
        writer: &mut SerializedColumnWriter,
        is_optional: bool,
    ) -> std::result::Result<(), ParquetError> {
        let levels = is_optional.then_some(&self.levels[..]);
        match &mut self.values {
            Values::U32(values) => {
                writer.typed::<Int32Type>().write_batch(values, levels, None)?;
                values.clear();
            }
            Values::U64(values) => {
                writer.typed::<Int64Type>().write_batch(values, levels, None)?;
                values.clear();
            }
            Values::F64(values) => {
                writer.typed::<DoubleType>().write_batch(values, levels, None)?;
                values.clear();
            }
            Values::Text(values) => {
                writer.typed::<ByteArrayType>().write_batch(values, levels, None)?;
                values.clear();
            }
        }
        self.levels.clear();
        Ok(())
    }
}

fn schema(
    name: &str,
    columns: &[(&str, Type)],
    n_required: usize,
) -> std::result::Result<Arc<SchemaType>, ParquetError> {
    let field = |(i, &(name, kind)): (usize, &(&str, Type))| {
        let (physical, logical) = match kind {
            Type::U32 => (PhysicalType::INT32, Some(LogicalType::integer(32, false))),
            Type::U64 => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
            Type::F64 => (PhysicalType::DOUBLE, None),
            Type::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if i < n_required { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let field = SchemaType::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition);
        field.build().map(Arc::new)
    };
    let fields = columns.iter().enumerate().map(field).collect::<std::result::Result<_, _>>()?;
    Ok(Arc::new(SchemaType::group_type_builder(name).with_fields(fields).build()?))
}

fn properties(header: Option<&Header>, columns: &[(&str, Type)]) -> Result<WriterProperties> {
    let without_source =
        |header: &Header| Header { model: Model { source: None, ..header.model.clone() }, ..header.clone() };
    let text = header.map(|header| serde_json::to_string(&without_source(header))).transpose()?;
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::LZ4_RAW)
        .set_key_value_metadata(text.map(|text| vec![KeyValue::new("osculate".to_owned(), text)]))
        // Most numbers occur once; a dictionary would be tried and dropped.
        .set_dictionary_enabled(false);
    for (name, _) in columns.iter().filter(|(_, kind)| *kind == Type::Text) {
        builder = builder.set_column_dictionary_enabled(ColumnPath::from(*name), true);
    }
    Ok(builder.build())
}
