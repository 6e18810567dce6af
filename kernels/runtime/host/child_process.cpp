// Runs a program and keeps what it prints.
#include "kernels/runtime/host/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

extern char** environ;

namespace warpwright::host {
namespace {

void check(int error, const char* call) {
  if (error != 0) throw std::system_error(error, std::generic_category(), call);
}

int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Reads until the other end is closed; false when the deadline passes first.
bool read_all(int from, std::chrono::steady_clock::time_point deadline, std::string& text) {
  std::array<char, 4096> buffer;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd wait{.fd = from, .events = POLLIN, .revents = 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::max<long long>(left, 0)));
    if (ready == 0) return false;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          std::chrono::seconds limit) {
  int ends[2];
  check(pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno, "pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);

  ProcessResult result;
  if (error != 0) {
    close(ends[0]);
    result.exit_code = 127;
    result.output = command[0] + ": " + std::generic_category().message(error);
    return result;
  }
  result.timed_out = !read_all(ends[0], std::chrono::steady_clock::now() + limit, result.output);
  close(ends[0]);
  if (result.timed_out) kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = exit_code_of(status);
  return result;
}

}  // namespace warpwright::host
