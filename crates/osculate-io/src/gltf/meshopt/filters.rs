//! Filters applied in place to the elements of mode ATTRIBUTES after decompression.

use super::Fault;

/// Applies the filter of the given name to elements of `stride` bytes, a multiple of 4.
pub(super) fn apply(filter: &str, bytes: &mut [u8], stride: usize) -> Result<(), Fault> {
    let strides: &[usize] = match filter {
        "OCTAHEDRAL" | "COLOR" => &[4, 8],
        "QUATERNION" => &[8],
        "EXPONENTIAL" => &[stride],
        other => {
            return Err(format!("unknown filter '{}'", other.chars().take(20).collect::<String>()));
        }
    };
    if !strides.contains(&stride) {
        return Err(format!("elements of {stride} bytes with the filter {filter}"));
    }
    for element in bytes.chunks_exact_mut(if filter == "EXPONENTIAL" { 4 } else { stride }) {
        match (filter, &mut *element) {
            ("EXPONENTIAL", &mut [a, b, c, d]) => {
                element.copy_from_slice(&exponential(i32::from_le_bytes([a, b, c, d])).to_le_bytes());
            }
            ("QUATERNION", _) => store(element, quaternion(load(element))),
            ("OCTAHEDRAL", _) => {
                let largest = if stride == 4 { 127.0 } else { 32767.0 };
                store(element, octahedral(load(element), largest));
            }
            _ => {
                let (mask, largest) = if stride == 4 { (0xff, 255.0) } else { (0xffff, 65535.0) };
                store(element, color(load(element), mask, largest));
            }
        }
    }
    Ok(())
}

/// Returns the four signed components of an element of 4 or 8 bytes.
fn load(element: &[u8]) -> [i32; 4] {
    match *element {
        [a, b, c, d] => [a, b, c, d].map(|byte| i32::from(byte as i8)),
        [a, b, c, d, e, f, g, h] => {
            [[a, b], [c, d], [e, f], [g, h]].map(|half| i32::from(i16::from_le_bytes(half)))
        }
        _ => [0; 4],
    }
}

/// Stores four components, truncated to their size.
fn store(element: &mut [u8], components: [i32; 4]) {
    let size = element.len() / 4;
    for (bytes, component) in element.chunks_exact_mut(size).zip(components) {
        bytes.copy_from_slice(&component.to_le_bytes()[..size]);
    }
}

/// Returns `m 2^e`, `e` being the upper 8 bits and `m` the lower 24.
fn exponential(bits: i32) -> f32 {
    (f64::from((bits << 8) >> 8) * 2f64.powi(bits >> 24)) as f32
}

/// Returns a unit quaternion from its three smaller components; the fourth has the scale of 1.0,
/// and its last two bits select the missing component.
fn quaternion(components: [i32; 4]) -> [i32; 4] {
    let one = (components[3] | 3) as f32;
    let scale = std::f32::consts::FRAC_1_SQRT_2 / one;
    let [x, y, z] = [0, 1, 2].map(|i| components[i] as f32 * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let missing = (components[3] & 3) as usize;
    let mut out = [0; 4];
    for (i, part) in [w, x, y, z].into_iter().enumerate() {
        out[(missing + i) % 4] = (part * 32767.0).round() as i32;
    }
    out
}

/// Returns a unit vector from its position on an octahedron; the third component is the scale of
/// 1.0, the fourth is kept.
fn octahedral(components: [i32; 4], largest: f32) -> [i32; 4] {
    let one = components[2] as f32;
    let (x, y) = (components[0] as f32 / one, components[1] as f32 / one);
    let z = 1.0 - x.abs() - y.abs();
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    let [x, y, z] = [x, y, z].map(|part| (part / length * largest).round() as i32);
    [x, y, z, components[3]]
}

/// Returns red, green, blue and alpha from brightness, two differences, and alpha below a bit that
/// gives the number of bits.
fn color(components: [i32; 4], mask: i32, largest: f32) -> [i32; 4] {
    let [y, orange, green, alpha] =
        [components[0] & mask, components[1], components[2], components[3] & mask];
    let all = (1i32 << (32 - alpha.leading_zeros())) - 1;
    let alpha = alpha & (all >> 1);
    let alpha = alpha << 1 | alpha & 1;
    [y + orange - green, y + green, y - orange - green, alpha]
        .map(|part| (part as f32 * (largest / all as f32)).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_and_quaternions() {
        assert_eq!(exponential((-2 << 24) | 5), 1.25);
        assert_eq!(exponential((3 << 24) | 0xff_ffff), -8.0);
        // A rotation by 0: the fourth component is missing.
        assert_eq!(quaternion([0, 0, 0, 2047]), [0, 0, 0, 32767]);
    }

    #[test]
    fn vectors_and_colors() {
        assert_eq!(octahedral([0, 0, 127, 5], 127.0), [0, 0, 127, 5]);
        assert_eq!(octahedral([-127, 0, 127, 0], 127.0), [-127, 0, 0, 0]);
        // White, of 8 bits.
        assert_eq!(color([255, 0, 0, 255], 0xff, 255.0), [255, 255, 255, 255]);
        // Nonsense gives nonsense, but no panic.
        let _ = (color([0; 4], 0xff, 255.0), octahedral([0; 4], 127.0), quaternion([i32::MIN; 4]));
    }
}
