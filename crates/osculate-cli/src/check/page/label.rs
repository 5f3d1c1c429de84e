//! Text in pictures: capital letters of five by seven dots.

use super::image::Image;

/// Width and height of a letter, and the width with the gap after it.
const WIDTH: usize = 5;
const HEIGHT: usize = 7;
const ADVANCE: usize = 6;

/// Pixels along each side of a dot.
const DOT: usize = 2;

/// Distance of text from the border, and of lines from each other, in pixels.
const MARGIN: usize = 8;
const LEADING: usize = 6;

const INK: [u8; 3] = [28, 34, 42];
const PAPER: [u8; 3] = [255; 3];

/// A line of text, with a square of a color before it, if there is one.
pub(super) struct Line {
    pub(super) mark: Option<[u8; 3]>,
    pub(super) text: String,
}

/// Writes lines at the lower left of a picture, on a strip that lets the picture shine through.
/// Lines that are too long end with two dots.
pub(super) fn write(image: &mut Image, lines: &[Line]) {
    let [width, height] = image.size;
    let step = DOT * HEIGHT + LEADING;
    let strip = 2 * MARGIN - LEADING + step * lines.len();
    let Some(top) = height.checked_sub(strip).filter(|_| !lines.is_empty()) else { return };
    for pixel in &mut image.pixels[top * width..] {
        *pixel = [0, 1, 2].map(|k| (u16::from(pixel[k]) / 4 + u16::from(PAPER[k]) * 3 / 4).min(255) as u8);
    }
    for (i, line) in lines.iter().enumerate() {
        let y = top + MARGIN + i * step;
        let mut x = MARGIN;
        if let Some(color) = line.mark {
            square(image, [x, y], DOT * HEIGHT, color);
            x += DOT * HEIGHT + MARGIN;
        }
        let room = width.saturating_sub(x + MARGIN) / (DOT * ADVANCE);
        let letters: Vec<char> = line.text.chars().collect();
        let is_cut = room < letters.len();
        let kept = if is_cut { room.saturating_sub(2) } else { letters.len() };
        for c in letters.into_iter().take(kept).chain("..".chars().take(if is_cut { 2 } else { 0 })) {
            for (row, bits) in glyph(c).into_iter().enumerate() {
                for column in (0..WIDTH).filter(|column| bits >> (WIDTH - 1 - column) & 1 == 1) {
                    square(image, [x + DOT * column, y + DOT * row], DOT, INK);
                }
            }
            x += DOT * ADVANCE;
        }
    }
}

/// Fills a square, as far as it is in the picture.
fn square(image: &mut Image, [x, y]: [usize; 2], side: usize, color: [u8; 3]) {
    let [width, height] = image.size;
    for y in y..(y + side).min(height) {
        for x in x..(x + side).min(width) {
            image.pixels[y * width + x] = color;
        }
    }
}

/// The rows of a letter from the top, five bits each, the leftmost highest. Small letters are drawn
/// as capitals; what has no shape here is a frame.
#[rustfmt::skip]
fn glyph(c: char) -> [u8; HEIGHT] {
    match c.to_ascii_uppercase() {
        ' ' => [0; HEIGHT],
        'A' => [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        'B' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
        'C' => [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110],
        'D' => [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
        'E' => [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
        'F' => [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
        'G' => [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111],
        'H' => [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        'I' => [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        'J' => [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100],
        'K' => [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
        'L' => [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
        'M' => [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
        'N' => [0b10001, 0b11001, 0b11001, 0b10101, 0b10011, 0b10011, 0b10001],
        'O' => [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        'P' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
        'Q' => [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101],
        'R' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
        'S' => [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
        'T' => [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
        'U' => [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        'V' => [0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b01010, 0b00100],
        'W' => [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001],
        'X' => [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001],
        'Y' => [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100],
        'Z' => [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111],
        '0' => [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        '1' => [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        '2' => [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        '3' => [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
        '4' => [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        '5' => [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        '6' => [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        '7' => [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
        '8' => [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        '9' => [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        '.' => [0, 0, 0, 0, 0, 0b01100, 0b01100],
        ',' => [0, 0, 0, 0, 0b01100, 0b00100, 0b01000],
        ':' => [0, 0b01100, 0b01100, 0, 0b01100, 0b01100, 0],
        '-' => [0, 0, 0, 0b11111, 0, 0, 0],
        '+' => [0, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0],
        '_' => [0, 0, 0, 0, 0, 0, 0b11111],
        '/' => [0b00001, 0b00010, 0b00010, 0b00100, 0b01000, 0b01000, 0b10000],
        '|' => [0b00100; HEIGHT],
        '%' => [0b11001, 0b11001, 0b00010, 0b00100, 0b01000, 0b10011, 0b10011],
        '(' => [0b00010, 0b00100, 0b01000, 0b01000, 0b01000, 0b00100, 0b00010],
        ')' => [0b01000, 0b00100, 0b00010, 0b00010, 0b00010, 0b00100, 0b01000],
        '\'' => [0b00100, 0b00100, 0b01000, 0, 0, 0, 0],
        _ => [0b11111, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11111],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inked(image: &Image) -> Vec<usize> {
        let is_inked = |x: &usize| (0..image.size[1]).any(|y| image.pixels[y * image.size[0] + x] == INK);
        (0..image.size[0]).filter(is_inked).collect()
    }

    #[test]
    fn text_is_drawn_after_its_mark_and_cut_at_the_border() {
        let blank = Image { size: [120, 60], pixels: vec![[9; 3]; 7200] };
        let line = |text: &str, mark| [Line { mark, text: text.to_owned() }];
        let mut image = blank.clone();
        write(&mut image, &line("L", Some([1, 2, 3])));
        // The mark, then a letter whose left bar is two pixels wide and fourteen high.
        let at = |x: usize, y: usize| image.pixels[y * 120 + x];
        assert_eq!((at(8, 38), at(21, 51), at(22, 51)), ([1, 2, 3], [1, 2, 3], [193; 3]));
        assert_eq!(inked(&image), (30..40).collect::<Vec<_>>());
        assert_eq!((0..60).filter(|&y| at(30, y) == INK).count(), 14);
        assert_eq!(at(60, 29), [9; 3], "above the strip nothing changes");
        let mut image = blank.clone();
        write(&mut image, &line("MMMMMMMMMMMMMMMM", None));
        assert!(inked(&image).last().is_some_and(|&x| x < 112), "{:?}", inked(&image));
        let mut small = Image { size: [3, 2], pixels: vec![[0; 3]; 6] };
        write(&mut small, &line("A", None));
        assert_eq!(small.pixels, [[0; 3]; 6]);
    }

    #[test]
    fn letters_differ() {
        let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-+_/|%()' \u{e9}";
        let shapes: std::collections::HashSet<[u8; HEIGHT]> = all.chars().map(glyph).collect();
        assert_eq!(shapes.len(), all.chars().count());
        assert_eq!(glyph('a'), glyph('A'));
        assert!(shapes.iter().flatten().all(|&row| row < 32));
    }
}
