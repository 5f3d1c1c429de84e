//! Validates reports against the JSON Schema in `docs/report.schema.json`.
//!
//! Only the keywords that the schema uses are known; any other one is a failure, so that the schema
//! cannot outgrow this.

use serde_json::Value;

/// Panics unless a report is valid.
pub(crate) fn validate(report: &Value) {
    let schema: Value = serde_json::from_str(include_str!("../../../../docs/report.schema.json")).unwrap();
    let mut faults = Vec::new();
    check(&schema, &schema, report, "$", &mut faults);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    for (keyword, of) in schema.as_object().unwrap() {
        let mut fail = |what: String| faults.push(format!("{place}: {what}"));
        match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let target = root.pointer(of.as_str().unwrap().trim_start_matches('#')).unwrap();
                check(root, target, value, place, faults);
            }
            "type" => {
                let names: Vec<&str> = match of {
                    Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                    one => vec![one.as_str().unwrap()],
                };
                let is_one = names.iter().any(|name| match *name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("type {other}"),
                });
                if !is_one {
                    fail(format!("{value} is no {of}"));
                }
            }
            "const" if value != of => fail(format!("{value} is not {of}")),
            "const" => {}
            "enum" if !of.as_array().unwrap().contains(value) => fail(format!("{value} is none of {of}")),
            "enum" => {}
            "minimum" => {
                if value.as_f64().is_some_and(|number| number < of.as_f64().unwrap()) {
                    fail(format!("{value} is below {of}"));
                }
            }
            "minItems" | "maxItems" => {
                let (n, limit) = (value.as_array().map(Vec::len), of.as_u64().unwrap() as usize);
                if n.is_some_and(|n| if keyword == "minItems" { n < limit } else { limit < n }) {
                    fail(format!("{n:?} items, {keyword} is {of}"));
                }
            }
            "required" => {
                for name in of.as_array().unwrap() {
                    if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                        fail(format!("{name} is missing"));
                    }
                }
            }
            "additionalProperties" => {
                assert_eq!(*of, false);
                let known = schema["properties"].as_object().unwrap();
                for name in value.as_object().into_iter().flat_map(|object| object.keys()) {
                    if !known.contains_key(name) {
                        fail(format!("{name} is not described"));
                    }
                }
            }
            "properties" => {
                for (name, of) in of.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        check(root, of, member, &format!("{place}.{name}"), faults);
                    }
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, of, item, &format!("{place}[{i}]"), faults);
                }
            }
            other => panic!("the schema uses {other}, which is not validated"),
        }
    }
}

#[test]
fn what_does_not_fit_the_schema_is_found() {
    let mut faults = Vec::new();
    let schema: Value = serde_json::from_str(include_str!("../../../../docs/report.schema.json")).unwrap();
    check(&schema, &schema, &serde_json::json!({ "format": "other", "surplus": 1 }), "$", &mut faults);
    let all = faults.join("\n");
    for words in
        ["\"other\" is not \"osculate-report/2\"", "surplus is not described", "\"episodes\" is missing"]
    {
        assert!(all.contains(words), "{all}");
    }
}
