// Counts primes on all cores, from Rust.
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};

#[link(name = "tine")]
extern "C" {
    fn tine_par_for_chunks(
        begin: i64,
        end: i64,
        body: unsafe extern "C" fn(*mut c_void, i64, i64) -> c_int,
        data: *mut c_void,
    ) -> c_int;
}

/// Calls `body` with subranges that together are the range. `Sync`, because several workers call it at once.
fn par_for_chunks<F: Fn(Range<i64>) + Sync>(range: Range<i64>, body: F) {
    // No panic may leave a callback.
    unsafe extern "C" fn call<F: Fn(Range<i64>) + Sync>(data: *mut c_void, begin: i64, end: i64) -> c_int {
        let body = &*(data as *const F);
        catch_unwind(AssertUnwindSafe(|| body(begin..end))).is_err() as c_int
    }
    let data = &body as *const F as *mut c_void;
    let status = unsafe { tine_par_for_chunks(range.start, range.end, call::<F>, data) };
    assert_eq!(status, 0, "an iteration has panicked");
}

fn is_prime(n: i64) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

fn main() {
    let primes = AtomicU64::new(0);
    par_for_chunks(0..1_000_000, |numbers| {
        let found = numbers.filter(|&n| is_prime(n)).count();
        primes.fetch_add(found as u64, Ordering::Relaxed);
    });
    println!("{} primes below a million", primes.into_inner());
}
