// The contents of a profile: plain data that the runtime writes at the end of a run, and that tools read. format.md
// describes the bytes. This header doesn't include any header of the runtime.
//
// Times are nanoseconds, sizes are bytes, and an index into another list is `nothing` where there is nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tine::trace {

inline constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// The flags of the analyses; `run::analyses` is a sum of them.
enum analysis : std::uint32_t {
  work_span = 1,
  grain = 2,
  space = 4,
  dag = 8,
  races = 16,
  locks = 32,
  timeline = 64,
  sampled = 128,
};

/// How the process ended. `signalled`: by the signal `run::signal`. `running`: it has not ended; the profile is a
/// snapshot.
enum class ending : std::uint32_t { normal, exception, terminated, signalled, running };

/// The state of sampling outside of roots. All values but `on` and `none` say why it was not possible. `replaced`: the
/// program handles the signal, or no signal was free. `blocked`: the signal did not arrive for half of a thread's time
/// or more. `refused`: there is no timer. `no_registers`: on this architecture tine does not know the registers of
/// interrupted threads.
enum class sampling : std::uint32_t { none, on, replaced, blocked, refused, no_registers };

/// The run as a whole.
struct run {
  std::string command;         ///< with its arguments
  std::string version;         ///< of tine
  std::string machine;         ///< the processor's name
  std::uint32_t analyses = 0;  ///< the sum of the flags of the analyses that were measured
  std::uint32_t workers = 0;
  ending ended = ending::normal;
  std::uint64_t wall = 0;             ///< from the start of the process to the profile
  std::uint64_t fork_burden = 0;      ///< of a stolen fork: from the fork to the thief's first instruction, and back
  bool burden_is_measured = false;    ///< by `tine calibrate` on this machine; else a typical value
  double fork_cost = 0;               ///< the time of a fork, profiled or not
  double profiled_fork_cost = 0;      ///< the time that profiling adds to a fork
  double profiled_loop_cost = 0;      ///< the time that profiling adds to a loop
  std::uint64_t threshold = 0;        ///< of points and of dag nodes: forks and loops with less work are only counted
  std::uint32_t signal = 0;           ///< that ended the process; 0: none did
  std::uint64_t asked_threshold = 0;  ///< with which the run started; it doubles when a list is full. 0: as `threshold`
  sampling sampled = sampling::none;
  std::uint64_t sample_period = 0;  ///< processor time for which a sample stands
  std::uint64_t samples = 0;    ///< on sampled threads, while no root ran: those in `profile::samples`, and `unlocated`
  std::uint64_t unlocated = 0;  ///< of these, without a place: the list was full, or the signal came late
};

/// A file that was mapped as code, for finding the source of addresses.
struct module {
  std::string path;
  std::string build_id;              ///< hexadecimal, empty if the file has none
  std::uint64_t begin = 0, end = 0;  ///< where it was mapped
  std::uint64_t bias = 0;            ///< to be subtracted from an address to get the file's own
};

/// The construct at a site. `task`: a task is added to a group; only in the paths to races.
enum class construct : std::uint32_t { fork, loop, coroutine_fork, task };

/// A place in the program that forks or loops, all its instances together.
struct site {
  std::uint64_t address = 0;  ///< the return address of the call
  construct kind = construct::fork;
  std::uint64_t count = 0;       ///< logical forks, or loops
  std::uint64_t iterations = 0;  ///< of loops
  std::uint64_t promoted = 0;    ///< records that became tasks
  std::uint64_t stolen = 0;      ///< of these, by another worker
  std::int64_t bytes = 0;        ///< held by strands below this site at the witness of S∞
};

/// A return address above a site's, which tells the callers of a wrapper apart. The callers of a site are in order,
/// innermost first. Sites with the same address and other callers are different sites.
struct caller {
  std::uint32_t site = nothing;
  std::uint64_t address = 0;
};

