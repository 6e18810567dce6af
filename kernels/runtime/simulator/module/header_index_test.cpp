// Tests which headers of built-ins device code needs.
#include "kernels/runtime/simulator/module/header_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright::simulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::map<std::string, std::string> kSources = {
    {"kernels/runtime/cpu_model/fast.cuh", "// Fast.\n// Declares: __sinf __log*f\n// Declares: __powf\n"},
    {"kernels/runtime/cpu_model/inner.cuh", "float __sinf(float);"},
    {"kernels/runtime/cpu_model/packed.cuh", "// Declares: __va* __vs[au]*\n"},
    {"kernels/runtime/cpu_model/simt.cuh", "__sinf"},
    {"kernels/runtime/device.cuh", "__sinf"},
    {"a.cuh", "x = __log2f(y) + __vset(z);"},
    {"b.cuh", "float my__sinf(); __vset;"},
    {"c.cuh", "#define F(x) __v##x"},
};

TEST(HeaderIndex, HasTheDeclaredPatternsOfAHeader) {
  EXPECT_THAT(declared_names(kSources.at("kernels/runtime/cpu_model/fast.cuh")),
              ElementsAre("__sinf", "__log*f", "__powf"));
}

TEST(HeaderIndex, NeedsAHeaderIfAWordMatches) {
  const std::string fast = "kernels/runtime/cpu_model/fast.cuh", packed = "kernels/runtime/cpu_model/packed.cuh";
  EXPECT_THAT(needed_built_ins(kSources, {"a.cuh"}, {}), ElementsAre(fast));
  EXPECT_THAT(needed_built_ins(kSources, {"b.cuh"}, {}), IsEmpty());
  EXPECT_THAT(needed_built_ins(kSources, {"b.cuh"}, {"kernel<__vabs4>"}), ElementsAre(packed));
  EXPECT_THAT(needed_built_ins(kSources, {"c.cuh"}, {}), ElementsAre(fast, packed));
  EXPECT_THAT(needed_built_ins(kSources, {"kernels/runtime/cpu_model/simt.cuh", "kernels/runtime/device.cuh"}, {}),
              IsEmpty());
}

}  // namespace
}  // namespace warpwright::simulator
