//! A twin of `completion` in include/tine/detail/sched/task.hpp: exactly one side acts after the end, it sees what the other side
//! left, and then the task's memory is used for something else.

use crate::places::{at, Kind::*, Place};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::sync::Arc;
use loom::thread;

pub const PLACES: &[Place] = &[
    ("task.hpp:is_finished:word_.load", Load, Acquire),
    ("task.hpp:await:word_.compare_exchange_strong success", Change, AcqRel),
    ("task.hpp:await:word_.compare_exchange_strong failure", Load, Acquire),
    ("task.hpp:finish:word_.exchange", Change, AcqRel),
];

const FINISHED: usize = 1;
const WAITER: usize = 8;

struct Join {
    word: AtomicUsize,
    result: UnsafeCell<usize>,
    context: UnsafeCell<usize>,
    resumed: AtomicUsize,
}

impl Join {
    fn resume(&self) {
        assert_eq!(self.resumed.fetch_add(1, Relaxed), 0, "exactly one side acts");
        self.result.with_mut(|r| unsafe {
            assert_eq!(*r, 7, "the result");
            *r = 0
        });
    }

    fn wait(&self) {
        if self.word.load(at(PLACES, "task.hpp:is_finished:word_.load")) & FINISHED != 0 {
            return self.resume();
        }
        self.context.with_mut(|c| unsafe { *c = 1 });
        let success = at(PLACES, "task.hpp:await:word_.compare_exchange_strong success");
        let failure = at(PLACES, "task.hpp:await:word_.compare_exchange_strong failure");
        if self.word.compare_exchange(0, WAITER, success, failure).is_err() {
            self.resume();
        }
    }

    fn finish(&self) {
        self.result.with_mut(|r| unsafe { *r = 7 });
        if self.word.swap(FINISHED, at(PLACES, "task.hpp:finish:word_.exchange")) == WAITER {
            self.context.with(|c| unsafe { assert_eq!(*c, 1, "the saved context") });
            self.resume();
        }
    }
}

pub fn run() {
    let join = Arc::new(Join {
        word: AtomicUsize::new(0),
        result: UnsafeCell::new(0),
        context: UnsafeCell::new(0),
        resumed: AtomicUsize::new(0),
    });
    let finisher = {
        let join = join.clone();
        thread::spawn(move || join.finish())
    };
    join.wait();
    finisher.join().unwrap();
    assert_eq!(join.resumed.load(Relaxed), 1, "the waiter continues");
}
