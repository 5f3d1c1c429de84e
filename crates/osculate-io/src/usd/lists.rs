//! Lists that the opinions of several layers edit.

use openusd::sdf::{ListOp, Value};

use super::layer::Layers;
use crate::error::{Result, malformed};

/// Most items of a list that is edited: each is searched for in the others.
pub(super) const MAX_ITEMS: usize = 5000;

/// Applies edits of a list, the strongest first; `place` is where they are.
pub(super) fn edited<T: Default + Clone + PartialEq>(
    ops: &[ListOp<T>],
    layers: &Layers,
    place: impl Fn() -> String,
) -> Result<Vec<T>> {
    let mut items: Vec<T> = Vec::new();
    for op in ops.iter().rev() {
        let edits = [&op.added_items, &op.prepended_items, &op.appended_items, &op.deleted_items];
        let [added, prepended, appended, deleted] = edits.map(Vec::len);
        if MAX_ITEMS < items.len() + op.explicit_items.len() + added + prepended + appended + deleted {
            let problem = format!("a list has more than {MAX_ITEMS} items");
            return Err(malformed(layers.file, place(), problem));
        }
        // The edits are compared with the items that are there.
        let n = if op.explicit { op.explicit_items.len() } else { items.len() };
        let with_added = n * (deleted + added) + (n + added) * prepended;
        let n_compared = with_added + (n + added + prepended) * appended;
        layers.budget.borrow_mut().work(n_compared, 4, &place)?;
        if op.explicit {
            items.clone_from(&op.explicit_items);
        }
        items.retain(|item| !op.deleted_items.contains(item));
        items.extend(op.added_items.iter().filter(|item| !items.contains(item)).cloned().collect::<Vec<_>>());
        items.retain(|item| !op.prepended_items.contains(item));
        items.splice(0..0, op.prepended_items.iter().cloned());
        items.retain(|item| !op.appended_items.contains(item));
        items.extend(op.appended_items.iter().cloned());
    }
    Ok(items)
}

/// Returns the words of a list, which is at `path`.
pub(super) fn token_list(value: &Value, layers: &Layers, path: &str) -> Result<Vec<String>> {
    let place = || format!("prim {path}");
    Ok(match value {
        Value::TokenVec(v) => v.iter().map(|token| token.as_str().to_owned()).collect(),
        Value::StringVec(v) => v.clone(),
        Value::TokenListOp(op) => {
            edited(std::slice::from_ref(op), layers, place)?.iter().map(|t| t.to_string()).collect()
        }
        Value::StringListOp(op) => edited(std::slice::from_ref(op), layers, place)?,
        _ => Vec::new(),
    })
}

/// Returns the edits of a list with other items.
pub(super) fn mapped<T: Default + Clone + PartialEq, U: Default + Clone + PartialEq>(
    op: &ListOp<T>,
    map: impl Fn(&T) -> U,
) -> ListOp<U> {
    let all = |items: &[T]| items.iter().map(&map).collect();
    ListOp {
        explicit: op.explicit,
        explicit_items: all(&op.explicit_items),
        added_items: all(&op.added_items),
        prepended_items: all(&op.prepended_items),
        appended_items: all(&op.appended_items),
        deleted_items: all(&op.deleted_items),
        ordered_items: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Budget;

    #[test]
    fn lists_are_edited_from_the_weakest_on() {
        let weak = ListOp::explicit(["a", "b"]);
        let strong =
            ListOp { prepended_items: vec!["c", "b"], deleted_items: vec!["a"], ..Default::default() };
        let mut budget = Budget::new("a.usda", 0, None);
        let layers = Layers::open(b"#usda 1.0\n".to_vec(), "a.usda", None, &mut budget).unwrap();
        assert_eq!(edited(&[strong, weak], &layers, String::new).unwrap(), ["c", "b"]);
    }
}