/// A stretch of the run that the program has named by `tine::phase`. A phase that is opened inside of another one has a
/// row for each phase around it, and parents come before their children. A row without a name stands for strands in
/// several phases.
struct phase {
  std::string name;
  std::uint32_t parent = nothing;  ///< the phase around it
  std::uint64_t count = 0;         ///< how many times it was opened
  /// the time that threads spent in it outside of roots, and in no phase inside of it; the sum over all threads
  std::uint64_t outside = 0;
};

/// Race steps and events of the timeline have a number in place of the address of a fork or loop in a wrapper, with the
/// bit `chain_number` set. The addresses of that number are the fork's own and those of its callers.
struct chain_address {
  std::uint64_t number = 0;
  std::uint64_t address = 0;
};
inline constexpr std::uint64_t chain_number = std::uint64_t{1} << 60;

/// The strands on one sequence of forks from the root, with every level of a recursion: the sequence of `parent`, and
/// then a fork or loop at `site`. Strands in different phases have different paths. Parents come before their children.
/// The work of a path with everything below it is the sum over its subtree.
struct path {
  std::uint32_t parent = nothing;  ///< nothing: directly in a root
  std::uint32_t site = nothing;    ///< nothing: the root itself
  std::uint64_t work = 0;          ///< of the strands of just this path
  std::uint64_t count = 0;         ///< how many times this path forked here
  std::uint64_t iterations = 0;    ///< of its loops
  std::uint32_t phase = nothing;   ///< in which its strands are
};

/// Totals of one call from outside into a pool, or of all forks below a given fork.
struct totals {
  std::uint64_t work = 0;
  std::uint64_t span_low = 0,
                span_high = 0;  ///< they differ by the unknown part of loops: see docs/internals/decisions
  std::uint64_t burdened_span = 0;
  std::uint64_t forks = 0;
  std::uint64_t loops = 0;
  std::uint64_t iterations = 0;
};

/// A root: one call into a pool, or several neighbouring calls if there were more than a profile may hold. Neighbours
/// that did not overlap are one interval as long as theirs together, so that the time in which no root ran doesn't
/// change.
///
/// Roots that had not ended when the profile was written are one row, with `is_open`. Its work and forks are those that
/// were counted by then (0 without the analysis `grain`), and its span lies between that of its largest point and its
/// wall time.
struct root {
  std::uint64_t begin = 0;  ///< since the start of the process
  std::uint64_t wall = 0;
  std::uint64_t serial = 0;  ///< the part of its work beside which no other strand of the root can run
  totals all;
  bool threw = false;
  bool is_open = false;
  std::uint64_t count = 1;        ///< number of calls
  std::uint32_t phase = nothing;  ///< of the thread that called
};

/// An instance of a fork or loop with at least `run::threshold` work below it.
struct point {
  std::uint32_t site = nothing;
  std::uint32_t phase = nothing;  ///< nothing: no phase was named
  std::uint64_t work = 0;
  std::uint64_t span = 0;
  std::uint64_t forks = 0;      ///< below it and itself; a loop of n counts n - 1
  std::uint64_t profiling = 0;  ///< part of the work that profiling added; predicted from counts and the cost of one
};

/// The totals of the space profile.
struct space_totals {
  std::int64_t serial_peak = 0;  ///< S₁: the most that is held at once when one worker runs everything in order
  std::int64_t worst_peak = 0;   ///< S∞: the most that is held at once in any schedule
  std::int64_t left = 0;         ///< held at the end
  std::uint64_t allocations = 0, frees = 0;
  std::uint64_t allocated = 0;  ///< bytes, in total
};

/// Where the program was interrupted while no root ran, and the return addresses above, as far as frame pointers lead;
/// 0: none. Each combination of a place and a chain of callers occurs once.
struct sample {
  /// one more than the address of the interrupted instruction, as if it were a return address
  std::uint64_t address = 0;
  std::uint64_t caller = 0, second_caller = 0, third_caller = 0;
  std::uint64_t count = 0;  ///< of `run::sample_period` each
};

