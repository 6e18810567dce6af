// Tests that every param of the catalogue changes the machine code or the launches of its kernel.
#include "conformance/suite/idle_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/suite/host_fixture.hpp"

namespace warpwright::conformance {
namespace {

std::vector<std::string> names_of(const std::vector<IdleAxis>& axes) {
  std::vector<std::string> names;
  for (const IdleAxis& one : axes)
    names.push_back(one.values.empty()
                        ? fmt::format("{} ({} pairs)", one.axis, one.pairs)
                        : fmt::format("{}={} ({} pairs)", one.axis, fmt::join(one.values, "|"), one.pairs));
  return names;
}

std::vector<std::string> names_of(const std::vector<KernelCopy>& copies) {
  std::vector<std::string> names;
  for (const KernelCopy& copy : copies)
    names.push_back(fmt::format("{} {} is {} {}", copy.one.kernel->full_name(),
                                copy.one.kernel->space.text(copy.one.params), copy.other.kernel->full_name(),
                                copy.other.kernel->space.text(copy.other.params)));
  return names;
}

/// Compiles for GPUs, one module at a time.
class ForGpus : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!compiler().toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler().toolchain().nvrtc_error;
  }
  worker::Compiler& compiler() { return build_.compiler; }

 private:
  worker::BuildService build_{
      catalogue().sources(), std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache", {}, 1};
};

class IdleAxes : public ForGpus {};

TEST_P(IdleAxes, OfKernel) {
  EXPECT_THAT(names_of(idle_axes(catalogue(), compiler(), catalogue().kernel(GetParam()))), testing::IsEmpty());
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const Kernel& kernel : catalogue().kernels()) names.push_back(kernel.full_name());
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, IdleAxes, testing::ValuesIn(kernels()), test_name);

class KernelCopies : public ForGpus {};

TEST_P(KernelCopies, OfPattern) {
  EXPECT_THAT(names_of(kernel_copies(catalogue(), compiler(), GetParam())), testing::IsEmpty());
}

std::vector<std::string> patterns() {
  std::vector<std::string> names;
  for (const Pattern& pattern : catalogue().patterns()) names.push_back(pattern.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, KernelCopies, testing::ValuesIn(patterns()), test_name);

/// On planted faults.
class PlantedCopies : public ForGpus {};

TEST_P(PlantedCopies, AreFound) {
  const Kernel& copy = catalogue().kernel("transpose/copy");
  Kernel idle = copy;
  std::vector<Axis> axes = copy.space.axes();
  axes.push_back({.name = "idle", .values = {0, 1, 2}, .spellings = {"0", "1", "2"}});
  idle.space = Space(axes, {});
  idle.default_point.push_back(0);
  const auto without = [](Point point) {
    point.pop_back();
    return point;
  };
  idle.plan = [&](const Point& point, const Problem& problem, const Device& device) {
    return copy.plan(without(point), problem, device);
  };
  idle.refuses = [&](const Point& point, const Problem& problem, const Device& device) {
    return copy.refuses(without(point), problem, device);
  };
  const std::vector<IdleAxis> found = idle_axes(catalogue(), compiler(), idle, {.rounds = 3});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].axis, "idle");
  EXPECT_EQ(found[0].pairs, 3);
  const std::vector<IdleAxis> values = idle_axes(catalogue(), compiler(), idle, {.rounds = 3, .values = true});
  EXPECT_THAT(names_of(values), testing::IsSupersetOf({"idle=0|1 (3 pairs)", "idle=1|2 (3 pairs)"}));

  Kernel twin = catalogue().kernel("transpose/read_coalesced");
  twin.name = "twin";
  const Catalogue with_twin = catalogue().with({}, {twin}, {});
  EXPECT_THAT(names_of(kernel_copies(with_twin, compiler(), "transpose", 20)),
              testing::ElementsAre(testing::HasSubstr("transpose/twin")));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PlantedCopies, testing::Values("transpose/copy"), test_name);

}  // namespace
}  // namespace warpwright::conformance
