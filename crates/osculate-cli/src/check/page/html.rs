//! The text of the page: verdict, tables and timelines, which need no script.
//!
//! Everything that comes from files is [escaped](text), so that it is shown and never read as
//! markup.

use std::fmt::Write as _;

use osculate_io::printable;
use osculate_io::write::{ClipReport, Episode, Report, Status};

use super::blocks::Blocks;
use super::scenery::{DRAWN, MOST_TRACED, TRACED};
use super::{Problem, Subject, command};
use crate::words::counted;

/// Rows of a table; further ones are counted.
const MOST_ROWS: usize = 2000;

/// Text for an element or an attribute.
pub(super) fn text(raw: &str) -> String {
    let mut escaped = String::new();
    for c in printable(raw).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The text of an element that shows a name. A long one may be broken where its words end: after a
/// sign that a letter follows, and before a capital letter that follows a small one, but not before
/// the last character.
fn name(raw: &str) -> String {
    let shown = printable(raw);
    let mut words = String::new();
    let mut before = ' ';
    let mut rest = shown.as_str();
    for (i, c) in shown.char_indices() {
        let is_start = before.is_ascii_punctuation() && c.is_alphabetic();
        let is_last = i + c.len_utf8() == shown.len();
        if !is_last && (is_start || before.is_lowercase() && c.is_uppercase()) {
            let (word, after) = rest.split_at(i - (shown.len() - rest.len()));
            words += &(text(word) + "<wbr>");
            rest = after;
        }
        before = c;
    }
    words + &text(rest)
}

/// A length with three digits.
pub(super) fn length(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let digits = (2 - x.abs().log10().floor() as i32).max(0) as usize;
    if 12 < digits { format!("{x:.2e}") } else { format!("{x:.digits$}") }
}

/// How deep an overlap is at its worst frame, in words.
pub(super) fn depth_words(report: &Report, clip: &ClipReport, episode: &Episode) -> String {
    let percent = |x: f64| format!("{:.2}\u{a0}% of the size", 100.0 * report.share(clip, x));
    let Episode { worst: measure, worst_frame: frame, .. } = episode;
    match measure.depth {
        Some(depth) => format!("{} deep, {}", length(depth), percent(depth)),
        None if episode.frames.is_none() => format!("{}, after frame {frame}", report.contact_words()),
        None => format!("open, the curve extends {}, {}", length(measure.extent), percent(measure.extent)),
    }
}

/// The name of a clip, with its file if there are several.
pub(super) fn label(report: &Report, clip: &ClipReport) -> String {
    match report.files.len() {
        1 => clip.name.clone(),
        _ => format!("{}: {}", report.files[clip.file].name, clip.name),
    }
}

/// The text of a page.
pub(super) struct Html<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) problems: &'a [Problem<'a>],
}

