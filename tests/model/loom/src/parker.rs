//! A parker (src/sched/parker.hpp) and the check on both sides of it (worker::wake, thief::pre_sleep_check): no sleeper
//! stays parked after work was published, and a sleeper that was woken sees the reason. The futex is a mutex with a condition
//! variable.

use crate::places::{at, fence, Kind::*, Place};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;

pub const PLACES: &[Place] = &[
    ("parker.hpp:announce:state_.store", Store, SeqCst),
    ("parker.hpp:release:state_.store", Store, Release),
    ("parker.hpp:wait_while:state_.load", Load, Acquire),
    ("sleep.cpp:pre_sleep_check:fence", Fence, SeqCst),
    ("worker.cpp:wake:fence", Fence, SeqCst),
];

const AWAKE: usize = 0;
const ASLEEP: usize = 1;
const CALLED: usize = 2;

struct Parker {
    state: AtomicUsize,
    work: AtomicUsize,
    counted: UnsafeCell<usize>,
    kernel: Mutex<()>,
    queue: Condvar,
}

impl Parker {
    fn futex_wait(&self, expected: usize) {
        let held = self.kernel.lock().unwrap();
        // the kernel reads the word under its lock; a waker takes the same lock after its store
        if self.state.load(Relaxed) == expected {
            drop(self.queue.wait(held).unwrap());
        }
    }

    fn futex_wake(&self) {
        drop(self.kernel.lock().unwrap());
        self.queue.notify_one();
    }

    fn wait_while(&self, s: usize) {
        while self.state.load(at(PLACES, "parker.hpp:wait_while:state_.load")) == s {
            self.futex_wait(s);
        }
    }

    /// Returns true if the sleeper found the work itself.
    fn sleep(&self) -> bool {
        self.state.store(ASLEEP, at(PLACES, "parker.hpp:announce:state_.store"));
        fence(PLACES, "sleep.cpp:pre_sleep_check:fence");
        if self.work.load(Relaxed) == 1 {
            if self.state.compare_exchange(ASLEEP, AWAKE, Relaxed, Relaxed).is_ok() {
                return true;
            }
        } else {
            self.wait_while(ASLEEP);
        }
        self.wait_while(CALLED);
        self.counted.with_mut(|c| unsafe {
            assert_eq!(*c, 1, "a sleeper continues before it is counted awake");
            *c = 0
        });
        false
    }

    fn publish_and_wake(&self) {
        self.work.store(1, Relaxed);
        fence(PLACES, "worker.cpp:wake:fence");
        if self.state.compare_exchange(ASLEEP, CALLED, Relaxed, Relaxed).is_ok() {
            self.counted.with_mut(|c| unsafe { *c = 1 });
            self.state.store(AWAKE, at(PLACES, "parker.hpp:release:state_.store"));
            self.futex_wake();
        }
    }
}

pub fn run() {
    let parker = Arc::new(Parker {
        state: AtomicUsize::new(AWAKE),
        work: AtomicUsize::new(0),
        counted: UnsafeCell::new(0),
        kernel: Mutex::new(()),
        queue: Condvar::new(),
    });
    let waker = {
        let parker = parker.clone();
        thread::spawn(move || parker.publish_and_wake())
    };
    parker.sleep();
    waker.join().unwrap();
}
