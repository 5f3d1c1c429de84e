// One workgroup for each tile and pass, one invocation for each pixel. See `lib.rs`.

struct Primitive {
    x0: i32,
    x1: i32,
    y0: i32,
    y1: i32,
    edges: array<array<i32, 3>, 3>,
    gx: i32,
    gy: i32,
    c_min: i32,
    c_max: i32,
    z_min: i32,
    z_max: i32,
    color: u32,
    renders: u32,
    tests: u32,
}

struct Tile {
    x: i32,
    y: i32,
    first: u32,
    len: u32,
}

struct Task {
    n_sets: u32,
    first_tile: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(1) var<storage, read> primitives: array<Primitive>;
@group(0) @binding(2) var<storage, read> neighbors: array<u32>;
@group(0) @binding(3) var<storage, read> tiles: array<Tile>;
@group(0) @binding(4) var<storage, read> lists: array<u32>;
@group(0) @binding(5) var<storage, read_write> answers: array<atomic<u32>>;

const TILE = 8u;
const BATCH = 64u;
const BEHIND_ALL = 2147483647i;
const BEFORE_ALL = i32(-2147483648);

// A batch of primitives of the tile, and the sets that each may overlap: in front, and behind.
var<workgroup> batch: array<Primitive, BATCH>;
var<workgroup> ranks: array<u32, BATCH>;
var<workgroup> fronts: array<atomic<u32>, BATCH>;
var<workgroup> backs: array<atomic<u32>, BATCH>;

// For each set, the two nearest and the two farthest depths in this pixel, and the primitives that
// have the nearest and the farthest. They are valid for the sets in `drawn`.
var<private> near: array<vec2<i32>, 32>;
var<private> far: array<vec2<i32>, 32>;
var<private> extremes: array<vec2<u32>, 32>;
var<private> drawn: u32;

@compute @workgroup_size(64)
fn compare(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = tiles[task.first_tile + workgroup.x];
    let bit = 1u << workgroup.y;
    let pixel = vec2<i32>(tile.x + i32(lane % TILE), tile.y + i32(lane / TILE));
    drawn = 0u;
    for (var first = 0u; first < tile.len; first += BATCH) {
        let i = first + lane;
        if i < tile.len {
            // The first pass compares with higher ranks, so these come first.
            let p = lists[tile.first + select(i, tile.len - 1u - i, bit == 1u)];
            let at = 4u * p + 2u * workgroup.y;
            ranks[lane] = p;
            batch[lane] = primitives[p];
            // What another tile has found need not be found again.
            atomicStore(&fronts[lane], atomicLoad(&answers[at]));
            atomicStore(&backs[lane], atomicLoad(&answers[at + 1u]));
        }
        workgroupBarrier();
        let n = min(BATCH, tile.len - first);
        for (var k = 0u; k < n; k++) {
            visit(k, pixel, bit);
        }
        workgroupBarrier();
        // From here to the next barrier, an invocation uses only its own place in the batch.
        if i < tile.len {
            let at = 4u * ranks[lane] + 2u * workgroup.y;
            add(at, atomicLoad(&fronts[lane]));
            add(at + 1u, atomicLoad(&backs[lane]));
        }
    }
}

// Adds bits to an answer.
fn add(at: u32, bits: u32) {
    if (bits & ~atomicLoad(&answers[at])) != 0u {
        atomicOr(&answers[at], bits);
    }
}

// Compares a primitive of the batch with those before it in this pixel, and renders it. Sums wrap
// around outside of the rectangle, where they are not used.
fn visit(k: u32, pixel: vec2<i32>, bit: u32) {
    let tests = (batch[k].tests & bit) != 0u;
    let renders = (batch[k].renders & bit) != 0u;
    if !(tests || renders) {
        return;
    }
    let dx = pixel.x - batch[k].x0;
    let dy = pixel.y - batch[k].y0;
    if dx < 0 || dy < 0 || batch[k].x1 < pixel.x || batch[k].y1 < pixel.y {
        return;
    }
    let inside = min(
        batch[k].edges[0][0] * dx + batch[k].edges[0][1] * dy + batch[k].edges[0][2],
        min(
            batch[k].edges[1][0] * dx + batch[k].edges[1][1] * dy + batch[k].edges[1][2],
            batch[k].edges[2][0] * dx + batch[k].edges[2][1] * dy + batch[k].edges[2][2],
        ),
    );
    if inside < 0 {
        return;
    }
    let plane = batch[k].gx * dx + batch[k].gy * dy;
    let lower = max(batch[k].z_min, plane + batch[k].c_min);
    let upper = min(batch[k].z_max, plane + batch[k].c_max);
    if upper < lower {
        return;
    }
    if tests {
        // Sets that were found in another pixel need not be found again.
        var open = drawn & ~(atomicLoad(&fronts[k]) & atomicLoad(&backs[k]));
        let row = task.n_sets * ranks[k];
        var front = 0u;
        var back = 0u;
        while open != 0u {
            let s = firstTrailingBit(open);
            open &= open - 1u;
            // If the nearest is the neighbor, the second counts.
            let is_neighbor = extremes[s] == vec2<u32>(neighbors[row + s]);
            let nearest = select(near[s].x, near[s].y, is_neighbor.x);
            let farthest = select(far[s].x, far[s].y, is_neighbor.y);
            front |= u32(nearest <= upper) << s;
            back |= u32(lower <= farthest) << s;
        }
        if front != 0u {
            atomicOr(&fronts[k], front);
        }
        if back != 0u {
            atomicOr(&backs[k], back);
        }
    }
    if renders {
        render(batch[k].color, ranks[k], lower, upper);
    }
}

// Adds a primitive to the layers of its set in this pixel.
fn render(s: u32, p: u32, lower: i32, upper: i32) {
    if (drawn >> s & 1u) == 0u {
        drawn |= 1u << s;
        near[s] = vec2<i32>(lower, BEHIND_ALL);
        far[s] = vec2<i32>(upper, BEFORE_ALL);
        extremes[s] = vec2<u32>(p);
        return;
    }
    if lower < near[s].x {
        near[s] = vec2<i32>(lower, near[s].x);
        extremes[s].x = p;
    } else {
        near[s].y = min(near[s].y, lower);
    }
    if far[s].x < upper {
        far[s] = vec2<i32>(upper, far[s].x);
        extremes[s].y = p;
    } else {
        far[s].y = max(far[s].y, upper);
    }
}
