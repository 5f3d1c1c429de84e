//! Reports as JUnit XML, which build systems show as tests: a suite for each file, a case for each
//! clip, which fails if it has problems.

use std::fmt::Write as _;

use super::episodes::{ClipReport, Pair, Report};
use crate::printable;

/// Returns a report as JUnit XML. Names are made [`printable`] first, since XML has no way to write
/// control characters.
#[must_use]
pub fn junit(report: &Report) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let failed = |clip: &&ClipReport| clip.problems().next().is_some();
    let _ = writeln!(
        text,
        "<testsuites name=\"osculate check\" tests=\"{}\" failures=\"{}\" errors=\"{}\">",
        report.clips.len(),
        report.clips.iter().filter(failed).count(),
        u8::from(report.partial)
    );
    for (i, file) in report.files.iter().enumerate() {
        let clips: Vec<&ClipReport> = report.clips.iter().filter(|clip| clip.file == i).collect();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">",
            escaped(&file.name),
            clips.len(),
            clips.iter().filter(|clip| failed(clip)).count()
        );
        for clip in clips {
            let _ = write!(
                text,
                "    <testcase classname=\"{}\" name=\"{}\"",
                escaped(&file.name),
                escaped(&clip.name)
            );
            let Some(worst) = clip.problems().next() else {
                text.push_str("/>\n");
                continue;
            };
            let n = clip.problems().count();
            let _ = writeln!(
                text,
                ">\n      <failure message=\"{n} {}, worst: {}\" type=\"penetration\">",
                if n == 1 { "problem" } else { "problems" },
                escaped(&line(report, worst))
            );
            for pair in clip.problems() {
                let _ = writeln!(text, "{}", escaped(&line(report, pair)));
            }
            text.push_str("      </failure>\n    </testcase>\n");
        }
        text.push_str("  </testsuite>\n");
    }
    if report.partial {
        text.push_str(
            "  <testsuite name=\"osculate check\" tests=\"1\" errors=\"1\">\n    \
             <testcase classname=\"osculate check\" name=\"the run\">\n      \
             <error message=\"the run was interrupted; this report is partial\"/>\n    \
             </testcase>\n  </testsuite>\n",
        );
    }
    text.push_str("</testsuites>\n");
    text
}

/// A problem in one line.
pub(super) fn line(report: &Report, pair: &Pair) -> String {
    let [a, b] = &pair.parts;
    let worst = pair.worst();
    let mut text = format!("{a} and {b}");
    let _ = match worst.worst.depth {
        Some(depth) => write!(text, ": depth {depth:.4}"),
        None if worst.frames.is_none() => write!(text, ": {}", report.contact_words()),
        None => write!(text, ": intersection of extent {:.4}", worst.worst.extent),
    };
    let runs: Vec<String> = pair
        .episodes
        .iter()
        .map(|episode| match episode.frames {
            Some([first, last]) if first == last => format!("{first}"),
            Some([first, last]) => format!("{first}-{last}"),
            None => format!("after {}", episode.worst_frame),
        })
        .collect();
    let _ = write!(text, ", frames {}, worst in frame {}", runs.join(", "), worst.worst_frame);
    text
}

/// A text as the content of an element or an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            _ => out.push(c),
        }
    }
    out
}
