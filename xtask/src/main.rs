//! `cargo xtask`: development tasks.

mod blender;
mod debian;
mod exchange;
mod figures;
mod gpu;
mod instructions;
mod msrv;
mod mutants;
mod order;
mod page;
mod peers;
mod python;
mod sarif;
mod scale;
mod shell;
mod soak;
mod tables;
mod test;
mod wheel;
mod width;

use std::process::ExitCode;

use anyhow::bail;

const HELP: &str = "\
usage: cargo xtask COMMAND

commands:
  test              all checks, in order, stopping at the first failure: format, lints, tests, documentation,
                    reports read back by pyarrow and DuckDB (if there is a Python; installs them in target),
                    the Python package, built and tested in environments in target for every Python from 3.11,
                    the extension for Blender in Blender 5.0 as a Python module (if there is Python 3.11; 1 GB is
                    installed in target),
                    the page of `check --report` in a browser (if there are npm and chromium, or they can be installed),
                    dependency licenses (if cargo-deny is installed). Checks that need packages are reported as
                    ignored where nothing can be fetched. Installs mesa-vulkan-drivers for the tests of osculate-gpu if
                    there is no Vulkan driver, with apt-get and if run by root
  test --quick      what a change needs: format, lints, all but the slow tests
  page              build crates/osculate-cli/page/page.html, the page of `check --report`, from its sources (needs npm)
  blender           build the extension for Blender with the wheel of the Python package, into target/blender
  stub              write the types of the Python package's extension again (needs Python with pip)
  exchange          compare the poses of files that Blender writes with its own evaluation (part of test; ignored where
                    there is neither python3.11 with bpy nor a way to install it)
  exchange --speed  compare the time of a check in Blender with those of its parts
  order             check that modules of the library use only modules above them (part of test)
  width             check that comments and Markdown prose keep to 100 characters (part of test)
  soak [QUERIES]    the tests against exact referees with many more random queries (default 2000000), in release; the
                    tests of large scenes (minutes, and 2 GB of memory); the Blender extension in other versions; then
                    a minute of fuzzing for each file format (installs cargo-fuzz if it is missing)
  peers [narrow|engine|crowd|closeness|python] [--repeat N]
                    benchmarks against other tools (without a name: all); needs Python with pip, and for the first two
                    the data in OSCULATE_DATA (default ../shared/data)
                      narrow  the narrow phase, Tight-Inclusion and AdditiveCCD (ipc-toolkit), on the same queries
                      engine  all contacts and the earliest contact of a step (ipc-toolkit); self-crossings of a mesh
                              that is known or seen once (MeshLib, Blender, libigl, CGAL, Newton, coal, parry,
                              pymeshlab, ipc-toolkit); installs libcgal-dev and libtbb-dev if that is allowed
                      crowd   crossings of 50 skinned creatures (parry, coal)
                      closeness  steps with a separation, and proximities (ipc-toolkit)
                      python  a step as users of Python write it (ipc-toolkit)
  mutants [TEXT]    mutation testing: check that tests fail for defects in a copy of the library (TEXT: only mutants
                    with it in their name or file)
  instructions [--update]
                    count the instructions of small pieces of work with valgrind, and fail if one has grown by more
                    than 3 % (part of test; ignored with another compiler than the counts are for). With --update,
                    write the counts to xtask/instructions.json
  figures           performance targets: refit, threads, memory, scaling; uses the same data as peers
  scale [FILE]      growth of time and memory with the size of a surface and the number of bodies, and a simulated
                    schedule of clips whose durations in seconds are in FILE
  help              this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> anyhow::Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["test"] => test::run(false),
        ["test", "--quick"] => test::run(true),
        ["blender"] => blender::build().map(drop),
        ["page"] => page::build(),
        ["order"] => order::run(),
        ["width"] => width::run(),
        ["exchange"] => exchange::run(),
        ["exchange", "--speed"] => exchange::speed(),
        ["soak"] => soak::run(soak::DEFAULT_QUERIES),
        ["soak", queries] => soak::run(soak::parse_queries(queries)?),
        ["mutants"] => mutants::run(""),
        ["mutants", filter] => mutants::run(filter),
        ["instructions"] => instructions::check(),
        ["instructions", "--update"] => instructions::update(),
        ["figures"] => figures::run(),
        ["stub"] => wheel::write_stub(),
        ["peers", ref arguments @ ..] => peers::run(arguments),
        ["scale"] => scale::run(None),
        ["scale", durations] => scale::run(Some(durations)),
        ["help" | "-h" | "--help"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => bail!("unknown arguments: `{}`\n\n{HELP}", arguments.join(" ")),
    }
}
