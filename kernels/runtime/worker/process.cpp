// Starting, calling and killing worker processes.
#include "kernels/runtime/worker/process.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "kernels/runtime/worker/channel.hpp"

namespace warpwright::worker {

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
    throw std::runtime_error(
        fmt::format("the worker program {} is missing: build it (ninja worker), or name it with "
                    "WARPWRIGHT_WORKER",
                    program_.string()));
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    throw std::runtime_error(fmt::format("socketpair: {}", std::strerror(errno)));
  try {
    child_ =
        std::make_unique<host::ChildProcess>(std::vector<std::string>{program_.string(), std::to_string(sockets[1])},
                                             host::SpawnOptions{.kept = sockets[1]});
  } catch (...) {
    ::close(sockets[0]);
    ::close(sockets[1]);
    throw;
  }
  ::close(sockets[1]);
  socket_ = sockets[0];
}

std::string Process::reap() {
  const std::string how = child_->wait().text();
  child_.reset();
  ::close(socket_);
  socket_ = -1;
  return how;
}

void Process::kill() {
  if (!child_) return;
  child_->kill();
  reap();
}

Reply Process::call(const nlohmann::json& request, std::chrono::milliseconds limit) {
  if (stop_.is_now()) throw Stopped();
  if (!child_) start();
  Reply reply;
  if (!send_message(socket_, request)) {
    // It died between two requests, which is no fault of this one.
    kill();
    start();
    if (!send_message(socket_, request)) return {.status = Reply::Status::crashed, .body = {}, .detail = reap()};
  }
  switch (receive_message(socket_, reply.body, limit, stop_)) {
    case Received::closed:
      return {.status = Reply::Status::crashed, .body = {}, .detail = reap()};
    case Received::timed_out:
      kill();
      return {.status = Reply::Status::timed_out,
              .body = {},
              .detail = fmt::format("no answer within {} ms", limit.count())};
    case Received::stopped:
      kill();
      throw Stopped();
    case Received::message:
      break;
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

}  // namespace warpwright::worker
