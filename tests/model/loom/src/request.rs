//! The work request (include/tine/detail/sched/shadow_stack.hpp: post_request, acknowledge; src/sched/demand.hpp: raise, claim): an owner
//! that acknowledges a request sees its demand, so that a request is still pending or its demand has been served.

use crate::places::{at, Kind::*, Place};
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::sync::Arc;
use loom::thread;

pub const PLACES: &[Place] = &[
    ("demand.hpp:raise:unmet_.fetch_add", Change, SeqCst),
    ("demand.hpp:claim:unmet_.load", Load, SeqCst),
    ("demand.hpp:claim:unmet_.compare_exchange_strong success", Change, Release),
    ("shadow_stack.hpp:post_request:limit.store", Store, Release),
    // the product has seq_cst here, for the sleep protocol; the handshake alone needs only acquire
    ("shadow_stack.hpp:acknowledge:limit.exchange", Change, Acquire),
];

const END: usize = 1000;

struct Words {
    unmet: AtomicUsize,
    limit: AtomicUsize,
}

impl Words {
    fn thief(&self) {
        self.unmet.fetch_add(1, at(PLACES, "demand.hpp:raise:unmet_.fetch_add"));
        self.limit.store(0, at(PLACES, "shadow_stack.hpp:post_request:limit.store"));
    }

    /// A fork that finds a request pending serves the demand that it sees. Returns the demand that it served.
    fn fork(&self) -> usize {
        if self.limit.load(Relaxed) != 0 {
            return 0;
        }
        self.limit.swap(END, at(PLACES, "shadow_stack.hpp:acknowledge:limit.exchange"));
        let mut served = 0;
        let mut seen = self.unmet.load(at(PLACES, "demand.hpp:claim:unmet_.load"));
        while seen > 0 {
            let success = at(PLACES, "demand.hpp:claim:unmet_.compare_exchange_strong success");
            match self.unmet.compare_exchange(seen, seen - 1, success, Relaxed) {
                Ok(_) => {
                    served += 1;
                    seen -= 1;
                }
                Err(now) => seen = now,
            }
        }
        served
    }
}

pub fn run() {
    let words = Arc::new(Words { unmet: AtomicUsize::new(0), limit: AtomicUsize::new(END) });
    let thieves: Vec<_> = (0..2)
        .map(|_| {
            let words = words.clone();
            thread::spawn(move || words.thief())
        })
        .collect();
    let mut served = words.fork();
    served += words.fork();
    for t in thieves {
        t.join().unwrap();
    }
    let requested = words.limit.load(SeqCst) == 0;
    assert!(requested || served == 2, "a ring is gone and its demand is not served");
}
