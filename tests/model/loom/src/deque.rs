//! A bounded twin of src/sched/deque.hpp: each item is taken once, and its taker sees what was written before the push.

use crate::places::{at, fence, Kind::*, Place};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::sync::Arc;
use loom::thread;

pub const PLACES: &[Place] = &[
    ("deque.hpp:push:top_.load", Load, Acquire),
    ("deque.hpp:push:bottom_.store", Store, Release),
    ("deque.hpp:pop:bottom_.store", Store, Release),
    ("deque.hpp:pop:fence", Fence, SeqCst),
    ("deque.hpp:pop:bottom_.store #2", Store, Release),
    ("deque.hpp:pop:top_.compare_exchange_strong success", Change, SeqCst),
    ("deque.hpp:pop:bottom_.store #3", Store, Release),
    ("deque.hpp:steal:top_.load", Load, Acquire),
    ("deque.hpp:steal:fence", Fence, SeqCst),
    ("deque.hpp:steal:bottom_.load", Load, Acquire),
    ("deque.hpp:steal:top_.compare_exchange_strong success", Change, SeqCst),
];

const CAPACITY: usize = 2;

struct Deque {
    top: AtomicUsize,
    bottom: AtomicUsize,
    slots: [AtomicUsize; CAPACITY],
    payloads: [UnsafeCell<usize>; 4],
    taken: [AtomicUsize; 4],
}

impl Deque {
    fn new() -> Self {
        // indices begin at 8, so that bottom - 1 is not below 0; item 0 stands for a slot that was never written
        Deque {
            top: AtomicUsize::new(8),
            bottom: AtomicUsize::new(8),
            slots: [0; CAPACITY].map(AtomicUsize::new),
            payloads: [0; 4].map(UnsafeCell::new),
            taken: [0; 4].map(AtomicUsize::new),
        }
    }

    fn push(&self, item: usize) {
        self.payloads[item].with_mut(|p| unsafe { *p = item });
        let b = self.bottom.load(Relaxed);
        let t = self.top.load(at(PLACES, "deque.hpp:push:top_.load"));
        assert!(b - t < CAPACITY, "this twin does not grow");
        self.slots[b % CAPACITY].store(item, Relaxed);
        self.bottom.store(b + 1, at(PLACES, "deque.hpp:push:bottom_.store"));
    }

    fn pop(&self) -> bool {
        let b = self.bottom.load(Relaxed) - 1;
        self.bottom.store(b, at(PLACES, "deque.hpp:pop:bottom_.store"));
        fence(PLACES, "deque.hpp:pop:fence");
        let t = self.top.load(Relaxed);
        if t > b {
            self.bottom.store(b + 1, at(PLACES, "deque.hpp:pop:bottom_.store #2"));
            return false;
        }
        let mut item = self.slots[b % CAPACITY].load(Relaxed);
        if t == b {
            let order = at(PLACES, "deque.hpp:pop:top_.compare_exchange_strong success");
            if self.top.compare_exchange(t, t + 1, order, Relaxed).is_err() {
                item = 0;
            }
            self.bottom.store(b + 1, at(PLACES, "deque.hpp:pop:bottom_.store #3"));
            if item == 0 {
                return false;
            }
        }
        self.take(item);
        true
    }

    fn steal(&self) {
        let t = self.top.load(at(PLACES, "deque.hpp:steal:top_.load"));
        fence(PLACES, "deque.hpp:steal:fence");
        let b = self.bottom.load(at(PLACES, "deque.hpp:steal:bottom_.load"));
        if t >= b {
            return;
        }
        let item = self.slots[t % CAPACITY].load(Relaxed);
        let order = at(PLACES, "deque.hpp:steal:top_.compare_exchange_strong success");
        if self.top.compare_exchange(t, t + 1, order, Relaxed).is_ok() {
            self.take(item);
        }
    }

    fn take(&self, item: usize) {
        assert!(item != 0, "a slot that was never written");
        assert_eq!(self.taken[item].fetch_add(1, Relaxed), 0, "an item is taken twice");
        self.payloads[item].with_mut(|p| unsafe {
            assert_eq!(*p, item, "the payload");
            *p = 0
        });
    }
}

fn with_thieves(thieves: usize, steals: usize, owner: fn(&Deque), items: usize) {
    let deque = Arc::new(Deque::new());
    let threads: Vec<_> = (0..thieves)
        .map(|_| {
            let deque = deque.clone();
            thread::spawn(move || (0..steals).for_each(|_| deque.steal()))
        })
        .collect();
    owner(&deque);
    for t in threads {
        t.join().unwrap();
    }
    while deque.pop() {}
    for i in 1..=items {
        assert_eq!(deque.taken[i].load(Relaxed), 1, "every item is taken");
    }
}

pub fn run() {
    with_thieves(1, 2, |d| {
        d.push(1);
        d.push(2);
        d.pop();
        d.push(3);
        d.pop();
        d.pop();
    }, 3);
}

pub fn run_two_thieves() {
    with_thieves(2, 1, |d| {
        d.push(1);
        d.push(2);
        d.pop();
    }, 2);
}
