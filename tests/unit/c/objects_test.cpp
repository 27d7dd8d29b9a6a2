// Pools, roots, stop sources and task groups of the C interface, from workers and from threads outside.
#include "unit/c/c_pool.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tine::test;

tine_pool_options sized() {
  tine_pool_options o{};
  o.size = sizeof o;
  return o;
}

void is_refused(int status) {
  CHECK(status == tine_invalid_argument);
  CHECK(std::strlen(tine_last_message()) > 20);
}

// --- pools -----------------------------------------------------------------------------------------------------------

TEST_CASE("a pool has the options that it was asked for") {
  tine_pool_options o = sized();
  o.workers = 3;
  o.max_callers = 5;
  o.thread_name = "abc";
  tine_pool* pool = nullptr;
  REQUIRE(tine_pool_create(&o, &pool) == tine_ok);
  CHECK(tine_pool_workers(pool) == 3);
  int count = 0, slots = 0, index = -1;
  CHECK(run_in(pool, [&] {
          count = tine_worker_count();
          slots = tine_worker_slots();
          index = tine_worker_index();
        }) == tine_ok);
  CHECK(count == 3);
  CHECK(slots == 8);
  CHECK(index == 0);
  CHECK(tine_pool_destroy(&pool) == tine_ok);
  CHECK(pool == nullptr);
}

TEST_CASE("a pool that is destroyed, or was never made, is refused") {
  tine_pool* pool = nullptr;
  REQUIRE(tine_pool_create(nullptr, &pool) == tine_ok);
  REQUIRE(tine_pool_destroy(&pool) == tine_ok);
  is_refused(tine_pool_destroy(&pool));
  is_refused(tine_pool_destroy(nullptr));
  is_refused(run_in(pool, [] {}));
  is_refused(tine_pool_workers(pool));
  tine_handle* handle = nullptr;
  is_refused(tine_pool_submit(pool, tine_normal, [](void*) { return 0; }, nullptr, &handle));
  CHECK(handle == nullptr);
  is_refused(tine_pool_create(nullptr, nullptr));
}

TEST_CASE("a pool isn't destroyed from inside") {
  tine_pool *outer = nullptr, *inner = nullptr;
  REQUIRE(tine_pool_create(nullptr, &outer) == tine_ok);
  REQUIRE(tine_pool_create(nullptr, &inner) == tine_ok);
  CHECK(run_in(outer, [&] {
          CHECK(tine_pool_destroy(&outer) == tine_wrong_state);
          CHECK(std::strlen(tine_last_message()) > 20);
          CHECK(run_in(inner, [&] {
                  CHECK(tine_pool_destroy(&outer) == tine_wrong_state);
                  CHECK(tine_pool_destroy(&inner) == tine_wrong_state);
                }) == tine_ok);
          CHECK(tine_pool_destroy(&inner) == tine_ok);
        }) == tine_ok);
  CHECK(inner == nullptr);
  CHECK(tine_pool_destroy(&outer) == tine_ok);
}

TEST_CASE("bad options are refused, and the message names them") {
  const auto refused = [](const tine_pool_options& o, const std::string& name) {
    tine_pool* pool = nullptr;
    CHECK(tine_pool_create(&o, &pool) == tine_invalid_argument);
    CHECK(pool == nullptr);
    CHECK_MESSAGE(std::string{tine_last_message()}.find(name) != std::string::npos, tine_last_message());
  };
  tine_pool_options o = sized();
  o.size = 0;
  refused(o, "size is 0");
  const auto with = [&](auto member, auto value, const std::string& name) {
    o = sized();
    o.*member = value;
    refused(o, name);
  };
  with(&tine_pool_options::workers, 513U, "workers is 513");
  with(&tine_pool_options::max_callers, 5000U, "max_callers is 5000");
  with(&tine_pool_options::idle, 2, "idle is 2");
  with(&tine_pool_options::callers, 259, "callers is 259");
  with(&tine_pool_options::resume, -1, "resume is -1");
  with(&tine_pool_options::pin, 256, "pin is 256");
  with(&tine_pool_options::promote, "often", "promote is \"often\"");
  with(&tine_pool_options::thread_name, "elevenbytes", "thread_name is \"elevenbytes\"");
  with(&tine_pool_options::thread_name, "", "thread_name is \"\"");
  with(&tine_pool_options::stack_bytes, std::size_t{1}, "stack_bytes");
  with(&tine_pool_options::signal, 1000, "signal is 1000");
}

