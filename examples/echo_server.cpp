// An echo server on Boost.Asio: one thread runs the event loop, and each connection is a submitted coroutine, which
// holds no thread while it waits for its client. The answer to a line is computed in parallel. Clients in the same
// program check the answers.
#include <tine/tine.hpp>

#include <boost/asio.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// `co_await completion{start}` in a tine::task: `start` begins an operation of Asio with the handler that it gets. The
/// task continues on a worker of its pool when the operation has ended; the result is the error and the number of
/// bytes.
template <class Start>
struct completion {
  Start start;
  std::pair<error_code, std::size_t> result{};

  bool await_ready() const noexcept { return false; }
  void await_suspend(tine::resumption r) noexcept {
    start([this, r](error_code e, std::size_t n = 0) {
      result = {e, n};
      r.resume();
    });
  }
  std::pair<error_code, std::size_t> await_resume() const noexcept { return result; }
};
template <class Start>
completion(Start) -> completion<Start>;

/// The work of the server: the line in capital letters.
std::string answer(std::string line) {
  tine::par_for(line, [](char& c) { c = static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return line;
}

tine::task<> serve(tcp::socket client) {
  std::string text;
  for (;;) {
    std::array<char, 512> part;
    const auto [failed, n] =
        co_await completion{[&](auto handler) { client.async_read_some(asio::buffer(part), std::move(handler)); }};
    if (failed) co_return;  // the client has closed the connection
    text.append(part.data(), n);
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      const std::string reply = answer(text.substr(0, end + 1));
      text.erase(0, end + 1);
      const auto [broken, written] = co_await completion{
          [&](auto handler) { asio::async_write(client, asio::buffer(reply), std::move(handler)); }};
      if (broken) co_return;
    }
  }
}

tine::task<> accept_all(tcp::acceptor& door) {
  for (;;) {
    tcp::socket client{door.get_executor()};
    const auto [closed, unused] =
        co_await completion{[&](auto handler) { door.async_accept(client, std::move(handler)); }};
    if (closed) co_return;
    tine::submit(serve, std::move(client)).detach();
  }
}

/// Returns the number of right answers to `lines` lines.
int talk(unsigned short port, int number, int lines) {
  asio::io_context own;
  tcp::socket server{own};
  server.connect({asio::ip::address_v4::loopback(), port});
  int right = 0;
  std::string got;
  for (int i = 0; i < lines; ++i) {
    const std::string line =
        "client " + std::to_string(number) + " line " + std::to_string(i) + std::string(300, 'x') + "\n";
    asio::write(server, asio::buffer(line));
    const std::size_t n = asio::read_until(server, asio::dynamic_buffer(got), '\n');
    std::string expected = line;
    std::transform(expected.begin(), expected.end(), expected.begin(), [](unsigned char c) { return std::toupper(c); });
    right += got.substr(0, n) == expected;
    got.erase(0, n);
  }
  return right;
}

}  // namespace

int main() {
  asio::io_context events;
  const auto keeps_running = asio::make_work_guard(events);
  std::thread loop{[&] { events.run(); }};
  tcp::acceptor door{events, {asio::ip::address_v4::loopback(), 0}};
  const unsigned short port = door.local_endpoint().port();
  auto accepting = tine::submit(accept_all, std::ref(door));

  constexpr int clients = 16;
  constexpr int lines = 25;
  std::vector<int> right(clients);
  std::vector<std::thread> threads;
  for (int c = 0; c < clients; ++c) {
    threads.emplace_back([&, c] { right[static_cast<std::size_t>(c)] = talk(port, c, lines); });
  }
  for (std::thread& t : threads) t.join();
  asio::post(events, [&] { door.close(); });
  accepting.get();
  events.stop();
  loop.join();
  int sum = 0;
  for (const int r : right) sum += r;
  std::printf("%d right answers to %d clients, by %u workers\n", sum, clients, tine::worker_count());
  return sum == clients * lines ? 0 : 1;
}
