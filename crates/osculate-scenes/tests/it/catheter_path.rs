//! The planner of the example `catheter_path`, up to the end of the second branch: it meets walls,
//! turns away from them, and touches nothing.

#[path = "../../examples/catheter_path/plan.rs"]
mod plan;

use osculate_scenes::{build, catheter_route};
use plan::{EVERY, PASSED, Planner};

#[test]
fn a_path_around_the_first_forks_is_free() {
    let scene = build("catheter").unwrap();
    let route = catheter_route();
    let mut planner = Planner::new(&scene).unwrap();
    for place in [route[EVERY], route[2 * EVERY]] {
        assert!(planner.run(place, PASSED).unwrap(), "{:?}", planner.log);
    }
    let log = &planner.log;
    assert_eq!(log.crossings, 0);
    assert!(50 < log.steps && log.steps < log.tried && log.left <= PASSED, "{log:?}");
    assert!(5 < log.contacts && 5 < log.turned, "it does not get there by itself: {log:?}");
}
