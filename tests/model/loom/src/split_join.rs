//! The join of a coroutine's frame whose continuation was stolen twice (src/coro/join.cpp: won_join, child_ended): one of
//! the three sides resumes the frame, takes its stack, and sees what all sides left; then the frame is used again.

use crate::places::{at, Kind::*, Place};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::sync::Arc;
use loom::thread;

pub const PLACES: &[Place] = &[
    ("join.cpp:won_join:joins.fetch_sub", Change, AcqRel),
    ("join.cpp:child_ended:joins.fetch_sub", Change, AcqRel),
];

const UNSPLIT: usize = 0x7fffffff;
const STEALS: usize = 2;
const CHILD_THREW: usize = 4;
const STOLEN: usize = 8;

struct Frame {
    joins: AtomicUsize,
    flags: AtomicUsize,
    own: UnsafeCell<usize>,
    results: [UnsafeCell<usize>; STEALS],
    error: UnsafeCell<usize>,
    stack: UnsafeCell<usize>,
    resumed: AtomicUsize,
}

impl Frame {
    fn resume(&self) {
        assert_eq!(self.resumed.fetch_add(1, Relaxed), 0, "exactly one continues");
        self.own.with_mut(|o| unsafe { assert_eq!(std::mem::take(&mut *o), 7, "what the frame wrote") });
        for r in &self.results {
            r.with_mut(|r| unsafe { assert_eq!(std::mem::take(&mut *r), 1, "what a child wrote") });
        }
        self.stack.with_mut(|s| unsafe { assert_eq!(std::mem::take(&mut *s), 1, "the stack was left") });
        assert_eq!(self.flags.load(Relaxed), CHILD_THREW | STOLEN, "the flags");
        self.error.with_mut(|e| unsafe { assert!(std::mem::take(&mut *e) != 0, "the first exception") });
        // as the next promotion does
        self.joins.store(UNSPLIT, Relaxed);
    }

    /// The join by the thread that stole the continuation last.
    fn join(&self) {
        self.own.with_mut(|o| unsafe { *o = 7 });
        self.flags.fetch_or(STOLEN, Relaxed);
        let missing = UNSPLIT - STEALS;
        if self.joins.fetch_sub(missing, at(PLACES, "join.cpp:won_join:joins.fetch_sub")) == missing {
            self.resume();
        }
    }

    /// The end of the child with this number. The child with number 0 ran on the frame's stack.
    fn child(&self, number: usize) {
        self.results[number].with_mut(|r| unsafe { *r = 1 });
        if self.flags.fetch_or(CHILD_THREW, Relaxed) & CHILD_THREW == 0 {
            self.error.with_mut(|e| unsafe {
                assert_eq!(*e, 0, "the first exception is kept");
                *e = number + 1
            });
        }
        if number == 0 {
            self.stack.with_mut(|s| unsafe { *s = 1 });
        }
        if self.joins.fetch_sub(1, at(PLACES, "join.cpp:child_ended:joins.fetch_sub")) == 1 {
            self.resume();
        }
    }
}

pub fn run() {
    let frame = Arc::new(Frame {
        joins: AtomicUsize::new(UNSPLIT),
        flags: AtomicUsize::new(0),
        own: UnsafeCell::new(0),
        results: [0; STEALS].map(UnsafeCell::new),
        error: UnsafeCell::new(0),
        stack: UnsafeCell::new(0),
        resumed: AtomicUsize::new(0),
    });
    let children: Vec<_> = (0..STEALS)
        .map(|number| {
            let frame = frame.clone();
            thread::spawn(move || frame.child(number))
        })
        .collect();
    frame.join();
    for c in children {
        c.join().unwrap();
    }
    assert_eq!(frame.resumed.load(Relaxed), 1, "no side continues");
}
