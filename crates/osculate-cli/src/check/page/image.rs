//! Pictures as PNG.

use flate2::Crc;

use super::pack::zlib;

/// A picture of three bytes per pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    pub(super) size: [usize; 2],
    pub(super) pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Pictures of the same height in a row, with white between them. There is at least one.
    pub(super) fn beside(panels: &[Image]) -> Image {
        const GAP: [[u8; 3]; 8] = [[255; 3]; 8];
        let height = panels[0].size[1];
        let mut pixels = Vec::new();
        for y in 0..height {
            for (i, panel) in panels.iter().enumerate() {
                pixels.extend_from_slice(if i == 0 { &[] } else { &GAP });
                pixels.extend_from_slice(&panel.pixels[y * panel.size[0]..(y + 1) * panel.size[0]]);
            }
        }
        Image { size: [pixels.len() / height.max(1), height], pixels }
    }

    /// The bytes of a PNG file. Every row is coded by differences from pixel to pixel.
    pub(super) fn png(&self) -> Vec<u8> {
        let [width, height] = self.size;
        let mut rows = Vec::with_capacity(height * (1 + 3 * width));
        for row in self.pixels.chunks(width.max(1)) {
            rows.push(1);
            let mut before = [0; 3];
            for &pixel in row {
                rows.extend([0, 1, 2].map(|k| u8::wrapping_sub(pixel[k], before[k])));
                before = pixel;
            }
        }
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        header.extend((width as u32).to_be_bytes());
        header.extend((height as u32).to_be_bytes());
        // Eight bits, red, green and blue.
        header.extend([8, 2, 0, 0, 0]);
        chunk(&mut bytes, b"IHDR", &header);
        chunk(&mut bytes, b"IDAT", &zlib(&rows));
        chunk(&mut bytes, b"IEND", &[]);
        bytes
    }
}

fn chunk(out: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    out.extend((content.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend(kind);
    out.extend(content);
    let mut crc = Crc::new();
    crc.update(&out[start..]);
    out.extend(crc.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn pixels_return_from_a_file() {
        let pixels: Vec<[u8; 3]> = (0..6).map(|i| [40 * i, 255 - i, 7]).collect();
        let image = Image { size: [3, 2], pixels: pixels.clone() };
        let png = image.png();
        assert_eq!(png[16..24], [0, 0, 0, 3, 0, 0, 0, 2]);
        let at = png.windows(4).position(|four| four == b"IDAT").unwrap();
        let mut rows = Vec::new();
        flate2::read::ZlibDecoder::new(&png[at + 4..]).read_to_end(&mut rows).unwrap();
        let mut back = Vec::new();
        for row in rows.chunks(10) {
            let mut pixel = [0_u8; 3];
            for change in row[1..].chunks(3) {
                (0..3).for_each(|k| pixel[k] = pixel[k].wrapping_add(change[k]));
                back.push(pixel);
            }
        }
        assert_eq!(back, pixels);
        let two = Image::beside(&[image.clone(), image]);
        assert_eq!((two.size, two.pixels[3]), ([14, 2], [255; 3]));
        assert_eq!([two.pixels[11], two.pixels[14]], [pixels[0], pixels[3]]);
    }
}
