// Tests of kernels that macros make.
#include "kernels/job/text/macro_kernels.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "kernels/job/text/device_text.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::job {
namespace {

constexpr const char* made_by_macros = R"(#define KERNEL(name) __global__ void name
#define MAP(name, T, op)                                 \
  KERNEL(name##_of_##T)(const T* in, T* out, int n) {    \
    const int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i < n) out[i] = in[i] op 2;                      \
  }
MAP(product,
    float, *)
KERNEL(plain)(const float* in, float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x];
}
)";

TEST(MacroKernels, AreKernelsOfTheText) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file.cu") << made_by_macros;
  const DeviceText made = PlainFile(folder / "file.cu", {}).text({});
  ASSERT_EQ(made.kernels.size(), 2U);
  EXPECT_EQ(made.kernels[0].name, "product_of_float");
  EXPECT_EQ(made.kernels[0].line, 7);
  ASSERT_EQ(made.kernels[0].parameters.size(), 3U);
  EXPECT_EQ(made.kernels[0].parameters[1].name, "out");
  EXPECT_EQ(made.kernels[0].parameters[1].type, "float");
  EXPECT_EQ(made.kernels[1].name, "plain");
  EXPECT_EQ(made.kernels[1].line, 9) << "lines keep their numbers";
}

TEST(MacroKernels, ReplaceParametersOnlyAndQuoteThem) {
  EXPECT_EQ(with_expanded_kernels("#define K(a, b) __global__ void a() { log(#b, b, ab); }\nK(x, 1 + f(2, 3))\n"),
            "#define K(a, b) __global__ void a() { log(#b, b, ab); }\n"
            "__global__ void x() { log(\"1+f(2, 3)\", 1+f(2, 3), ab); }\n");
}

TEST(MacroKernels, MayHaveNamesThatMacrosMake) {
  const std::string macros = "#define JOIN(a, b) a##b\n#define NAMED(x) JOIN(x, _kernel)\n#define PLAIN doubled\n";
  EXPECT_EQ(with_expanded_kernels(macros + "__global__ void NAMED(f)(int* a) { JOIN(a, b); }\n"
                                           "__global__ void __launch_bounds__(64) PLAIN(int* a) { PLAIN(a); }\n"),
            macros +
                "__global__ void f_kernel(int* a) { JOIN(a, b); }\n"
                "__global__ void __launch_bounds__(64) doubled(int* a) { PLAIN(a); }\n");
  const std::string made = macros + "#define MAKE(x) __global__ void NAMED(x)(int* a) {}\n";
  EXPECT_EQ(with_expanded_kernels(made + "MAKE(f)\n"), made + "__global__ void f_kernel(int* a) {}\n");
}

TEST(MacroKernels, OtherUsesOfMacrosStay) {
  for (const std::string text : {"#define TWICE(x) (2 * (x))\n__global__ void k(int* a) { a[0] = TWICE(a[1]); }\n",
                                 "#define K(...) __global__ void k(__VA_ARGS__) {}\nK(int* a)\n",
                                 "#define K(a) __global__ void a() {}\n// K(x)\nconst char* K = \"K(x)\";\n",
                                 "#define K(a) __global__ void a() {}\nK(x, y)\n"})
    EXPECT_EQ(with_expanded_kernels(text), text);
}

}  // namespace
}  // namespace warpwright::job