impl Html<'_> {
    fn report(&self) -> &Report {
        self.subject.report
    }

    fn new_ones(&self) -> impl Iterator<Item = &Problem<'_>> {
        self.problems.iter().filter(|problem| problem.is_new())
    }

    /// The names of the files, each by `show`.
    fn names(&self, show: fn(&str) -> String) -> String {
        let files = &self.report().files;
        let names: Vec<String> = files.iter().take(4).map(|file| show(&file.name)).collect();
        let more = files.len().saturating_sub(4);
        names.join(", ") + &if more == 0 { String::new() } else { format!(" and {more} more") }
    }

    pub(super) fn title(&self) -> String {
        let n = self.new_ones().count();
        let verdict = if n == 0 { "clean".to_owned() } else { counted(n, "problem") };
        format!("{}: {verdict}", self.names(text))
    }

    pub(super) fn verdict(&self) -> String {
        let report = self.report();
        let n = self.new_ones().count();
        let known = self.problems.len() - n;
        let bad = report.clips.iter().filter(|clip| clip.problems().next().is_some()).count();
        let frames: u64 =
            report.clips.iter().map(|clip| u64::from(clip.frames[1] - clip.frames[0]) + 1).sum();
        let clips = counted(report.clips.len(), "clip");
        let problems = counted(n, "problem");
        let answer = match (n, report.clips.len()) {
            (0, _) => format!("Clean: no part passes through another in {clips}."),
            (_, 1) => format!("{problems} in {clips}."),
            _ => format!("{problems}, in {bad} of {clips}."),
        };
        let class = if n == 0 { "good" } else { "bad" };
        let mut out = format!("<h1>{}</h1>\n<p class=\"answer {class}\">{answer}</p>\n", self.names(name));
        let triangles: usize = report.files.iter().map(|file| file.model.triangles).sum();
        let _ = write!(
            out,
            "<p class=\"what\">Checked: {} of {}, {}; parts are {}s; baseline: {}.",
            counted(frames as usize, "frame"),
            clips,
            counted(triangles, "triangle"),
            report.files.first().map_or("part", |file| file.part_kind),
            text(&report.baseline)
        );
        if 0 < known {
            let _ = write!(out, " {} known and set aside.", counted(known, "overlap"));
        }
        if report.partial {
            out.push_str(" <strong>The run was interrupted: the report is partial.</strong>");
        }
        out.push_str("</p>");
        out
    }

    /// The worst problems as cards, with their pictures as base64.
    pub(super) fn worst(&self, pictures: &[String]) -> String {
        if pictures.is_empty() {
            return String::new();
        }
        let mut out = String::from(
            "<section aria-labelledby=\"worst-name\">\n<h2 id=\"worst-name\">Fix first</h2>\n<ol class=\"cards\">\n",
        );
        for (problem, picture) in self.new_ones().zip(pictures) {
            let worst = problem.pair.worst();
            let [a, b] = problem.pair.parts.each_ref().map(|part| text(part));
            let parts = problem.pair.parts.each_ref().map(|part| name(part)).join(" × ");
            let _ = writeln!(
                out,
                "<li class=\"card\" data-problem=\"{}\"><img alt=\"{a} and {b} at frame {}\" width=\"480\" height=\"360\" src=\"data:image/png;base64,{picture}\"><p class=\"parts\">{parts}</p><p>{}</p><p class=\"small\">{}, frame {}</p></li>",
                problem.id,
                worst.worst_frame,
                depth_words(self.report(), problem.report, worst),
                name(&label(self.report(), problem.report)),
                worst.worst_frame,
            );
        }
        out.push_str("</ol>\n</section>");
        out
    }

    /// The table of problems that are new, or of those that are set aside.
    pub(super) fn table(&self, are_new: bool) -> String {
        let rows: Vec<&Problem> =
            self.problems.iter().filter(|problem| problem.is_new() == are_new).collect();
        if rows.is_empty() {
            return "<p>None.</p>".to_owned();
        }
        let class = if self.report().clips.len() == 1 { "problems one-clip" } else { "problems" };
        let mut out = format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table of overlaps\"><table class=\"{class}\"><thead><tr>\
             <th scope=\"col\" class=\"n\" data-sort=\"rank\">#</th>\
             <th scope=\"col\" data-sort=\"names\">Parts</th>\
             <th scope=\"col\" data-sort=\"clip\">Clip</th>\
             <th scope=\"col\" class=\"n\" data-sort=\"first\">Frames</th>\
             <th scope=\"col\" class=\"n\" data-sort=\"worst\">Worst</th>\
             <th scope=\"col\" class=\"n\" data-sort=\"severity\">Depth</th></tr></thead>\n<tbody>\n",
        );
        for (i, problem) in rows.iter().enumerate().take(MOST_ROWS) {
            self.row(&mut out, i + 1, problem);
        }
        out.push_str("</tbody></table></div>");
        if MOST_ROWS < rows.len() {
            let more = rows.len() - MOST_ROWS;
            let _ = write!(out, "<p class=\"note\">{more} more are in the JSON report (check --json).</p>");
        }
        out
    }

    fn row(&self, out: &mut String, rank: usize, problem: &Problem) {
        let report = self.report();
        let (pair, worst) = (problem.pair, problem.pair.worst());
        let [a, b] = pair.parts.each_ref().map(|part| text(part));
        let parts = pair.parts.each_ref().map(|part| name(part)).join(" × ");
        let clip = label(report, problem.report);
        let (clip, shown_clip) = (text(&clip), name(&clip));
        let measure = &worst.worst;
        let depth = match measure.depth {
            Some(depth) => {
                let share = 100.0 * report.share(problem.report, depth);
                format!("{} <span class=\"small\">{share:.2} %</span>", length(depth))
            }
            None if worst.frames.is_none() => {
                format!("<span class=\"small\">{}</span>", report.contact_words())
            }
            None => format!("<span class=\"small\">open, curve {}</span>", length(measure.extent)),
        };
        let runs: Vec<[u32; 2]> = problem.runs().collect();
        let shown = runs.iter().take(3);
        let mut frames: Vec<String> =
            shown.map(|run| format!("<span class=\"run\">{}</span>", interval(*run))).collect();
        if frames.len() < runs.len() {
            frames.push(format!("{} more", runs.len() - frames.len()));
        }
        let aside = match pair.status {
            Status::New => "",
            Status::Baseline => " <span class=\"small\">in the baseline</span>",
            Status::Throughout => " <span class=\"small\">throughout the clip</span>",
        };
        let exact = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
        let _ = writeln!(
            out,
            "<tr data-problem=\"{}\" data-rank=\"{rank}\" data-names=\"{a} {b}\" data-clip=\"{clip}\" data-first=\"{}\" data-worst=\"{}\" data-depth=\"{}\" data-severity=\"{}\">\
             <td class=\"n\">{rank}</td><td><span class=\"parts\">{parts}</span>{aside}</td><td>{shown_clip}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{depth}</td></tr>",
            problem.id,
            runs[0][0],
            worst.worst_frame,
            exact(measure.depth),
            measure.severity(),
            frames.join(", "),
            worst.worst_frame,
        );
    }

    /// What is set aside.
    pub(super) fn known(&self) -> String {
        let n = self.problems.len() - self.new_ones().count();
        if n == 0 {
            return String::new();
        }
        format!(
            "<section aria-labelledby=\"known-name\">\n<h2 id=\"known-name\">Set aside</h2>\n<details id=\"known\"><summary>{} known: in the baseline, or all through a clip</summary>\n{}\n</details>\n</section>",
            counted(n, "overlap"),
            self.table(false)
        )
    }

    /// The clips with their timelines.
    pub(super) fn clips(&self, blocks: &Blocks) -> String {
        let report = self.report();
        let mut out = String::from("<ul class=\"clips\">\n");
        for (i, clip) in report.clips.iter().enumerate() {
            let own: Vec<&Problem> = self.problems.iter().filter(|problem| problem.clip == i).collect();
            let n = own.iter().filter(|problem| problem.is_new()).count();
            let words = match n {
                0 => "<span class=\"ok\">clean</span>".to_owned(),
                n => counted(n, "problem"),
            };
            let _ = writeln!(
                out,
                "<li><span class=\"name\">{}</span> <span class=\"small\">frames {} to {}, {words}</span>\n{}</li>",
                name(&label(report, clip)),
                clip.frames[0],
                clip.frames[1],
                self.timeline(i, clip, &own, blocks),
            );
        }
        out.push_str("</ul>");
        out
    }

    /// Bars for the episodes of a clip, as high as they are deep; wide as their frames.
    fn timeline(&self, i: usize, clip: &ClipReport, own: &[&Problem], blocks: &Blocks) -> String {
        let [first, last] = clip.frames;
        let n = last - first + 1;
        let name = text(&label(self.report(), clip));
        let mut out = format!(
            "<svg class=\"timeline\" data-clip=\"{i}\" viewBox=\"0 0 {n} 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Timeline of {name}\">"
        );
        let mut next = first;
        for block in blocks.all.iter().filter(|block| block.clip == i) {
            left_out(&mut out, first, [next, block.first]);
            next = block.first + block.count;
        }
        left_out(&mut out, first, [next, last + 1]);
        let all = self.problems.iter().filter(|problem| problem.is_new());
        let share = |problem: &Problem, length: f64| self.report().share(problem.report, length);
        let most = all.map(|p| share(p, p.pair.worst().worst.severity())).fold(0.0, f64::max);
        // What is known behind all others, then the deepest, so that every bar can be reached.
        let known = own.iter().filter(|problem| !problem.is_new());
        for problem in known.chain(own.iter().filter(|problem| problem.is_new())) {
            let class = if problem.is_new() { "" } else { " class=\"known\"" };
            for (episode, [from, to]) in problem.pair.episodes.iter().zip(problem.runs()) {
                let part = share(problem, episode.worst.severity()) / most;
                let height = if part.is_finite() { (96.0 * part).clamp(8.0, 96.0) } else { 8.0 };
                let [a, b] = problem.pair.parts.each_ref().map(|part| text(part));
                let _ = write!(
                    out,
                    "<rect{class} data-problem=\"{}\" data-worst=\"{}\" x=\"{}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\"><title>{a} × {b}, {}</title></rect>",
                    problem.id,
                    episode.worst_frame,
                    from.saturating_sub(first),
                    100.0 - height,
                    to - from + 1,
                    interval([from, to]),
                );
            }
        }
        out.push_str("</svg>");
        out
    }

    pub(super) fn foot(&self, blocks: &Blocks) -> String {
        let Blocks { left_out, partly_drawn, .. } = blocks;
        let header = &self.report().header;
        let mut out = String::from("<p>");
        if 0 < left_out.frames {
            let where_from = if left_out.near { "" } else { " that are far from problems" };
            let _ = write!(
                out,
                "To keep the page small, {}{where_from} cannot be shown in the picture; they were checked like all others.",
                counted(left_out.frames as usize, "frame")
            );
            if 0 < left_out.problems {
                let problems = counted(left_out.problems, "problem");
                let _ = write!(out, " Among them is the worst frame of {problems}, those of lowest rank.");
            } else if left_out.near {
                out.push_str(" The worst frame of every problem is there.");
            }
            out.push_str("</p>\n<p>");
        }
        if 0 < *partly_drawn {
            let _ = write!(
                out,
                "Curves and depths of {} are not shown in all of their frames: the page has those of the {TRACED} worst problems in all frames, {MOST_TRACED} at most, and those of the {DRAWN} worst in the worst frame.</p>\n<p>",
                counted(*partly_drawn, "problem")
            );
        }
        let _ = write!(
            out,
            "Depth is the largest distance of an enclosed point to the surface that it has passed through, in units of the file; the share is that of the diagonal of the model. Found by osculate {} with the method {} ({}). This page needs no network.</p>\n<p><code>{}</code></p>",
            env!("CARGO_PKG_VERSION"),
            text(&header.method),
            header.guarantee.word(),
            text(&command::of_all(self.subject.args)),
        );
        out
    }
}