TEST_CASE("a program may know fewer options than the library, or more") {
  struct newer {
    tine_pool_options known;
    std::uint64_t unknown;
  } n{sized(), 0};
  n.known.size = sizeof n;
  n.known.workers = 2;
  tine_pool* pool = nullptr;
  CHECK(tine_pool_create(&n.known, &pool) == tine_ok);
  CHECK(tine_pool_workers(pool) == 2);
  CHECK(tine_pool_destroy(&pool) == tine_ok);
  n.unknown = 1;
  is_refused(tine_pool_create(&n.known, &pool));
  tine_pool_options older = sized();
  older.size = offsetof(tine_pool_options, max_callers);
  older.workers = 2;
  older.idle = 77;  // behind the end of what the program knows
  CHECK(tine_pool_create(&older, &pool) == tine_ok);
  CHECK(tine_pool_workers(pool) == 2);
  CHECK(tine_pool_destroy(&pool) == tine_ok);
}

TEST_CASE("outside of every pool there is no index, and the numbers are those of the default pool") {
  CHECK(tine_worker_index() == tine_wrong_state);
  CHECK(tine_worker_count() >= 1);
  CHECK(tine_worker_slots() > tine_worker_count());
  CHECK(tine_start_default_pool(nullptr) == tine_wrong_state);
}

// --- roots -----------------------------------------------------------------------------------------------------------

TEST_CASE("a handle fetches the status of its root, once") {
  tine_handle* handle = nullptr;
  REQUIRE(tine_submit(tine_normal, [](void*) { return 12; }, nullptr, &handle) == tine_ok);
  CHECK(tine_handle_wait(&handle) == 12);
  CHECK(handle == nullptr);
  is_refused(tine_handle_wait(&handle));
  is_refused(tine_handle_wait(nullptr));
  is_refused(tine_handle_detach(&handle));
  is_refused(tine_handle_has_ended(handle));
  is_refused(tine_handle_request_stop(handle));
  is_refused(tine_handle_when_ended(handle, [](void*) {}, nullptr));
  is_refused(tine_submit(tine_normal, nullptr, nullptr, &handle));
  is_refused(tine_submit(2, [](void*) { return 0; }, nullptr, &handle));
  is_refused(tine_submit(tine_normal, [](void*) { return 0; }, nullptr, nullptr));
}

TEST_CASE("roots run in their pool, beside their submitter") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    const c_pool p{workers};
    std::array<tine_handle*, 20> handles{};
    std::atomic<int> in_pool{0};
    auto body = [&in_pool, workers] {
      in_pool += tine_worker_count() == static_cast<int>(workers);
      return for_each(0, 100, [](std::int64_t) { return 0; });
    };
    for (std::size_t i = 0; i < handles.size(); ++i) {
      REQUIRE(tine_pool_submit(p.get(), i % 2 == 0 ? tine_normal : tine_urgent, &call<decltype(body)>, &body,
                               &handles[i]) == tine_ok);
    }
    for (tine_handle*& h : handles) CHECK(tine_handle_wait(&h) == tine_ok);
    CHECK(in_pool == 20);
    tine_handle* inside = nullptr;
    CHECK(run_in(p.get(), [&] {
            CHECK(tine_submit(tine_normal, &call<decltype(body)>, &body, &inside) == tine_ok);
            return tine_handle_wait(&inside);
          }) == tine_ok);
    CHECK(in_pool == 21);
  }
}

TEST_CASE("a root that fails has its status and its message") {
  tine_handle* handle = nullptr;
  REQUIRE(
      tine_submit(tine_normal, [](void*) -> int { throw std::runtime_error{"no jam"}; }, nullptr, &handle) == tine_ok);
  CHECK(tine_handle_wait(&handle) == tine_exception);
  CHECK(std::string{tine_last_message()} == "no jam");
}

