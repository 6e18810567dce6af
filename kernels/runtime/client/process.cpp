// Starting, calling and killing worker processes.
#include "kernels/runtime/client/process.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

constexpr std::chrono::seconds kStartLimit{60};

}  // namespace

std::filesystem::path worker_program() {
  if (const char* named = std::getenv("WARPWRIGHT_WORKER")) return named;
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const auto installed = folder.parent_path() / "libexec" / "warpwright" / "worker";
  const auto beside = folder / "worker";
  return std::filesystem::exists(beside, error) || !std::filesystem::exists(installed, error) ? beside : installed;
}

std::filesystem::path baselines_program(const std::string& arch) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / ("baselines_" + arch);
  return ::access(path.c_str(), X_OK) == 0 ? path : std::filesystem::path();
}

Process::Process(std::filesystem::path program, const Stop& stop) : program_(std::move(program)), stop_(stop) {}

Process::Process(const Stop& stop) : Process(worker_program(), stop) {}

Process::~Process() {
  kill();
}

void Process::start() {
  if (::access(program_.c_str(), X_OK) != 0)
    throw EnvironmentFault(
        fmt::format("the worker program {} is missing: build it (ninja worker), or name it with "
                    "WARPWRIGHT_WORKER",
                    program_.string()));
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    throw EnvironmentFault(
        fmt::format("no worker can be started (socketpair: {}): see ulimit -n", std::strerror(errno)));
  try {
    ++started_;
    child_ = std::make_unique<simulator::ChildProcess>(
        std::vector<std::string>{program_.string(), std::to_string(sockets[1])},
        simulator::SpawnOptions{.kept = sockets[1]});
  } catch (const std::system_error& refused) {
    ::close(sockets[0]);
    ::close(sockets[1]);
    throw EnvironmentFault(
        fmt::format("no worker can be started ({}): see ulimit -u, ulimit -n and free memory", refused.what()));
  }
  ::close(sockets[1]);
  socket_ = sockets[0];
  Message greeted;
  const ChannelStatus went = receive_message(socket_, greeted, {.limit = kStartLimit, .is_stopped = {}, .stop = stop_});
  if (went == ChannelStatus::given_up) {
    kill();
    throw Stopped();
  }
  if (went == ChannelStatus::done) {
    if (greeted == greeting()) return;
    kill();
    throw EnvironmentFault(fmt::format("the worker program {} is of another build than this program: build both again",
                                       program_.string()));
  }
  const bool stopped = child_->is_stopped();
  child_->kill();  // does nothing if it is already dead
  const simulator::Ending ending = end();
  throw EnvironmentFault(fmt::format("the worker program {} does not start ({}): see ulimit -a and free memory",
                                     program_.string(), stopped ? "it was stopped" : ending.text()));
}

simulator::Ending Process::end() {
  const simulator::Ending ending = child_->wait();
  child_.reset();
  ::close(socket_);
  socket_ = -1;
  return ending;
}

std::string Process::reap() {
  const simulator::Ending ending = end();
  if (ending.from_outside())
    throw EnvironmentFault(
        fmt::format("a worker was {}, and not by warpwright; where memory ran out the kernel's log (dmesg) says so: "
                    "free some, or run less at once",
                    ending.text()));
  return ending.text();
}

void Process::kill() {
  if (!child_) return;
  child_->kill();
  end();
}

Answered<Answer> Process::try_once(const Message& request, std::chrono::milliseconds limit) {
  const WaitLimit wait{.limit = limit, .is_stopped = [this] { return child_->is_stopped(); }, .stop = stop_};
  if (stop_.is_now()) throw Stopped();
  if (!child_) start();
  ChannelStatus went = send_message(socket_, request, wait);
  if (went == ChannelStatus::closed) {
    // It died between two requests, so this request is not the cause.
    kill();
    start();
    went = send_message(socket_, request, wait);
  }
  Message message;
  if (went == ChannelStatus::done) went = receive_message(socket_, message, wait);
  switch (went) {
    case ChannelStatus::closed:
      return {.status = CallStatus::crashed, .detail = reap()};
    case ChannelStatus::stopped:
      kill();
      throw EnvironmentFault("a worker was stopped from outside (SIGSTOP): let warpwright's processes run");
    case ChannelStatus::timed_out:
      kill();
      return {.status = CallStatus::timed_out, .detail = fmt::format("no answer within {} ms", limit.count())};
    case ChannelStatus::given_up:
      kill();
      throw Stopped();
    case ChannelStatus::done:
      break;
  }
  Answer answer = decode_answer(message);
  if (const auto* failed = std::get_if<EnvironmentFailed>(&answer)) {
    kill();
    throw EnvironmentFault(failed->reason);
  }
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    if (!refused->is_fatal) return {.status = CallStatus::refused, .detail = refused->reason};
    // A context that saw a device fault cannot be used any more.
    kill();
    return {.status = CallStatus::crashed, .detail = refused->reason};
  }
  return {.reply = std::move(answer)};
}

Answered<Answer> Process::call_any(const Message& request, std::chrono::milliseconds limit, Believe believe) {
  constexpr std::chrono::milliseconds kPause{200};
  int faults = 0;
  int losses = believe == Believe::first_loss ? 1 : 0;
  while (true) {
    try {
      Answered<Answer> answered = try_once(request, limit);
      if (!answered.is_lost() || ++losses == 2) return answered;
    } catch (const EnvironmentFault& fault) {
      if (++faults == 2) throw;
      last_fault_ = fault.what();
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace warpwright::worker