/// A node of the series-parallel picture. Nodes are in preorder: after a node come its children, in logical order, each
/// with its own children. A part of the program with less work than the threshold is one leaf, whatever it forked.
///
/// A node adds up: its work is that of its children. Its span is the sum of their spans in a series, and otherwise the
/// longest of them. Each root has one tree, with the root's work and its upper bound of the span.
struct node {
  enum class shape : std::uint32_t {
    leaf,      ///< strands, and parts that are too small to be shown: no children
    series,    ///< children one after the other
    parallel,  ///< children may run at the same time
    loop,  ///< a loop: as `parallel`; a child is a chunk with nodes of its own, the last one all other chunks together
  };
  shape is = shape::leaf;
  std::uint32_t children = 0;    ///< their number
  std::uint32_t site = nothing;  ///< of a parallel node, a loop, and a leaf that starts as a branch of one
  std::uint64_t work = 0, span = 0;
  std::uint64_t forks = 0;
  std::uint32_t phase = nothing;  ///< of a leaf
};

/// How an access of a race touches memory. `release`: the block was freed. `atomic_*`: only in runs that check
/// determinism.
enum class access_kind : std::uint32_t { read, write, release, atomic_read, atomic_write };

/// Where the memory of a race is.
enum class memory_kind : std::uint32_t { unknown, global, heap, stack, frame };

/// A step on the way from a root to a strand: a fork or an iteration of a loop. Steps come after their parents. Two
/// strands share the steps above the fork or loop at which they part.
struct race_step {
  std::uint32_t parent = nothing;  ///< nothing: directly in a root
  std::uint64_t address = 0;  ///< the return address of the call that forks or loops; 0: a thread or a root of its own
  construct kind = construct::fork;
  std::uint64_t branch = 0;  ///< of a fork: 0 for the first branch, 1 for the second; of a loop: the iteration;
                             ///< of a task: a number of its own
  bool is_cut = false;       ///< some steps below this one were not kept, and of a loop not even the iteration
};

/// A determinacy race: two accesses to the same memory by logically parallel strands. All instances with the same two
/// instructions are one row. `earlier` and `later` are in the serial order of the first instance. Addresses of accesses
/// are return addresses.
struct race {
  std::uint64_t earlier = 0, later = 0;
  access_kind earlier_kind = access_kind::write, later_kind = access_kind::write;
  std::uint32_t earlier_step = nothing,
                later_step = nothing;  ///< the innermost steps of both strands; nothing: not kept
  std::uint64_t address = 0;           ///< of the first byte that both accessed, in the first instance
  std::uint32_t bytes = 0;             ///< number of bytes of the later access
  memory_kind memory = memory_kind::unknown;
  std::uint64_t block = 0, block_bytes = 0;  ///< the allocation around `address`; 0: not known
  std::uint64_t block_site = 0;              ///< the return address of the call that allocated the block; 0: not known
  std::uint64_t count = 0;                   ///< number of instances
  bool is_locked = false;                    ///< both accesses hold a common lock; only in runs that check determinism
  /// The return address of the atomic operation by which the later strand has read what a strand wrote that came after
  /// the earlier access, in all instances; 0: there is none. Only in runs that check determinism.
  std::uint64_t ordered_at = 0;
};

/// Counts of the race detector. In a run without accesses nothing was checked.
struct race_totals {
  std::uint64_t reads = 0, writes = 0;  ///< instrumented accesses of followed strands
  std::uint64_t strands = 0;            ///< with an identity of their own: branches and iterations
  std::uint64_t dropped = 0;            ///< pairs of instructions with a race beyond the cap on rows
  bool determinism = false;             ///< atomic accesses and accesses under locks were checked, too
  std::string incomplete;               ///< why a part of the run was not checked; empty if all of it was
  std::uint64_t incomplete_at = 0;      ///< the return address of the code that this is about; 0: none
};

