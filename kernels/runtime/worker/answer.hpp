// The worker's side: answers requests to compile, to judge on the host and to run on a GPU until its parent hangs up.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "kernels/model/callable.hpp"

namespace warpwright::worker {

class GpuAnswers;

/// One answer per request: {"do": word, ...}. An answer {"refused": text} says why a request could not be done; with
/// "fatal" the worker must be replaced. {"machine": text} is the text of a EnvironmentFault, or what is one: no memory,
/// a system that refuses.
class Answers {
 public:
  /// `callables` are what this worker holds beside plans.
  explicit Answers(std::vector<Callable> callables = {});
  ~Answers();
  nlohmann::json answer(const nlohmann::json& request);

 private:
  nlohmann::json describe() const;
  nlohmann::json compile(const nlohmann::json& request) const;
  nlohmann::json judge(const nlohmann::json& request);
  nlohmann::json gpu_request(const nlohmann::json& request);

  std::vector<Callable> callables_;
  std::unique_ptr<GpuAnswers> gpu_;
  struct HostModules;
  std::unique_ptr<HostModules> host_modules_;
};

/// The main function of a worker program: answers messages from the socket that its parent named, until it is closed;
/// or, after --answer, the requests in a file.
int worker_main(int argc, char** argv, std::vector<Callable> callables = {});

}  // namespace warpwright::worker
