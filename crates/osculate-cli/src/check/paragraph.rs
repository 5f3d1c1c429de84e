//! The summary printed for a clip.

use std::fmt::Write as _;

use osculate_io::printable;
use osculate_io::write::Guarantee;

use super::plan::{Question, Task};
use super::sides::Sides;
use super::summary::Summary;
use crate::bodies::Parts;
use crate::words::{counted, grouped, plural};

/// Returns lines about the surface, the results, the method, and the sides in contact. `words` are
/// about bodies and answers.
pub(super) fn paragraph(task: &Task, parts: &Parts, sides: &Sides, summary: &Summary, words: &str) -> String {
    let clip = task.clip;
    let surface = &clip.surface;
    let mut facts = vec![counted(surface.faces.len(), "triangle")];
    let welded = surface.welding.as_ref().filter(|welding| welding.welded != 0);
    let welded = welded
        .map_or(String::new(), |welding| format!(" after joining {}", counted(welding.welded, "duplicate")));
    facts.push(counted(surface.n_vertices, "vertex") + &welded);
    facts.extend(surface.skin.as_ref().map(|skin| counted(skin.bones.len(), "bone")));
    facts.push(counted(parts.len(), "body"));
    facts.push(if parts.description.is_closed() { "closed" } else { "open" }.to_owned());
    let mut text = String::new();
    let _ =
        writeln!(text, "{}, clip '{}': {}", printable(task.input), printable(&clip.name), facts.join(", "));
    for note in &surface.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let (unit, what) = task.question.words();
    let _ = write!(text, "{}", counted(summary.checked, unit));
    if 1 < summary.checked && 0 < summary.touched {
        let _ = write!(text, ", {} of them with {}", grouped(summary.touched as u64), plural(2, what));
    }
    let _ = write!(text, "; {}", counted(summary.found as usize, what));
    let _ = match (summary.first, task.question) {
        (Some((frame, t)), Question::Contacts) => {
            let time = clip.time(frame) + t * (clip.time(frame + 1) - clip.time(frame));
            writeln!(text, "; the first after frame {frame}, at {time:.4} s")
        }
        (Some((frame, _)), Question::Crossings) => writeln!(text, "; the first in frame {frame}"),
        (None, _) => writeln!(text),
    };

    let method = task.args.method();
    let guarantee = match method.guarantee() {
        Guarantee::Complete => "complete",
        Guarantee::FirstContact => "complete up to the first contact",
        Guarantee::Nothing => "a heuristic: contacts may be missing",
    };
    let reason = task.reason.as_ref().map_or(String::new(), |reason| format!(" (chosen: {reason})"));
    let _ = writeln!(text, "method {}{reason}, {guarantee}{}", method, printable(words));
    text.push_str(&task.args.exclusions());
    if summary.found != 0 {
        text.push_str(&summary.table(sides.kind(), &plural(2, what), |side| printable(&sides.name(side))));
    }
    text.push('\n');
    text
}
