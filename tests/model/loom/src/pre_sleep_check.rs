//! The last thief awake goes to sleep while an owner forks (src/sched/sleep.cpp: sleep, pre_sleep_check; promote.cpp:
//! rearm_limit): the thief does not sleep while a record is pending unless the owner saw it asleep. The barrier on every thread
//! is a fence that the owner executes at the next of its own steps; the thief waits for it.

use crate::places::{at, Kind::*, Place};
use loom::sync::atomic::{fence, AtomicUsize, Ordering::*};
use loom::sync::Arc;
use loom::thread;

pub const PLACES: &[Place] = &[
    ("sleep.cpp:sleep:asleep.fetch_add", Change, SeqCst),
    ("shadow_stack.hpp:post_request:limit.store", Store, Release),
    ("sleep.cpp:barrier_everywhere", Fence, SeqCst),
    ("promote.cpp:rearm_limit:asleep.load", Load, SeqCst),
];

const END: usize = 1000;

struct Words {
    top: AtomicUsize,
    limit: AtomicUsize,
    asleep: AtomicUsize,
    barrier_wanted: AtomicUsize,
    barrier_done: AtomicUsize,
    woken: AtomicUsize,
}

impl Words {
    /// Executes the fence between two steps of the owner, if the thief has asked for it.
    fn step(&self) {
        if self.barrier_done.load(Relaxed) == 0 && self.barrier_wanted.load(Relaxed) == 1 {
            crate::places::fence(PLACES, "sleep.cpp:barrier_everywhere");
            self.barrier_done.store(1, Relaxed);
        }
    }

    fn barrier_everywhere(&self) {
        fence(SeqCst);
        self.barrier_wanted.store(1, Relaxed);
        while self.barrier_done.load(Relaxed) == 0 {
            thread::yield_now();
        }
        fence(SeqCst);
    }

    /// Returns true if the thief goes to sleep.
    fn thief(&self) -> bool {
        self.asleep.fetch_add(1, at(PLACES, "sleep.cpp:sleep:asleep.fetch_add"));
        self.limit.store(0, at(PLACES, "shadow_stack.hpp:post_request:limit.store"));
        self.barrier_everywhere();
        self.top.load(Relaxed) == 0
    }

    fn owner(&self) {
        self.step();
        self.top.store(1, Relaxed);
        self.step();
        if self.limit.load(Relaxed) == 0 {
            self.limit.swap(END, AcqRel);
            if self.asleep.load(at(PLACES, "promote.cpp:rearm_limit:asleep.load")) > 0 {
                self.woken.store(1, Relaxed);
            }
        }
        // the owner rests now, without a further step; the kernel's barrier reaches a resting thread, too
        while self.barrier_done.load(Relaxed) == 0 {
            self.step();
            thread::yield_now();
        }
    }
}

pub fn run() {
    let zero = || AtomicUsize::new(0);
    let words = Arc::new(Words {
        top: zero(),
        limit: AtomicUsize::new(END),
        asleep: zero(),
        barrier_wanted: zero(),
        barrier_done: zero(),
        woken: zero(),
    });
    let owner = {
        let words = words.clone();
        thread::spawn(move || words.owner())
    };
    let sleeps = words.thief();
    owner.join().unwrap();
    assert!(!sleeps || words.woken.load(SeqCst) == 1, "a record is pending, and its last thief sleeps");
}
