// Starts programs, waits for them and kills them.
#include "kernels/system/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

namespace warpwright::simulator {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};

  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe2");
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close(std::size_t end) {
    if (ends.at(end) >= 0) ::close(ends.at(end));
    ends.at(end) = -1;
  }
};

/// Runs in the new process: replaces it by the program. Writes an error to `failures`, as an errno. Calls no function
/// that may take a lock, since another thread may have held it during the fork.
[[noreturn]] void become(char* const* arguments, const char* folder, const SpawnOptions& options, pid_t parent,
                         int failures) {
  ::setpgid(0, 0);
  ::signal(SIGINT, SIG_IGN);
  bool done = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
  if (::getppid() != parent) ::_exit(127);  // the parent died before the line above
  if (done && *folder != '\0') done = ::chdir(folder) == 0;
  if (done && options.output >= 0) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    done = nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(options.output, STDOUT_FILENO) >= 0 &&
           ::dup2(options.output, STDERR_FILENO) >= 0;
    if (nothing > STDERR_FILENO) ::close(nothing);
  }
  if (done && options.kept >= 0) done = ::fcntl(options.kept, F_SETFD, 0) == 0;
  if (done) ::execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(failures, &error, sizeof error);
  ::_exit(127);
}

/// Reads until the other end is closed. False if the limit or a stop comes first.
bool read_all(int from, const Stop& limit, const Stop& stop, std::string& text) {
  constexpr int kLook = 50;  // how often it checks for them, in milliseconds
  std::array<char, 4096> buffer;
  for (;;) {
    pollfd wait{.fd = from, .events = POLLIN, .revents = 0};
    if (limit.is_now() || stop.is_now()) return false;
    const int ready = ::poll(&wait, 1, kLook);
    if (ready == 0) continue;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string Ending::text() const {
  if (signal == 0) return fmt::format("exited with status {}", exit_code);
  return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
}

bool Ending::from_outside() const {
  constexpr std::array own{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
  return signal != 0 && std::ranges::find(own, signal) == own.end();
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, const SpawnOptions& options) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe failures;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail(errno, "fork");
  if (child == 0) become(arguments.data(), options.folder.c_str(), options, parent, failures.ends[1]);
  pid_ = child;
  ::setpgid(child, child);  // both the parent and the child call this
  failures.close(1);
  int error = 0;
  ssize_t count = 0;
  while ((count = ::read(failures.ends[0], &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (count == 0) return;
  wait();
  fail(error, command[0]);
}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  kill();
  wait();
}

bool ChildProcess::is_stopped() const {
  std::error_code error;
  for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(at->path() / "stat");
    std::string text;
    std::getline(file, text);
    // "PID (NAME) STATE PARENT GROUP ...", where the name may contain any characters.
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) continue;
    std::istringstream fields(text.substr(name_end + 1));
    char state = 0;
    pid_t parent = 0;
    pid_t group = 0;
    if (fields >> state >> parent >> group && group == pid_ && state == 'T') return true;
  }
  return false;
}

void ChildProcess::kill(int signal) const {
  ::kill(-pid_, signal);
}

Ending ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-pid_, SIGKILL);
  pid_ = -1;
  if (WIFSIGNALED(status)) return {.exit_code = 128 + WTERMSIG(status), .signal = WTERMSIG(status)};
  return {.exit_code = WEXITSTATUS(status)};
}

ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          std::chrono::seconds limit, const Stop& stop) {
  return run_process(command, folder, Stop{.deadline = Stop::Clock::now() + limit}, stop);
}

ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          const Stop& limit, const Stop& stop) {
  ProcessResult result;
  Pipe output;
  try {
    ChildProcess child(command, {.folder = folder, .output = output.ends[1]});
    output.close(1);
    const bool ended = read_all(output.ends[0], limit, stop, result.output);
    if (!ended) {
      result.stopped = child.is_stopped();
      child.kill();
    }
    const Ending ending = child.wait();
    if (!ended && stop.is_now()) throw Stopped();
    result.timed_out = !ended;
    result.ended_outside = ended && ending.from_outside();
    result.exit_code = ending.exit_code;
  } catch (const std::system_error& error) {
    // A missing program or folder is an ordinary result. A system without free processes is not.
    if (error.code() != std::errc::no_such_file_or_directory && error.code() != std::errc::permission_denied &&
        error.code() != std::errc::executable_format_error && error.code() != std::errc::not_a_directory)
      throw;
    result.exit_code = 127;
    result.output = command[0] + ": " + error.code().message();
  }
  return result;
}

}  // namespace warpwright::simulator