TEST_CASE("a root is stopped, and says when it has ended") {
  std::atomic<bool> begun{false};
  auto runs_until_stopped = [&] {
    begun = true;
    int status = 0;
    wait_until([&] { return (status = par2([] { return 0; }, [] { return 0; })) != 0; });
    return status;
  };
  tine_handle* handle = nullptr;
  REQUIRE(tine_submit(tine_normal, &call<decltype(runs_until_stopped)>, &runs_until_stopped, &handle) == tine_ok);
  REQUIRE(wait_until([&] { return begun.load(); }));
  CHECK(tine_handle_has_ended(handle) == 0);
  std::atomic<int> ended{0};
  const auto notes = [](void* e) { ++*static_cast<std::atomic<int>*>(e); };
  CHECK(tine_handle_when_ended(handle, notes, &ended) == tine_ok);
  CHECK(ended == 0);
  CHECK(tine_handle_request_stop(handle) == tine_ok);
  REQUIRE(wait_until([&] { return ended == 1; }));
  CHECK(tine_handle_has_ended(handle) == 1);
  CHECK(tine_handle_when_ended(handle, notes, &ended) == tine_ok);
  CHECK(ended == 2);
  CHECK(tine_handle_wait(&handle) == tine_stopped);
}

TEST_CASE("a detached root runs to its end, whatever it returns") {
  const c_pool p{2};
  std::atomic<int> ended{0};
  auto body = [&] { return ++ended; };
  for (int i = 0; i < 10; ++i) {
    tine_handle* handle = nullptr;
    REQUIRE(tine_pool_submit(p.get(), tine_normal, &call<decltype(body)>, &body, &handle) == tine_ok);
    CHECK(tine_handle_detach(&handle) == tine_ok);
    CHECK(handle == nullptr);
  }
  CHECK(wait_until([&] { return ended == 10; }));
  // a root that was stopped has no status to lose
  tine_handle* stopped = nullptr;
  REQUIRE(
      tine_pool_submit(p.get(), tine_normal, [](void*) -> int { return tine_stopped; }, nullptr, &stopped) == tine_ok);
  CHECK(tine_handle_detach(&stopped) == tine_ok);
}

// --- stops -----------------------------------------------------------------------------------------------------------

TEST_CASE("a stop reaches everything that a function has forked") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    const c_pool p{workers};
    tine_stop_source* source = nullptr;
    REQUIRE(tine_stop_source_create(&source) == tine_ok);
    std::atomic<int> begun{0}, ended_by_itself{0};
    const auto forks_on = [&](std::int64_t) {
      ++begun;
      int status = 0;
      if (!wait_until([&] { return (status = par2([] { return 0; }, [] { return 0; })) != 0; })) ++ended_by_itself;
      CHECK(tine_is_stopping() == 1);
      CHECK(for_each(0, 1000, [](std::int64_t) { return 0; }) == tine_stopped);
      auto whole = [] { return par2([] { return 0; }, [] { return 0; }); };
      CHECK(tine_unstoppable(&call<decltype(whole)>, &whole) == tine_ok);
      return status;
    };
    std::thread asks{[&] {
      wait_until([&] { return begun != 0; });
      CHECK(tine_stop_source_request(source) == tine_ok);
    }};
    auto body = [&] { return for_each(0, 100, forks_on); };
    CHECK(run_in(p.get(), [&] { return tine_run_stoppable(source, &call<decltype(body)>, &body); }) == tine_stopped);
    asks.join();
    CHECK(ended_by_itself == 0);
    CHECK(tine_is_stopping() == 0);
    // a region that begins after the request
    CHECK(tine_run_stoppable(source, &call<decltype(body)>, &body) == tine_stopped);
    CHECK(tine_stop_source_destroy(&source) == tine_ok);
    CHECK(source == nullptr);
  }
}

TEST_CASE("wrong calls of stop sources are refused") {
  tine_stop_source* source = nullptr;
  is_refused(tine_stop_source_create(nullptr));
  is_refused(tine_stop_source_destroy(&source));
  is_refused(tine_stop_source_destroy(nullptr));
  is_refused(tine_stop_source_request(source));
  is_refused(tine_run_stoppable(source, [](void*) { return 0; }, nullptr));
  REQUIRE(tine_stop_source_create(&source) == tine_ok);
  is_refused(tine_run_stoppable(source, nullptr, nullptr));
  CHECK(tine_stop_source_destroy(&source) == tine_ok);
}

// --- task groups -----------------------------------------------------------------------------------------------------

struct search {
  tine_task_group* group;
  std::vector<std::atomic<bool>> seen;
  std::atomic<int> found{0};
};

struct node {
  search* of;
  int number;
};

