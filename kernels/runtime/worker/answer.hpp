// The worker's side: answers requests to compile, to simulate and to run on a GPU until its parent hangs up.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/messages/messages.hpp"

namespace warpwright::worker {

class GpuAnswers;

class Answers {
 public:
  /// `callables` are those that this worker can run besides plans.
  explicit Answers(std::vector<Callable> callables = {});
  ~Answers();

  /// Throws the exceptions that answer_of() turns into answers.
  Answer answer(Request request);

 private:
  Toolchain reply_to(const Describe& request) const;
  CompiledModule reply_to(const Compile& request) const;
  Simulated reply_to(Simulate& request);
  std::vector<BaselineInfo> reply_to(const ListCallables& request) const;

  std::vector<Callable> callables_;
  std::unique_ptr<GpuAnswers> gpu_;
  struct HostModules;
  std::unique_ptr<HostModules> host_modules_;
};

/// The answer of `work`. If it throws, the answer says that the request was refused, or that the environment failed
/// (for an EnvironmentFault, missing memory, or a refused system call).
Answer answer_of(const std::function<Answer()>& work);

/// Greets the parent at the socket, and answers its requests until it hangs up.
void serve(int socket, const std::function<Answer(Request)>& answer);

/// The main function of a worker program: serves the parent at the socket that it named; or, after --answer, answers
/// the requests in a file.
int worker_main(int argc, char** argv, std::vector<Callable> callables = {});

}  // namespace warpwright::worker
