//! Memory orders by name, so that an order can be weakened without a new build.

use loom::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::OnceLock;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Load,
    Store,
    Change,
    Fence,
}

/// The place of an order: the name of the operation, its kind, and the order.
pub type Place = (&'static str, Kind, Ordering);

fn name(order: Ordering) -> &'static str {
    match order {
        Relaxed => "relaxed",
        Acquire => "acquire",
        Release => "release",
        AcqRel => "acq_rel",
        _ => "seq_cst",
    }
}

fn weaker(kind: Kind, order: Ordering) -> &'static [&'static str] {
    match (kind, order) {
        (Kind::Fence, _) => &["acquire", "nothing"],
        // loom treats sequentially consistent accesses as acq_rel ones, so only Relacy can judge that weakening
        (_, SeqCst) => &[],
        (_, AcqRel) => &["acquire", "release"],
        (_, Relaxed) => &[],
        _ => &["relaxed"],
    }
}

pub fn weakenings(places: &[Place]) -> Vec<String> {
    let line = |p: &Place, to: &str| format!("{}: {} -> {}", p.0, name(p.2), to);
    places.iter().flat_map(|p| weaker(p.1, p.2).iter().map(move |to| line(p, to))).collect()
}

/// Returns the contents of TINE_WEAKEN: a place, and the order that replaces its own.
fn weakened() -> &'static Option<(String, String)> {
    static WEAKENED: OnceLock<Option<(String, String)>> = OnceLock::new();
    WEAKENED.get_or_init(|| {
        let line = std::env::var("TINE_WEAKEN").ok()?;
        let (place, change) = line.rsplit_once(": ").expect("TINE_WEAKEN: place: order -> order");
        let (_, to) = change.split_once(" -> ").expect("TINE_WEAKEN: place: order -> order");
        Some((place.to_string(), to.to_string()))
    })
}

fn order_of(places: &[Place], place: &str) -> Option<Ordering> {
    let written = places.iter().find(|p| p.0 == place).unwrap_or_else(|| panic!("no place {place}")).2;
    match weakened() {
        Some((p, to)) if p == place => match to.as_str() {
            "relaxed" => Some(Relaxed),
            "acquire" => Some(Acquire),
            "release" => Some(Release),
            "nothing" => None,
            _ => panic!("no order {to}"),
        },
        _ => Some(written),
    }
}

/// Returns the order at the place.
pub fn at(places: &[Place], place: &str) -> Ordering {
    order_of(places, place).expect("only a fence may be taken away")
}

/// Executes the fence at the place, unless the fence is weakened to nothing.
pub fn fence(places: &[Place], place: &str) {
    if let Some(order) = order_of(places, place) {
        loom::sync::atomic::fence(order);
    }
}