/// Visits a node of a binary tree whose leaves lead back to its root.
int visit(void* data) {
  node* const n = static_cast<node*>(data);
  search& s = *n->of;
  const int number = n->number;
  delete n;
  if (s.seen[static_cast<std::size_t>(number)].exchange(true)) return 0;
  ++s.found;
  int status = 0;
  for (const int next : {2 * number + 1, 2 * number + 2}) {
    if (status == 0) status = tine_task_group_run(s.group, visit, new node{&s, next % 1023});
  }
  return status;
}

TEST_CASE("a group's tasks add tasks") {
  in_pools([] {
    search s{nullptr, std::vector<std::atomic<bool>>(1023)};
    REQUIRE(tine_task_group_create(&s.group) == tine_ok);
    CHECK(visit(new node{&s, 0}) == tine_ok);
    CHECK(tine_task_group_wait(s.group) == tine_ok);
    CHECK(s.found == 1023);
    // another round; destroy waits
    for (std::atomic<bool>& b : s.seen) b = false;
    CHECK(visit(new node{&s, 0}) == tine_ok);
    CHECK(tine_task_group_destroy(&s.group) == tine_ok);
    CHECK(s.found == 2046);
    CHECK(s.group == nullptr);
  });
}

TEST_CASE("a group has the status of the first task that fails") {
  in_pools([] {
    tine_task_group* group = nullptr;
    REQUIRE(tine_task_group_create(&group) == tine_ok);
    std::array<int, 10> numbers{0, 0, 0, 4, 0, 6, 0, 0, 0, 10};
    for (int& n : numbers)
      CHECK(tine_task_group_run(group, [](void* i) { return *static_cast<int*>(i); }, &n) == tine_ok);
    CHECK(tine_task_group_wait(group) == 4);
    CHECK(tine_task_group_wait(group) == tine_ok);
    CHECK(tine_task_group_run(group, [](void*) -> int { throw std::runtime_error{"no tea"}; }, nullptr) == tine_ok);
    CHECK(tine_task_group_destroy(&group) == tine_exception);
    CHECK(std::string{tine_last_message()} == "no tea");
  });
}

TEST_CASE("wrong calls of task groups are refused") {
  tine_task_group* group = nullptr;
  is_refused(tine_task_group_create(nullptr));
  is_refused(tine_task_group_run(group, [](void*) { return 0; }, nullptr));
  is_refused(tine_task_group_wait(group));
  is_refused(tine_task_group_destroy(&group));
  is_refused(tine_task_group_destroy(nullptr));
  REQUIRE(tine_task_group_create(&group) == tine_ok);
  is_refused(tine_task_group_run(group, nullptr, nullptr));
  CHECK(tine_task_group_destroy(&group) == tine_ok);
}

// --- threads outside -------------------------------------------------------------------------------------------------

/// Runs a bit of everything on one thread, and checks each result.
void use_everything(tine_pool* pool, int number) {
  std::atomic<std::int64_t> sum{0};
  const auto add = [&sum](std::int64_t i) { return sum += i, 0; };
  CHECK(for_each(0, 1000, add) == tine_ok);
  CHECK(run_in(pool, [&] { return for_each(0, 1000, add); }) == tine_ok);
  CHECK(sum == 2 * 499'500);
  const auto fails = [&sum] { return sum++, 1; };
  tine_handle* handle = nullptr;
  auto body = [&] { return for_each(0, 100, add); };
  REQUIRE(tine_pool_submit(pool, tine_urgent, &call<decltype(body)>, &body, &handle) == tine_ok);
  CHECK(par2([] { return 0; }, fails) == 1);
  CHECK(tine_handle_wait(&handle) == tine_ok);
  tine_task_group* group = nullptr;
  REQUIRE(tine_task_group_create(&group) == tine_ok);
  for (int i = 0; i < 10; ++i) CHECK(tine_task_group_run(group, &call<decltype(body)>, &body) == tine_ok);
  CHECK(tine_task_group_destroy(&group) == tine_ok);
  CHECK(sum == 2 * 499'500 + 11 * 4950 + 1);
  // the message is this thread's
  const std::string mine = "thread " + std::to_string(number);
  CHECK(run([&]() -> int { throw std::runtime_error{mine}; }) == tine_exception);
  sched_yield();
  CHECK(std::string{tine_last_message()} == mine);
}

TEST_CASE("16 threads outside of every pool use everything at once") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    const c_pool p{workers};
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i) {
      threads.emplace_back([&p, i] {
        for (int round = 0; round < 10; ++round) use_everything(p.get(), i);
      });
    }
    for (std::thread& t : threads) t.join();
  }
}

}  // namespace
