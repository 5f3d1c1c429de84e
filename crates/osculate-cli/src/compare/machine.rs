//! What was measured, where and when: a line for pages with times.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of the program, the processor, and the date, as
/// `Osculate 0.1.0, Xeon at 2.1 GHz (2 processors, linux x86_64), 2026-11-18`.
pub(super) fn line() -> String {
    let n_processors = std::thread::available_parallelism().map_or(1, usize::from);
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model(&cpuinfo).map_or_else(|| "unknown processor".to_owned(), str::to_owned);
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let [year, month, day] = date(seconds / 86_400);
    format!(
        "Osculate {}, {model} ({n_processors} processors, {} {}), {year}-{month:02}-{day:02}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

/// The name of the processor as Linux tells it; `None` elsewhere.
fn model(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim())
}

/// Year, month and day of a day, counted from 1970-01-01, in the Gregorian calendar.
fn date(day: u64) -> [u64; 3] {
    let is_leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let (mut year, mut left) = (1970, day);
    while 365 + u64::from(is_leap(year)) <= left {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    [year, month, left + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(date(0), [1970, 1, 1]);
        assert_eq!(date(59), [1970, 3, 1]);
        assert_eq!(date(11_016), [2000, 2, 29]);
        assert_eq!(date(11_322), [2000, 12, 31]);
        assert_eq!(date(20_775), [2026, 11, 18]);
    }

    #[test]
    fn the_processor_has_the_name_that_linux_gives_it() {
        assert_eq!(model("processor\t: 0\nmodel name\t: Xeon at 2.1 GHz\n"), Some("Xeon at 2.1 GHz"));
        assert_eq!(model("processor: 0"), None);
    }
}
