//! Why a GPU cannot be used, or not any longer.

use osculate::raster::RasterFault;

/// Why a GPU cannot be used, or not any longer. Texts are those of drivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No adapter is there, or none has the name; the names of those that are there.
    NoAdapter { wanted: Option<String>, there: Vec<String> },
    /// An adapter cannot be opened.
    NoDevice { name: String, why: String },
    /// A buffer would exceed the largest that the device allows.
    TooLarge { bytes: u64, limit: u64 },
    /// Buffers would exceed the memory of the settings.
    OverBudget { bytes: u64, budget: u64 },
    /// The memory of the device is exhausted.
    Memory,
    /// The device was reset, removed or destroyed.
    Lost(String),
    /// The device or its driver reports an error.
    Refused(String),
    /// The device has not finished anything for a long time.
    Stuck,
}

impl Fault {
    /// The fault in part of a sentence.
    pub(crate) fn in_words(&self) -> RasterFault {
        let mb = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
        RasterFault(match self {
            Fault::NoAdapter { wanted: Some(name), there } if !there.is_empty() => {
                format!("no GPU has {name:?} in its name; there are {}", there.join(", "))
            }
            Fault::NoAdapter { .. } => "there is no GPU with a driver".to_owned(),
            Fault::NoDevice { name, why } => format!("{name} cannot be opened ({})", line(why)),
            Fault::TooLarge { bytes, limit } => {
                format!("the GPU allows buffers of {}, and {} are needed", mb(*limit), mb(*bytes))
            }
            Fault::OverBudget { bytes, budget } => {
                format!("the GPU may use {}, and {} are needed", mb(*budget), mb(*bytes))
            }
            Fault::Memory => "the memory of the GPU is exhausted".to_owned(),
            Fault::Lost(why) if why.is_empty() => "the GPU is lost".to_owned(),
            Fault::Lost(why) => format!("the GPU is lost ({})", line(why)),
            Fault::Refused(why) => format!("the GPU reports an error ({})", line(why)),
            Fault::Stuck => "the GPU does not answer".to_owned(),
        })
    }
}

/// A text of several lines in one, without a period at its end.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_in_one_line() {
        let refused = Fault::Refused("Validation Error\n\nCaused by:\n  a limit.\n".to_owned());
        assert_eq!(
            refused.in_words().to_string(),
            "the GPU reports an error (Validation Error Caused by: a limit)"
        );
        let there = vec!["A 1".to_owned(), "B 2".to_owned()];
        let named = Fault::NoAdapter { wanted: Some("c".to_owned()), there };
        assert_eq!(named.in_words().to_string(), "no GPU has \"c\" in its name; there are A 1, B 2");
        let budget = Fault::OverBudget { bytes: 12_340_000, budget: 1_000_000 };
        assert_eq!(budget.in_words().to_string(), "the GPU may use 1.0 MB, and 12.3 MB are needed");
    }
}
