//! Times the narrow phase on queries that another library was timed on, on request.
//!
//! `cargo xtask peers` starts this, feeds it and compares; see there. The one argument is the
//! folder with the queries: `positions.f64` (rows of x0 y0 z0 x1 y1 z1), `vertex_face.u32` and
//! `edge_edge.u32` (rows of four vertices), all little-endian. Each line `run THREADS` on standard
//! input decides all of them once and is answered by one line of JSON. Reading the files is not
//! part of the time.

mod rows;

use rows::read_rows;
use std::error::Error;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use osculate::Step;
use osculate::narrow::{Kind, Settings, Stats, decide_batch};

/// Queries that a thread takes at a time: enough to make taking them free, few enough to end
/// together.
const CHUNK: usize = 4096;

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds `--bench`.
    let Some(folder) = std::env::args_os().skip(1).find(|argument| argument != "--bench").map(PathBuf::from)
    else {
        println!("nothing to time: `cargo xtask peers` prepares the queries");
        return Ok(());
    };
    let queries = Queries::read(&folder)?;
    answer(&format!(
        r#"{{"vertex_face": {}, "edge_edge": {}}}"#,
        queries.vertex_face.len(),
        queries.edge_edge.len()
    ))?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Some(threads) = line.strip_prefix("run ") else {
            return Err(format!("unknown command: {line}").into());
        };
        let threads: usize = threads.trim().parse()?;
        let start = Instant::now();
        let found = decide_all(&queries, threads)?;
        let seconds = start.elapsed().as_secs_f64();
        answer(&found.json(threads, seconds))?;
    }
    Ok(())
}

fn answer(json: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{json}")?;
    stdout.flush()
}

struct Queries {
    step: Step,
    vertex_face: Vec<[u32; 4]>,
    edge_edge: Vec<[u32; 4]>,
}

impl Queries {
    fn read(folder: &Path) -> Result<Queries, Box<dyn Error>> {
        let positions: Vec<[f64; 6]> = read_rows(&folder.join("positions.f64"), f64::from_le_bytes)?;
        let t0: Vec<[f64; 3]> = positions.iter().map(|&[x, y, z, ..]| [x, y, z]).collect();
        let t1: Vec<[f64; 3]> = positions.iter().map(|&[.., x, y, z]| [x, y, z]).collect();
        Ok(Queries {
            step: Step::new(&t0, &t1)?,
            vertex_face: read_rows(&folder.join("vertex_face.u32"), u32::from_le_bytes)?,
            edge_edge: read_rows(&folder.join("edge_edge.u32"), u32::from_le_bytes)?,
        })
    }
}

/// The results of a run of queries; can be summed.
struct Found {
    hits: u64,
    /// The earliest contact is in this bracket: the least `lo` and the least `hi` of all hits, not
    /// always of the same one. Infinite without a hit.
    earliest: [f64; 2],
    stats: Stats,
}

/// Decides all queries on `threads` threads that hand out chunks among themselves.
fn decide_all(queries: &Queries, threads: usize) -> Result<Found, osculate::Error> {
    let chunks: Vec<(Kind, &[[u32; 4]])> =
        [(Kind::VertexFace, &queries.vertex_face), (Kind::EdgeEdge, &queries.edge_edge)]
            .into_iter()
            .flat_map(|(kind, pairs)| pairs.chunks(CHUNK).map(move |chunk| (kind, chunk)))
            .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let settings = Settings::default();
        let mut stats = Stats::default();
        let mut hits = 0;
        let mut earliest = [f64::INFINITY; 2];
        while let Some(&(kind, pairs)) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            decide_batch(kind, &queries.step, pairs, &settings, &mut stats, |_, lo, hi| {
                hits += 1;
                earliest = [earliest[0].min(lo), earliest[1].min(hi)];
            })?;
        }
        Ok::<Found, osculate::Error>(Found { hits, earliest, stats })
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut found: Found = work()?;
        for other in others {
            // A panic of a thread is our bug and ends the bench.
            found.add(&other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(found)
    })
}

/// What each stage decided, in the order of the stages.
fn counts(stats: &Stats) -> Vec<(&'static str, u64)> {
    let mut counts = vec![
        ("boxes: miss", stats.box_misses),
        ("coplanarity cubic: miss", stats.cubic_misses),
        ("at a coplanar time: miss", stats.root_misses),
        ("at a coplanar time: contact", stats.root_hits),
        ("split filter: miss", stats.split_misses),
        ("split filter: contact", stats.split_hits),
        ("exact arithmetic: miss", stats.exact_misses),
        ("exact arithmetic: contact", stats.exact_hits),
    ];
    // Counts only of queries with a minimum separation, so zero here, and of stages not in this
    // list.
    let named: u64 = counts.iter().map(|(_, count)| count).sum();
    counts.push(("other", stats.queries - named));
    counts
}

impl Found {
    fn add(&mut self, other: &Found) {
        self.hits += other.hits;
        for (mine, theirs) in self.earliest.iter_mut().zip(other.earliest) {
            *mine = mine.min(theirs);
        }
        self.stats += other.stats;
    }

    fn json(&self, threads: usize, seconds: f64) -> String {
        let [lo, hi] = self.earliest;
        // JSON has no infinity.
        let earliest = if lo.is_finite() { format!("[{lo:e}, {hi:e}]") } else { "null".to_owned() };
        // A list of pairs, since the order of an object's members means nothing.
        let stats: Vec<String> =
            counts(&self.stats).iter().map(|(stage, count)| format!(r#"["{stage}", {count}]"#)).collect();
        format!(
            r#"{{"threads": {threads}, "seconds": {seconds}, "hits": {}, "earliest": {earliest}, "stats": [{}]}}"#,
            self.hits,
            stats.join(", ")
        )
    }
}
