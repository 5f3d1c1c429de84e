"""Opens a Parquet report with pyarrow and with DuckDB, and compares every row with the JSON report."""

import json
import sys

import duckdb
import pyarrow.parquet

json_path, parquet_path = sys.argv[1:]
with open(json_path, encoding="utf-8") as file:
    report = json.load(file)

expected = []
for frame in report["frames"]:
    for contact in frame["contacts"]:
        a, b = contact["a"], contact["b"]
        expected.append(
            (frame["clip"], frame["frame"], contact["kind"], a + [None] * (2 - len(a)), b + [None] * (3 - len(b)))
            + (contact["toi"], contact["point"], contact["normal"], contact["weights"], contact["bodies"], contact["bones"], contact["distance"])
        )
assert expected, "the report has no contacts"


def row(r):
    return (
        (r["clip"], r["frame"], r["kind"], [r["a0"], r["a1"]], [r["b0"], r["b1"], r["b2"]])
        + ([r["toi_lo"], r["toi_hi"]], [r["point_x"], r["point_y"], r["point_z"]])
        + ([r["normal_x"], r["normal_y"], r["normal_z"]], [r[f"weight_{k}"] for k in range(4)])
        + ([r["body_a"], r["body_b"]], [r["bone_a"], r["bone_b"]], r["distance"])
    )


by_arrow = [row(r) for r in pyarrow.parquet.read_table(parquet_path).to_pylist()]
relation = duckdb.read_parquet(parquet_path)
by_duckdb = [row(dict(zip(relation.columns, values))) for values in relation.fetchall()]
assert by_arrow == expected, "pyarrow reads other rows than the JSON report has"
assert by_duckdb == expected, "DuckDB reads other rows than the JSON report has"
print(f"pyarrow {pyarrow.__version__} and DuckDB {duckdb.__version__} read {len(expected)} rows, as the JSON report has them")
