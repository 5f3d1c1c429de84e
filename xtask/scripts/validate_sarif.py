"""Validates a SARIF report: validate_sarif.py PACKAGES REPORT

PACKAGES is the output of `cargo metadata` for a project that depends on serde-sarif, whose source
has the public schema. The validator must also refuse damaged copies of the report.
"""

import copy
import json
import pathlib
import sys

import jsonschema

packages = json.loads(pathlib.Path(sys.argv[1]).read_text())["packages"]
crate = next(package for package in packages if package["name"] == "serde-sarif")
schema = json.loads((pathlib.Path(crate["manifest_path"]).parent / "src/schema.json").read_text())
assert schema["properties"]["version"]["enum"] == ["2.1.0"], "another version of SARIF"
validator = jsonschema.validators.validator_for(schema)(
    schema, format_checker=jsonschema.FormatChecker()
)
report = json.loads(pathlib.Path(sys.argv[2]).read_text())
faults = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(report)]
assert not faults, "\n".join(faults)
results = report["runs"][0]["results"]

damaged = []
for key in ["version", "runs"]:
    damaged.append({name: value for name, value in report.items() if name != key})
damaged.append({**report, "version": "1.0"})
no_tool = copy.deepcopy(report)
del no_tool["runs"][0]["tool"]
damaged.append(no_tool)
if results:
    for key, value in [("level", "fatal"), ("rank", 101), ("message", {}), ("ruleIndex", -2)]:
        copied = copy.deepcopy(report)
        copied["runs"][0]["results"][0][key] = value
        damaged.append(copied)
for log in damaged:
    assert not validator.is_valid(log), "the validator accepts a damaged report"
print(f"valid SARIF 2.1.0: {len(results)} results, and {len(damaged)} damaged copies refused")