/// The kinds of findings of the lock checker. `held_at_*`: a strand held a lock over a fork, over a loop, at the end of
/// a branch or an iteration, or over a wait that suspends it. `released_elsewhere`: the lock was not released by the
/// thread that took it. `order`: a step of a cycle in the order of locks. `long_wait`: a strand waited in the kernel.
/// `waits`: it waited when the profile was written.
enum class lock_problem : std::uint32_t {
  held_at_fork,
  held_at_loop,
  held_at_join,
  released_elsewhere,
  order,
  long_wait,
  waits,
  held_at_wait,
};

/// The kind of object that a finding of the lock checker is about.
enum class lock_kind : std::uint32_t {
  lock,
  call_once,
  static_local,
  semaphore,
  latch,
  barrier,
  task_group,
  condition,
};

/// The return addresses of a call that uses a lock, forks or loops, innermost first; 0: none.
struct lock_stack {
  std::uint64_t address = 0;
  std::uint64_t caller = 0, second_caller = 0, third_caller = 0, fourth_caller = 0, fifth_caller = 0;
};

/// A finding of the lock checker. All instances with the same stacks are one row. Both stacks are rows of
/// `lock_stacks`.
struct lock_finding {
  lock_problem is = lock_problem::held_at_fork;
  std::uint64_t lock = 0;   ///< the address of the lock, in the first instance
  std::uint64_t other = 0;  ///< of an order: the lock that is taken while `lock` is held
  /// the call that took `lock`; of a wait: the call of its holder, nothing if that is not known
  std::uint32_t taken = nothing;
  std::uint32_t event = nothing;  ///< the fork, loop, join, release or wait; of an order: the call that takes `other`
  std::uint32_t step = nothing;   ///< the way to the strand: a row of the race steps
  std::uint64_t count = 0;        ///< number of instances
  std::uint64_t longest = 0;      ///< of a wait: the longest time of all instances
  std::uint32_t cycle = 0;  ///< of an order: the number of its cycle; the steps of a cycle are neighbours, in its order
  bool is_condition = false;  ///< a wait for a condition; `lock` is its mutex
  bool is_shared = false;     ///< the lock was taken for reading
  lock_kind kind = lock_kind::lock;
  bool is_suspended = false;  ///< a wait that leaves its worker to other work
};

/// The totals of the lock checker.
struct lock_totals {
  std::uint64_t taken = 0;    ///< how many times strands took a lock
  std::uint64_t locks = 0;    ///< how many different locks strands took
  std::uint64_t orders = 0;   ///< pairs of locks, one taken while the other one was held, by their stacks
  std::uint64_t dropped = 0;  ///< findings and orders for which there was no space
  bool was_cut = false;       ///< the search for cycles ended early
};

/// The part of the process in a job of several processes that share work. Work is tasks and iterations of loops.
struct rank_totals {
  std::uint32_t rank = 0;          ///< of this process in the job, from 0
  std::uint32_t ranks = 1;         ///< number of processes of the job
  std::uint64_t started = 0;       ///< when the process started, since 1970, by its machine's clock
  std::uint64_t in_calls = 0;      ///< in calls that share work
  std::uint64_t without_work = 0;  ///< of `in_calls`, the time in which no worker of the process had work
  std::uint64_t steals = 0;        ///< messages with work that have come from other ranks
  std::uint64_t requests = 0;      ///< requests for work to other ranks
  std::uint64_t given = 0;         ///< tasks and iterations sent to other ranks
  std::uint64_t messages = 0;      ///< sent, of all kinds
  std::uint64_t bytes = 0;         ///< of these messages
};

/// A stretch of time in which the process had no work for `without_work`; the rest are gaps too short to keep.
struct idle_period {
  std::uint64_t begin = 0;  ///< since the start of the process
  std::uint64_t wall = 0;
  std::uint64_t without_work = 0;
};

