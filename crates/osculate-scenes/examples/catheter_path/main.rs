//! Plans the path of a catheter through a tree of blood vessels, from the inlet to the end of one
//! of its branches, without touching a wall: the application of paper 001.
//!
//! `cargo run --release -p osculate-scenes --example catheter_path`
//!
//! Every accepted push is free of contacts from its start to its end, and nothing crosses at any
//! accepted pose.

mod plan;

use osculate_scenes::{build, catheter_route};
use plan::Planner;

/// How close, in meters, the tip comes to the end of the last branch.
const REACHED: f64 = 0.001;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = build("catheter").ok_or("there is a scene of that name")?;
    let route = catheter_route();
    // The ends of the branches on the way; what is between is found by touching it.
    let places: Vec<[f64; 3]> = route.iter().copied().skip(plan::EVERY).step_by(plan::EVERY).collect();
    let mut planner = Planner::new(&scene)?;
    println!(
        "| place | distance, mm | pushes | tried | contacts | turned | bent | drawn back | shortest, mm |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut arrived = true;
    for (i, place) in places.iter().enumerate() {
        let within = if i + 1 == places.len() { REACHED } else { plan::PASSED };
        arrived = planner.run(*place, within)?;
        let log = &planner.log;
        println!(
            "| {} | {:.2} | {} | {} | {} | {} | {} | {} | {:.3} |",
            i + 1,
            1e3 * log.left,
            log.steps,
            log.tried,
            log.contacts,
            log.turned,
            log.bent,
            log.retreats,
            1e3 * log.smallest
        );
        if !arrived {
            break;
        }
    }
    let log = &planner.log;
    let mut ms = log.ms.clone();
    ms.sort_by(f64::total_cmp);
    let at = |part: f64| ms[(part * (ms.len() - 1) as f64) as usize];
    println!(
        "{} pushes of {} tried; {} contacts met; a query takes {:.2} ms (median), {:.2} ms at most",
        log.steps,
        log.tried,
        log.contacts,
        at(0.5),
        at(1.0)
    );
    if !arrived || log.crossings != 0 {
        return Err(
            format!("no free path: {} crossings, {:.2} mm left", log.crossings, 1e3 * log.left).into()
        );
    }
    println!("the tip is at the end of the branch, and nothing crossed at any pose");
    Ok(())
}
