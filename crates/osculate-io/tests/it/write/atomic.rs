//! Files that appear whole or not at all.

use std::fs;
use std::io::Write as _;

use osculate_io::write::AtomicFile;

use super::support::Folder;

#[test]
fn a_finished_file_has_its_name_and_replaces_another() {
    let folder = Folder::new("finished");
    let path = folder.path().join("report.json");
    for content in ["first", "second"] {
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(content.as_bytes()).unwrap();
        assert!(file.temporary().unwrap().exists());
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
        assert_eq!(folder.names(), ["report.json"]);
    }
}

#[test]
fn a_dropped_file_leaves_nothing_behind() {
    let folder = Folder::new("dropped");
    let path = folder.path().join("report.json");
    let write_some = || {
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(&vec![b'x'; 100_000]).unwrap();
    };
    write_some();
    assert!(folder.names().is_empty());
    fs::write(&path, "before").unwrap();
    write_some();
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    assert_eq!(folder.names(), ["report.json"]);
}

#[test]
fn two_files_of_one_name_do_not_mix() {
    let folder = Folder::new("two");
    let path = folder.path().join("report.json");
    let mut first = AtomicFile::create(&path).unwrap();
    let mut second = AtomicFile::create(&path).unwrap();
    first.write_all(b"first").unwrap();
    second.write_all(b"second").unwrap();
    second.finish().unwrap();
    first.finish().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    assert_eq!(folder.names(), ["report.json"]);
}

#[test]
fn errors_name_the_file() {
    let folder = Folder::new("errors");
    for path in [folder.path().join("missing/report.json"), folder.path().to_owned()] {
        let message = AtomicFile::create(&path).unwrap_err().to_string();
        assert!(message.starts_with(&path.display().to_string()), "{message}");
    }
    let path = folder.path().join("locked.json");
    fs::write(&path, "before").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(AtomicFile::create(&path).is_err());
    assert_eq!(folder.names(), ["locked.json"]);
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    let folder = Folder::new("links");
    let (path, link) = (folder.path().join("real.json"), folder.path().join("link.json"));
    fs::write(&path, "before").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut file = AtomicFile::create(&link).unwrap();
    file.write_all(b"after").unwrap();
    file.finish().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "after");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let mut file = AtomicFile::create("/dev/null".as_ref()).unwrap();
    assert_eq!(file.temporary(), None);
    file.write_all(b"gone").unwrap();
    file.finish().unwrap();
}
