// The worker's side: answers requests to compile, to judge on the host and to run on a GPU until its parent hangs up.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace warpwright::worker {

/// One answer per request: {"do": word, ...}. An answer {"refused": text} says why a request could not be done; with
/// "fatal" the worker must be replaced.
class Server {
 public:
  Server();
  ~Server();
  nlohmann::json answer(const nlohmann::json& request);

 private:
  struct GpuState;

  nlohmann::json describe() const;
  nlohmann::json compile(const nlohmann::json& request) const;
  nlohmann::json judge(const nlohmann::json& request);
  nlohmann::json gpu_request(const nlohmann::json& request);

  std::unique_ptr<GpuState> gpu_;
  struct HostModules;
  std::unique_ptr<HostModules> host_modules_;
};

/// Answers messages from `socket` until it is closed.
void serve(int socket);

/// Answers the requests of a CBOR array in a file, one after another, up to one that is refused. For runs under a tool
/// that watches a whole process. Returns 0 when none was.
int answer_file(const std::string& path);

}  // namespace warpwright::worker
