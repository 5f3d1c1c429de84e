//! The folder of a data set: three tables of Parquet files, one file for each clip.
//!
//! ```text
//! dataset/clips/part=p3f/3f…-….parquet      one row
//! dataset/episodes/part=p3f/3f…-….parquet   if there are any
//! dataset/contacts/part=p3f/3f…-….parquet   with --contacts
//! ```
//!
//! Files are written elsewhere and renamed, so each is whole. The row in `clips` is written last
//! and removed first: where it is, the other tables have all that belongs to it.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use osculate_io::write::{AtomicFile, ClipRow, ParquetWriter, Report, sync_folder_of};

use super::key::{self, Slot};

/// The tables, in the order in which they are removed.
const TABLES: [&str; 3] = [CLIPS, EPISODES, CONTACTS];
const CLIPS: &str = "clips";
const EPISODES: &str = "episodes";
const CONTACTS: &str = "contacts";

/// Where files are until they are finished.
const UNFINISHED: &str = ".unfinished";

/// An unfinished file that was not written to for this long belongs to a process that was killed.
/// Too short a time disturbs slow processes; with too long a one, remains stay for longer.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// A table of one clip that is being written.
pub(super) type Writer = ParquetWriter<AtomicFile>;

/// The folder of a data set.
pub(super) struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens a data set, or creates it. Every table then has a file, without rows, so that it can
    /// be read before the first clip is there.
    pub(super) fn open(folder: &Path, has_contacts: bool) -> Result<Store> {
        let store = Store { folder: folder.to_owned() };
        create(&store.unfinished())?;
        store.tidy();
        let slot = Slot { part: "part=none".to_owned(), name: "schema.parquet".to_owned() };
        if !store.path(CLIPS, &slot).exists() {
            ParquetWriter::clips(store.file(CLIPS, &slot)?, &[])?.finish()?;
        }
        if !store.path(EPISODES, &slot).exists() {
            ParquetWriter::keyed_episodes(store.file(EPISODES, &slot)?, "")?.finish()?.finish()?;
        }
        if has_contacts && !store.path(CONTACTS, &slot).exists() {
            store.contacts(&slot, "", "")?.finish()?.finish()?;
        }
        Ok(store)
    }

    /// The row of a clip, if it is there.
    pub(super) fn row(&self, slot: &Slot) -> Option<ClipRow> {
        ClipRow::read(&self.path(CLIPS, slot))
    }

    /// Starts the table of contacts of a clip.
    pub(super) fn contacts(&self, slot: &Slot, key: &str, file: &str) -> Result<Writer> {
        Ok(ParquetWriter::keyed_contacts(self.file(CONTACTS, slot)?, key, file)?)
    }

    /// Puts a clip into the data set, in place of what is in its slot. Another process may do the
    /// same at the same time: equal keys have equal bytes.
    pub(super) fn commit(
        &self,
        slot: &Slot,
        row: &ClipRow,
        report: Option<&Report>,
        contacts: Option<Writer>,
    ) -> Result<()> {
        let before = self.row(slot);
        if before.as_ref() == Some(row) {
            return Ok(());
        }
        let contacts = contacts.map(ParquetWriter::finish).transpose()?;
        let mut episodes = None;
        if let Some(report) = report.filter(|_| row.episodes != Some(0)) {
            let mut writer = ParquetWriter::keyed_episodes(self.file(EPISODES, slot)?, &row.key)?;
            writer.episodes(report)?;
            episodes = Some(writer.finish()?);
        }
        let clips = ParquetWriter::clips(self.file(CLIPS, slot)?, std::slice::from_ref(row))?;
        // From here to the last line the clip is not in the data set. Without a row before, nothing
        // is removed: another process may have put it there meanwhile.
        if before.is_some() {
            remove(&self.path(CLIPS, slot))?;
        }
        for (table, file) in [(CONTACTS, contacts), (EPISODES, episodes)] {
            match file {
                Some(file) => file.finish()?,
                None => remove(&self.path(table, slot))?,
            }
        }
        Ok(clips.finish()?)
    }

    /// Removes what is in other slots of a file than these: clips that it does not have any more.
    pub(super) fn keep_only(&self, input: &Path, slots: &HashSet<Slot>) -> Result<()> {
        let (part, prefix) = (key::part(input), key::prefix(input));
        for table in TABLES {
            let folder = self.folder.join(table).join(&part);
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries {
                let name = entry?.file_name().to_string_lossy().into_owned();
                let is_kept = slots.contains(&Slot { part: part.clone(), name: name.clone() });
                if name.starts_with(&prefix) && !is_kept {
                    remove(&folder.join(name))?;
                }
            }
        }
        Ok(())
    }

    fn path(&self, table: &str, slot: &Slot) -> PathBuf {
        self.folder.join(table).join(&slot.part).join(&slot.name)
    }

    fn unfinished(&self) -> PathBuf {
        self.folder.join(UNFINISHED)
    }

    /// A file that will be in a table.
    fn file(&self, table: &str, slot: &Slot) -> Result<AtomicFile> {
        let path = self.path(table, slot);
        create(path.parent().unwrap_or(&self.folder))?;
        Ok(AtomicFile::create_in(&path, &self.unfinished())?)
    }

    /// Removes the unfinished files of processes that were killed; what cannot be removed stays.
    fn tidy(&self) {
        let Ok(entries) = fs::read_dir(self.unfinished()) else { return };
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|modified| modified.elapsed().ok());
            if age.is_some_and(|age| ABANDONED < age) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Creates a folder, if it is not there.
fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| named(folder, error))
}

/// Removes a file, if it is there; before anything else is written, also on the disk.
fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Ok(()) => {
            sync_folder_of(path);
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(named(path, error)),
    }
}

fn named(path: &Path, error: io::Error) -> anyhow::Error {
    osculate_io::Error::Io { path: path.to_owned(), error }.into()
}
