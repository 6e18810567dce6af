// Starting, calling and killing worker processes.
#include "kernels/runtime/worker/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
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

Process::Process(std::filesystem::path program) : program_(std::move(program)) {}

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
  const std::string descriptor = std::to_string(sockets[1]);
  const std::string path = program_.string();
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(sockets[0]);
    ::close(sockets[1]);
    throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
  }
  if (child == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::signal(SIGINT, SIG_IGN);
    ::fcntl(sockets[1], F_SETFD, 0);
    ::execl(path.c_str(), path.c_str(), descriptor.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::setpgid(child, child);
  ::close(sockets[1]);
  socket_ = sockets[0];
  pid_ = child;
}

std::string Process::reap() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-pid_, SIGKILL);
  ::close(socket_);
  pid_ = -1;
  socket_ = -1;
  if (WIFSIGNALED(status))
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

void Process::kill() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  reap();
}

Reply Process::call(const nlohmann::json& request, std::chrono::milliseconds limit) {
  if (pid_ < 0) start();
  Reply reply;
  if (!send_message(socket_, request)) {
    // It died between two requests, which is no fault of this one.
    kill();
    start();
    if (!send_message(socket_, request)) return {.status = Reply::Status::crashed, .body = {}, .detail = reap()};
  }
  switch (receive_message(socket_, reply.body, limit)) {
    case Received::closed:
      return {.status = Reply::Status::crashed, .body = {}, .detail = reap()};
    case Received::timed_out:
      kill();
      return {.status = Reply::Status::timed_out,
              .body = {},
              .detail = fmt::format("no answer within {} ms", limit.count())};
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
