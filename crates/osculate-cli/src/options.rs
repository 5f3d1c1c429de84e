//! Options shared by several commands.

use std::ffi::OsStr;
use std::fmt;

use clap::builder::{PossibleValue, TypedValueParser, ValueParserFactory};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error, ValueEnum};
use osculate::Method;
use osculate::method::{Input, registry};
use osculate_io::printable;
use osculate_io::write::Guarantee;

/// A method as the user names it: one of the registry of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MethodName(pub(crate) Method);

impl MethodName {
    /// The method of the library.
    pub(crate) fn method(self) -> Method {
        self.0
    }

    /// Whether it gains from clusters, or from a pose by bones.
    pub(crate) fn gains_from(self, input: Input) -> bool {
        self.method().facts().gains_from == Some(input)
    }

    /// What its answers are guaranteed to be.
    pub(crate) fn guarantee(self) -> Guarantee {
        guarantee(self.method().guarantee())
    }

    /// Whether it is a method of the registry, with any options.
    pub(crate) fn is(self, name: &str) -> bool {
        self.0.facts().name == name
    }
}

/// The name under which the user knows it.
impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ValueParserFactory for MethodName {
    type Parser = MethodParser;

    fn value_parser() -> MethodParser {
        MethodParser
    }
}

/// Reads names of methods, and lists them in the help, with their options.
#[derive(Clone)]
pub(crate) struct MethodParser;

impl TypedValueParser for MethodParser {
    type Value = MethodName;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, text: &OsStr) -> Result<MethodName, Error> {
        text.to_string_lossy().parse().map(MethodName).map_err(|error: osculate::Error| {
            Error::raw(ErrorKind::InvalidValue, format!("{}\n", printable(&error.to_string())))
                .with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let of_registry = registry().iter().map(|facts| {
            let options: Vec<&str> = facts.options().map(|option| option.name).collect();
            let options =
                if options.is_empty() { String::new() } else { format!(" [:{}]", options.join(", ")) };
            PossibleValue::new(facts.name).help(format!("{}{options}", capitalized(facts.line)))
        });
        Some(Box::new(of_registry))
    }
}

/// A text with a capital letter at its beginning.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What is known of answers, as it is written.
pub(crate) fn guarantee(guarantee: osculate::method::Guarantee) -> Guarantee {
    match guarantee {
        osculate::method::Guarantee::Complete => Guarantee::Complete,
        osculate::method::Guarantee::FirstContact => Guarantee::FirstContact,
        osculate::method::Guarantee::Nothing => Guarantee::Nothing,
    }
}

/// How the input is divided into bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bodies {
    /// One body
    Whole,
    /// One for each connected component
    Components,
    /// One for each object of the file
    #[default]
    Objects,
}
