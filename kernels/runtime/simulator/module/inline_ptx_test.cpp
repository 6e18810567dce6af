// Tests of finding inline PTX: what becomes a call of the model, what stays, and that lines keep their numbers.
#include "kernels/runtime/simulator/module/inline_ptx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace warpwright::simulator {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(InlinePtx, of_products_becomes_a_call) {
  const std::string given = R"(asm volatile(
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "  // D = A B + C
    "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
    : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
    : "r"(a(0, 1)), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(0.0f));
next();)";
  const std::string model = with_modelled_ptx(given);
  EXPECT_THAT(model, HasSubstr("::warpwright::multiply_add<16, 8, 16, ::warpwright::bfloat16, ::warpwright::bfloat16, "
                               "float>(warpwright_d.of, warpwright_a.of, warpwright_b.of);"));
  EXPECT_THAT(model, HasSubstr("warpwright_a((a(0, 1)), (a[1]), (a[2]), (a[3]))"));
  EXPECT_THAT(model, HasSubstr("warpwright_d((c[0]), (c[1]), (c[2]), (0.0f))"));
  EXPECT_THAT(model, HasSubstr(" (d[3]) = warpwright_d.of[3];"));
  EXPECT_THAT(model, Not(HasSubstr("asm")));
  EXPECT_EQ(std::count(model.begin(), model.end(), '\n'), std::count(given.begin(), given.end(), '\n'));
  EXPECT_TRUE(model.ends_with(";\nnext();"));
}

TEST(InlinePtx, in_macros_and_with_names_is_found) {
  const std::string given =
      "#define LOAD(R0, R1, address) \\\n  asm volatile(\"ldmatrix.sync.aligned.x2.m8n8.trans.shared.b16 {%[first], "
      "%1}, [%2 + 16];\" \\\n    : [first] \"=r\"(R0), \"=r\"(R1) \\\n    : \"r\"(address) : \"memory\")\nvoid f();";
  const std::string model = with_modelled_ptx(given);
  EXPECT_THAT(model, HasSubstr("::warpwright::load_matrices_transposed(warpwright_d, "
                               "::warpwright::simulator::in_shared_memory((address) + (16)));"));
  EXPECT_THAT(model, HasSubstr("(R0) = warpwright_d[0]; (R1) = warpwright_d[1];"));
  EXPECT_TRUE(model.ends_with("while (0)\\\n\\\n\nvoid f();")) << model;
}

TEST(InlinePtx, of_copies_addresses_and_rounding_becomes_calls) {
  EXPECT_EQ(
      with_modelled_ptx(R"(asm("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" :: "r"(to), "l"(p), "n"(16));)"),
      "do { ::warpwright::async_copy<(16)>(::warpwright::simulator::in_shared_memory(to), (const void*)(p)); } "
      "while (0);");
  EXPECT_EQ(with_modelled_ptx(R"(__asm__ __volatile__("cp.async.commit_group;\n" ::);)"),
            "do { ::warpwright::async_commit(); } while (0);");
  EXPECT_EQ(with_modelled_ptx(R"(asm volatile("cp.async.wait_group %0;" : : "n"(N - 2));)"),
            "do { ::warpwright::async_wait<(N - 2)>(); } while (0);");
  EXPECT_THAT(
      with_modelled_ptx(R"(asm("{ .reg .u64 s; cvta.to.shared.u64 s, %1; cvt.u32.u64 %0, s; }" : "=r"(x) : "l"(p));)"),
      HasSubstr("(x) = static_cast<unsigned>(__cvta_generic_to_shared((const void*)(p)));"));
  EXPECT_THAT(with_modelled_ptx(R"(asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x) : "f"(y));)"),
              HasSubstr("(x) = ::warpwright::to_tfloat32(y);"));
}

TEST(InlinePtx, of_other_instructions_stays) {
  for (
      const std::string given :
      {R"(asm("brev.b32 %0, %1;" : "=r"(a) : "r"(b));)", R"(asm volatile("trap;");)",
       R"(asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0}, {%1}, {%2}, {%3};" : "=r"(a) : "r"(b), "r"(b), "r"(b));)",
       // Too few registers, another shape, and two instructions.
       R"(asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0}, {%1}, {%2}, {%3};" : "=f"(a) : "r"(b), "r"(b), "f"(c));)",
       R"(asm("mma.sync.aligned.m8n8k4.row.col.f32.tf32.tf32.f32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+f"(a), "+f"(d) : "r"(b), "r"(b));)",
       R"(asm("cp.async.commit_group; cp.async.wait_all;");)", R"(// asm("cp.async.commit_group;");)",
       R"x(auto text = R"(asm("cp.async.commit_group;");)";)x",
       R"x(const char* a = "asm(\"cp.async.commit_group;\")";)x", "asm(TEXT : : );", "asm(\"cp.async.commit_group;\"",
       "int plasma = 1; f(asm"})
    EXPECT_EQ(with_modelled_ptx(given), given);
}

}  // namespace
}  // namespace warpwright::simulator
