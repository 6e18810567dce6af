// Tests every built-in function of CUDA that the simulator has: known to NVRTC, within its documented error, and as on
// a GPU.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "kernels/runtime/built_in_tests/inputs.hpp"
#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/module/header_index.hpp"
#include "kernels/system/child_process.hpp"

namespace warpwright::built_ins {

std::vector<Group> all_groups() {
  return {integer_rows(), packed_rows(), rounded_rows(), cast_rows(), exact_rows(),          elementary_rows(),
          special_rows(), memory_rows(), warp_rows(),    half_rows(), half_conversion_rows()};
}

namespace {

class BuiltInsTable : public testing::TestWithParam<Group> {
 protected:
  void SetUp() override {
    if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  }
};

/// Collects complaints: prints the first ones, one per line, and counts them for each row.
class Complaints {
 public:
  void add(std::size_t row, const std::string& text) {
    if (counts_[row]++ == 0) text_ += text + '\n';
  }
  std::string text() const {
    std::string text = text_;
    for (const auto& [row, count] : counts_) text += fmt::format("row {}: {} of {} cases\n", row, count, kCases);
    return text;
  }
  bool none() const { return counts_.empty(); }

 private:
  std::map<std::size_t, int> counts_;
  std::string text_;
};

TEST_P(BuiltInsTable, IsWithinTheDocumentedErrorInTheSimulator) {
  const Group& group = GetParam();
  const Results results = on_host(group);
  const auto arguments = inputs();
  Complaints complaints;
  for (std::size_t row = 0; row < group.rows.size(); ++row)
    for (int item = 0; item < kCases; ++item) {
      const std::string wrong = error(group.rows[row], &results[result_at(row, item)], arguments, item);
      if (!wrong.empty()) complaints.add(row, describe(group.rows[row], arguments, item) + ": " + wrong);
    }
  EXPECT_TRUE(complaints.none()) << complaints.text();
}

TEST_P(BuiltInsTable, IsKnownToNvrtc) {
  try {
    const gpu::Nvrtc nvrtc;
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
  EXPECT_NO_THROW(cubin_of(GetParam(), "sm_90"));
}

TEST_P(BuiltInsTable, IsTheSameOnAGpu) {
  try {
    const gpu::Nvrtc nvrtc;
    if (gpu::list_gpus().empty()) GTEST_SKIP() << "no GPU";
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
  const Group& group = GetParam();
  const Results host = on_host(group), device = on_gpu(group);
  const auto arguments = inputs();
  Complaints complaints;
  for (std::size_t row = 0; row < group.rows.size(); ++row)
    for (int item = 0; item < kCases; ++item) {
      const std::size_t at = result_at(row, item);
      std::string wrong = difference(group.rows[row], &host[at], &device[at]);
      if (!wrong.empty()) wrong = "host and GPU give " + wrong;
      if (wrong.empty()) wrong = error(group.rows[row], &device[at], arguments, item);
      if (!wrong.empty()) complaints.add(row, describe(group.rows[row], arguments, item) + ": " + wrong);
    }
  EXPECT_TRUE(complaints.none()) << complaints.text();
}

std::string name_of(const testing::TestParamInfo<Group>& group) {
  std::string name = group.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInsTable, testing::ValuesIn(all_groups()), name_of);

/// The functions that a header defines in warpwright::cuda after preprocessing.
std::set<std::string> functions_of(const std::string& header) {
  const auto run = simulator::run_process(
      {simulator::host_compiler(), "-std=c++20", "-E", "-P", "-DWARPWRIGHT_HOST_TARGET=1", "-I.", "-x", "c++", header},
      WARPWRIGHT_SOURCE_DIR, std::chrono::seconds(60));
  EXPECT_TRUE(run.ok()) << run.output;
  std::set<std::string> names;
  const std::regex token(R"([A-Za-z_]\w*|[(){};])");
  std::string before;
  int depth = 0, parentheses = 0, cuda_depth = -1;
  bool opens_cuda = false;
  for (std::sregex_iterator at(run.output.begin(), run.output.end(), token), end; at != end; ++at) {
    const std::string word = at->str();
    if (word == "cuda" && (before == "warpwright" || before == "namespace")) opens_cuda = true;
    if (word == "{") {
      ++depth;
      if (opens_cuda) cuda_depth = depth;
      opens_cuda = false;
    }
    if (word == "}") {
      if (depth == cuda_depth) cuda_depth = -1;
      --depth;
    }
    if (word == ";") opens_cuda = false;
    const bool is_name =
        !before.empty() && (before[0] == '_' || std::isalpha(static_cast<unsigned char>(before[0])) != 0);
    if (word == "(" && depth == cuda_depth && parentheses == 0 && is_name) names.insert(before);
    parentheses += word == "(" ? 1 : word == ")" ? -1 : 0;
    before = word;
  }
  for (const char* keyword : {"alignas", "__attribute__", "requires", "static_assert", "sizeof", "decltype"})
    names.erase(keyword);
  return names;
}

TEST(BuiltIns, AreAllInTheTable) {
  if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  std::set<std::string> called;
  const std::regex word(R"([A-Za-z_]\w*)");
  for (const Group& group : all_groups())
    for (const Row& row : group.rows)
      for (std::sregex_iterator at(row.call.begin(), row.call.end(), word), end; at != end; ++at)
        called.insert(at->str());
  std::set<std::string> missing;
  std::size_t count = 0;
  for (const char* header : {"kernels/runtime/cpu_model/simt.cuh", "kernels/runtime/cpu_model/built_ins.cuh",
                             "kernels/runtime/cpu_model/half.cuh"})
    for (const std::string& name : functions_of(header)) {
      ++count;
      if (!called.contains(name)) missing.insert(name);
    }
  EXPECT_GT(count, 900U);
  // NVRTC 13.0 has only the types of these. The output of printf is checked in the simulator's own tests.
  for (const char* untold :
       {"make_long4_16a", "make_long4_32a", "make_ulong4_16a", "make_ulong4_32a", "printf", "memmove"})
    missing.erase(untold);
  for (const std::string& name : functions_of("kernels/runtime/cpu_model/unmodelled.cuh")) missing.erase(name);
  EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(BuiltIns, AreDeclaredByTheirHeader) {
  if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  const SourceTree sources = sources_of({"none", {}});
  for (const auto& [path, text] : sources) {
    if (!is_cpu_model(path) || simulator::declared_names(text).empty()) continue;
    SourceTree headers = sources;
    for (const std::string& name : functions_of(path)) {
      headers["mention.cuh"] = name;
      // Perhaps in another header, which the needed one includes.
      EXPECT_THAT(simulator::needed_built_ins(headers, {"mention.cuh"}, {}), testing::Not(testing::IsEmpty())) << name;
    }
  }
}

}  // namespace
}  // namespace warpwright::built_ins
