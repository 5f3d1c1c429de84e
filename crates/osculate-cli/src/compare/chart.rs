//! Charts as SVG, without scripts or fonts of their own.

use std::fmt::Write as _;

/// A chart.
pub(super) enum Chart {
    /// A bar for each name.
    Bars { title: String, bars: Vec<(String, f64)> },
    /// A line for each name, through a value for each step.
    Lines { title: String, across: &'static str, lines: Vec<(String, Vec<f64>)> },
}

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 16.0;
/// The space for names of bars, and for numbers beside lines.
const NAMES: f64 = 200.0;
const NUMBERS: f64 = 70.0;
const TITLE: f64 = 28.0;
const BAR: f64 = 22.0;
/// The height of the lines, and of the text below them.
const LINES: f64 = 220.0;
const BELOW: f64 = 36.0;

/// Colors that people with any color vision can tell apart (Okabe and Ito 2008).
const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];

/// Charts, one below the other.
pub(super) fn svg(charts: &[Chart]) -> String {
    let mut body = String::new();
    let mut top = MARGIN;
    for chart in charts {
        let _ = writeln!(body, r#"<g transform="translate({MARGIN} {top})">"#);
        top += chart.draw(&mut body) + MARGIN;
        body.push_str("</g>\n");
    }
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top:.0}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
{body}</svg>
"#
    )
}

impl Chart {
    /// Draws the chart and returns its height.
    fn draw(&self, out: &mut String) -> f64 {
        match self {
            Chart::Bars { title, bars } => draw_bars(out, title, bars),
            Chart::Lines { title, across, lines } => draw_lines(out, title, across, lines),
        }
    }
}

fn draw_bars(out: &mut String, title: &str, bars: &[(String, f64)]) -> f64 {
    write_title(out, title);
    let space = WIDTH - 2.0 * MARGIN - NAMES - NUMBERS;
    let most = bars.iter().map(|bar| bar.1).fold(f64::MIN_POSITIVE, f64::max);
    for (k, (name, value)) in bars.iter().enumerate() {
        let top = TITLE + BAR * k as f64;
        let middle = top + 0.4 * BAR;
        let length = space * (value / most);
        let _ = writeln!(
            out,
            r#"<text x="{:.1}" y="{middle:.1}" text-anchor="end">{}</text><rect class="bar" x="{NAMES}" y="{:.1}" width="{length:.1}" height="{:.1}" fill="{}"/><text x="{:.1}" y="{middle:.1}">{}</text>"#,
            NAMES - 6.0,
            escaped(name),
            top - 0.2 * BAR + 1.0,
            0.7 * BAR,
            COLORS[0],
            NAMES + length + 6.0,
            number(*value)
        );
    }
    TITLE + BAR * bars.len() as f64
}

fn draw_lines(out: &mut String, title: &str, across: &str, lines: &[(String, Vec<f64>)]) -> f64 {
    write_title(out, title);
    let (left, right) = (NUMBERS, WIDTH - 2.0 * MARGIN - NAMES);
    let n_steps = lines.iter().map(|line| line.1.len()).max().unwrap_or(0).max(2);
    let most = lines.iter().flat_map(|line| &line.1).copied().fold(f64::MIN_POSITIVE, f64::max);
    let unit = tick(most);
    let above = unit * (most / unit).ceil();
    let height = |value: f64| TITLE + LINES * (1.0 - value / above);
    for k in 0..=(above / unit).round() as u32 {
        let value = unit * f64::from(k);
        let y = height(value);
        let _ = writeln!(
            out,
            r##"<path d="M{left} {y:.1}H{right}" stroke="#ddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"##,
            left - 6.0,
            y + 4.0,
            number(value)
        );
    }
    for (k, (name, values)) in lines.iter().enumerate() {
        let color = COLORS[k % COLORS.len()];
        let x = |i: usize| left + (right - left) * i as f64 / (n_steps - 1) as f64;
        let points: Vec<String> =
            values.iter().enumerate().map(|(i, &v)| format!("{:.1},{:.1}", x(i), height(v))).collect();
        let _ = writeln!(
            out,
            r#"<polyline class="line" points="{}" fill="none" stroke="{color}" stroke-width="1.5"/><text x="{:.1}" y="{:.1}" fill="{color}">{}</text>"#,
            points.join(" "),
            right + 10.0,
            TITLE + 14.0 + 18.0 * k as f64,
            escaped(name)
        );
    }
    let middle = 0.5 * (left + right);
    let _ = writeln!(
        out,
        r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
        TITLE + LINES + 24.0,
        escaped(across)
    );
    TITLE + LINES + BELOW
}

fn write_title(out: &mut String, title: &str) {
    let _ = writeln!(out, r#"<text y="12" font-weight="bold">{}</text>"#, escaped(title));
}

/// The distance of marks on an axis up to `most`: 1, 2 or 5 times a power of ten, so that there are
/// at most five.
fn tick(most: f64) -> f64 {
    let power = 10f64.powf((most / 5.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|unit| most <= 5.0 * unit)
        .unwrap_or(power)
}

/// Three significant digits; large numbers in groups of three.
fn number(value: f64) -> String {
    match value {
        ..0.0 => value.to_string(),
        0.0 => "0".to_owned(),
        100.0.. => crate::words::grouped(value.round() as u64),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Text of SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_at_most_five_marks() {
        for (most, unit) in [(1.0, 0.2), (4.9, 1.0), (5.1, 2.0), (70_000.0, 20_000.0), (0.03, 0.01)] {
            assert!((tick(most) / unit - 1.0).abs() < 1e-12, "{most}: {}", tick(most));
        }
    }

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in
            [(0.0, "0"), (0.1234, "0.123"), (2.5, "2.50"), (99.0, "99.0"), (12345.6, "12,346")]
        {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn empty_charts_are_drawn() {
        let lines = Chart::Lines { title: String::new(), across: "step", lines: Vec::new() };
        let bars = Chart::Bars { title: String::new(), bars: vec![("none".to_owned(), 0.0)] };
        let svg = svg(&[lines, bars]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