/// A range of frames that the page does not have.
fn left_out(out: &mut String, first: u32, [from, to]: [u32; 2]) {
    if from < to {
        let _ = write!(
            out,
            "<rect class=\"left-out\" x=\"{}\" y=\"0\" width=\"{}\" height=\"100\"></rect>",
            from - first,
            to - from
        );
    }
}

/// Frames as people write them.
fn interval([first, last]: [u32; 2]) -> String {
    if first == last { first.to_string() } else { format!("{first}–{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_stays_text() {
        let escaped = text("</script><img src=x onerror=\"alert('1')\">&\u{1b}\u{202e}");
        assert!(!escaped.contains(['<', '>', '"', '\'', '\u{1b}', '\u{202e}']), "{escaped}");
        assert!(escaped.starts_with("&lt;/script&gt;&lt;img src=x onerror=&quot;"), "{escaped}");
    }

    #[test]
    fn names_break_where_their_words_end() {
        assert_eq!(name("LeftArm_twist.L.001"), "Left<wbr>Arm_<wbr>twist.<wbr>L.001");
        assert_eq!(name("<Hand>&Co"), "&lt;<wbr>Hand&gt;&amp;<wbr>Co");
        assert_eq!(name("ab__Cd.."), "ab__<wbr>Cd..");
        assert_eq!(name("großeÄste"), "große<wbr>Äste");
        assert_eq!([name(""), name("HEAD")], ["", "HEAD"]);
        assert_eq!([name("upperleg.l"), name("HandR")], ["upperleg.l", "HandR"]);
    }

    #[test]
    fn lengths_have_three_digits() {
        let cases = [(0.0, "0"), (1234.6, "1235"), (1.0, "1.00"), (0.012_345, "0.0123"), (99.95, "100.0")];
        for (x, expected) in cases {
            assert_eq!(length(x), expected);
        }
        assert_eq!(length(1e-20), "1.00e-20");
    }
}