/// The timeline as a whole. Before `begin` some worker lacks events.
struct timeline_totals {
  std::uint64_t begin = 0;       ///< since the start of the process
  std::uint64_t end = 0;         ///< when the profile was written
  std::uint64_t asked_last = 0;  ///< how much of the end of the run the user asked for; 0: all of it
};

/// A row of the timeline: a worker of a pool. When the pool has ended, the next pool gets the same rows.
struct timeline_worker {
  std::uint32_t worker = 0;    ///< its number in its pool
  std::uint32_t pool = 0;      ///< pools that exist at the same time have different numbers
  std::uint64_t left_out = 0;  ///< older events that are not in the profile
};

/// An event of a worker. The events of a worker are in the order of time; the workers come one after the other.
struct timeline_event {
  enum class kind : std::uint32_t {
    arrives,        ///< the thread takes part in the pool
    leaves,         ///< the thread does not take part any more
    runs,           ///< the worker starts or continues to run the program's code
    rests,          ///< it stops running the program's code
    begins,         ///< a strand starts; subject: the return address of its fork or loop; 0: a root
    promotes,       ///< a record becomes a task; subject: the task
    promotes_late,  ///< as `promotes`, in the signal handler
    reclaims,       ///< the owner reclaims its task at a join; subject: the task
    steals,         ///< subject: the task; other: the victim
    takes,          ///< the worker is about to run a task, wherever that comes from; subject: the task
    suspends,       ///< a strand waits and leaves its worker; subject: the strand
    resumes,        ///< the strand continues; subject: the strand; other: the worker that it had left
    parks,          ///< a coroutine waits for something outside of the pool; subject: the coroutine
    returns,        ///< that coroutine continues
    lacks_token,    ///< an idle worker is not served, because there is no token
    serves_again,   ///< there is a token again, or no record is pending any more
    sees_work,      ///< a thief sees a record that is pending at another worker
    sees_none,      ///< the thief sees no such record any more
    sleeps,         ///< the worker goes to sleep
    wakes,          ///< its sleep is over
    interrupts,     ///< the worker sends a signal; other: the victim
    interrupted,    ///< the worker handles such a signal
    loses,  ///< the thread had no processor, or waited in the kernel; subject: the nanoseconds before this event
  };
  std::uint32_t worker = 0;  ///< index into the rows of workers
  kind is = kind::arrives;
  std::uint64_t time = 0;   ///< since the start of the process
  std::uint32_t other = 0;  ///< the number of another worker of the same pool
  std::uint64_t subject = 0;
};

struct profile {
  trace::run run;
  std::vector<module> modules;
  std::vector<site> sites;
  std::vector<caller> callers;  ///< if they were recorded
  std::vector<path> paths;
  std::vector<phase> phases;
  std::vector<root> roots;
  std::vector<point> points;
  std::vector<space_totals> space;  ///< one, or none if space was not measured
  std::vector<node> nodes;          ///< the trees of the roots, one after the other
  std::vector<sample> samples;      ///< by descending count
  std::vector<race_totals> race;    ///< one, or none if races were not looked for
  std::vector<race_step> race_steps;
  std::vector<trace::race> races;  ///< by descending count
  std::vector<lock_totals> lock;   ///< one, or none if locks were not checked
  std::vector<lock_stack> lock_stacks;
  std::vector<lock_finding> lock_findings;
  std::vector<rank_totals> rank;          ///< one, or none if the process shares no work with others
  std::vector<idle_period> idle_periods;  ///< in the order of time; they do not overlap
  std::vector<timeline_totals> timeline;  ///< one, or none if there is no timeline
  std::vector<timeline_worker> timeline_workers;
  std::vector<timeline_event> timeline_events;
  std::vector<chain_address> chains;  ///< those of one number stand together, innermost first
};

}  // namespace tine::trace
