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

#include "kernels/runtime/messages/build_id.hpp"
#include "kernels/runtime/messages/channel.hpp"
#include "kernels/runtime/messages/reply.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

constexpr std::chrono::seconds kStartLimit{60};

}  // namespace

Verdict verdict_of(const Reply& reply) {
  return reply.status == Reply::Status::timed_out ? Verdict::timed_out : Verdict::crashed;
}

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
  nlohmann::json greeting;
  if (receive_message(socket_, greeting, {.limit = kStartLimit, .is_stopped = {}}) == ChannelStatus::done) {
    if (greeting == nlohmann::json{{"build", build_id()}}) return;
    kill();
    throw EnvironmentFault(fmt::format("the worker program {} is of another build than this program: build both again",
                                       program_.string()));
  }
  const bool stopped = child_->is_stopped();
  child_->kill();  // says nothing of one that is dead already
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

Reply Process::try_once(const nlohmann::json& request, std::chrono::milliseconds limit) {
  const WaitLimit wait{.limit = limit, .is_stopped = [this] { return child_->is_stopped(); }, .stop = stop_};
  if (stop_.is_now()) throw Stopped();
  if (!child_) start();
  ChannelStatus went = send_message(socket_, request, wait);
  if (went == ChannelStatus::closed) {
    // It died between two requests, which is no fault of this one.
    kill();
    start();
    went = send_message(socket_, request, wait);
  }
  Reply reply;
  if (went == ChannelStatus::done) went = receive_message(socket_, reply.body, wait);
  switch (went) {
    case ChannelStatus::closed:
      return {.status = Reply::Status::crashed, .body = {}, .detail = reap()};
    case ChannelStatus::stopped:
      kill();
      throw EnvironmentFault("a worker was stopped from outside (SIGSTOP): let warpwright's processes run");
    case ChannelStatus::timed_out:
      kill();
      return {.status = Reply::Status::timed_out,
              .body = {},
              .detail = fmt::format("no answer within {} ms", limit.count())};
    case ChannelStatus::given_up:
      kill();
      throw Stopped();
    case ChannelStatus::done:
      break;
  }
  if (reply.body.contains("machine")) {
    kill();
    throw EnvironmentFault(reply.body.at("machine").get<std::string>());
  }
  if (reply.body.contains("refused")) {
    reply.status = Reply::Status::refused;
    reply.detail = reply.body.at("refused");
    // A context that saw a device fault is of no use any more.
    if (reply.body.value("fatal", false)) {
      kill();
      reply.status = Reply::Status::crashed;
    }
  }
  return reply;
}

Reply Process::call(const nlohmann::json& request, std::chrono::milliseconds limit, Believe believe) {
  constexpr std::chrono::milliseconds kPause{200};
  int faults = 0;
  int losses = believe == Believe::first_loss ? 1 : 0;
  while (true) {
    try {
      Reply reply = try_once(request, limit);
      const bool lost = reply.status == Reply::Status::crashed || reply.status == Reply::Status::timed_out;
      if (!lost || ++losses == 2) return reply;
    } catch (const EnvironmentFault& fault) {
      if (++faults == 2) throw;
      last_fault_ = fault.what();
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace warpwright::worker
