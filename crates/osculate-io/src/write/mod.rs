//! Writes reports (JSON, CSV, Parquet, JUnit, SARIF), animations (NPZ, GLB) and painted surfaces
//! (PLY, GLB).
//!
//! A [`Report`] is plain data: which pairs of parts overlap, in which runs of frames. The contacts
//! and crossings of frames are written frame by frame, so a long run takes no memory. The same
//! content gives the same bytes, and every f64 in a report reads back bit for bit.
//!
//! # The columns of a table
//!
//! CSV and Parquet files have a row for each episode:
//!
//! | columns | meaning |
//! |---|---|
//! | `file`, `clip`, `part_a`, `part_b` | names |
//! | `status` | `new`, or `baseline` or `throughout` if it is set aside |
//! | `enter`, `leave`, `enter_seconds`, `leave_seconds` | when, in frames and in seconds |
//! | `worst_frame`, `severity_share` | the worst frame, and how bad it is, see [`Measure`] |
//! | `length`, `extent`, `crossings`, `point_x` … `point_z` | the intersection in that frame |
//! | `first_frame`, `last_frame` | the frames with crossings, if there are any |
//! | `depth`, `depth_share`, `area` | the depth and the enclosed area, where they exist |
//!
//! or, if contacts are asked for, a row for each contact and each crossing:
//!
//! | columns | meaning |
//! |---|---|
//! | `frame`, `from`, `to` | the step, see [`Frame`] |
//! | `kind` | `vf`, `ee` or `crossing` |
//! | `a0`, `a1` | vertices of the first feature; a vertex has no `a1` |
//! | `b0`, `b1`, `b2` | vertices of the second feature; an edge has no `b2` |
//! | `toi_lo`, `toi_hi` | the interval of the first contact |
//! | `point_x` … `point_z`, `normal_x` … `normal_z` | contact point and normal |
//! | `weight_0` … `weight_3` | weights of the vertices, those of the first feature first |
//! | `body_a`, `body_b`, `bone_a`, `bone_b` | bodies and bones of the features |
//! | `triangle_a`, `triangle_b` | the triangles of a crossing |
//! | `segment_x0` … `segment_z1` | the ends of the intersection, if that is a segment |
//! | `distance` | distance of the features at `toi_lo` |
//! | `clip` | name of the clip, the last column |
//!
//! Cells that do not apply are empty.

mod atomic;
mod report;
mod episodes;
mod spool;
mod json;
mod columns;
mod csv;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod dataset;
mod junit;
mod sarif;
mod animation;
mod npz;
mod glb;
mod ply;

use std::io::Write as _;
use std::path::Path;

use crate::error::{Error, Result};

pub use animation::{Animation, Governed, Motion, Rig};
pub use atomic::{AtomicFile, sync_folder_of};
pub use csv::CsvWriter;
#[cfg(feature = "parquet")]
pub use dataset::ClipRow;
pub use episodes::{ClipReport, DEPTH_OF_EXTENT, Episode, File, Measure, Pair, Report, Status};
pub use glb::{glb, painted_glb};
pub use json::JsonWriter;
pub use junit::junit;
pub use npz::npz;
#[cfg(feature = "parquet")]
pub use parquet::ParquetWriter;
pub use ply::{Painted, ply};
pub use report::{Contact, Crossing, FORMAT, Frame, Guarantee, Header, Kind, Model};
pub use sarif::{SARIF_VERSION, sarif};

/// Writes an animation to a file; its extension, .glb or .npz, determines the format.
pub fn save(animation: &Animation, path: &Path) -> Result<()> {
    let bytes = match path.extension().map(|extension| extension.to_ascii_lowercase()) {
        Some(extension) if extension == "glb" => glb(animation)?,
        Some(extension) if extension == "npz" => npz(animation)?,
        _ => {
            let problem = format!("{}: animations are written as .glb and .npz", path.display());
            return Err(Error::Inputs { problem });
        }
    };
    let mut file = AtomicFile::create(path)?;
    file.write_all(&bytes).map_err(|error| Error::Io { path: path.to_owned(), error })?;
    file.finish()
}
