// Tests of finding inline PTX: what becomes a call of the model, what stays, and that lines keep their numbers.
#include "kernels/runtime/simulator/module/inline_ptx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

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
                               "::warpwright::simulator::in_shared_memory((address) + 16));"));
  EXPECT_THAT(model, HasSubstr("(R0) = warpwright_d[0]; (R1) = warpwright_d[1];"));
  EXPECT_TRUE(model.ends_with("while (0)\\\n\\\n\nvoid f();")) << model;
}

TEST(InlinePtx, of_copies_addresses_and_rounding_becomes_calls) {
  EXPECT_EQ(
      with_modelled_ptx(R"(asm("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" :: "r"(to), "l"(p), "n"(16));)"),
      "do { ::warpwright::async_copy<(16)>(::warpwright::simulator::in_shared_memory((to)), (const void*)(p)); } "
      "while (0);");
  EXPECT_EQ(with_modelled_ptx(R"(__asm__ __volatile__("cp.async.commit_group;\n" ::);)"),
            "do { ::warpwright::async_commit(); } while (0);");
  EXPECT_EQ(with_modelled_ptx(R"(asm volatile("cp.async.wait_group %0;" : : "n"(N - 2));)"),
            "do { ::warpwright::async_wait<(N - 2)>(); } while (0);");
  EXPECT_THAT(
      with_modelled_ptx(R"(asm("{ .reg .u64 s; cvta.to.shared.u64 s, %1; cvt.u32.u64 %0, s; }" : "=r"(x) : "l"(p));)"),
      testing::AllOf(HasSubstr("unsigned long long warpwright_s{};"),
                     HasSubstr("warpwright_s = __cvta_generic_to_shared((const void*)(p));"),
                     HasSubstr("(x) = static_cast<unsigned>(warpwright_s);")));
  EXPECT_THAT(with_modelled_ptx(R"(asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x) : "f"(y));)"),
              HasSubstr("(x) = ::warpwright::to_tfloat32((y));"));
}

TEST(InlinePtx, of_several_instructions_becomes_one_statement) {
  EXPECT_EQ(with_modelled_ptx(R"(asm volatile("cp.async.commit_group; cp.async.wait_all;");)"),
            "do { { ::warpwright::async_commit(); } { ::warpwright::async_commit(); ::warpwright::async_wait<0>(); } } "
            "while (0);");
  const std::string wait = with_modelled_ptx(R"(asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}" ::"r"(bar), "r"(parity));)");
  EXPECT_TRUE(wait.starts_with("do { __label__ warpwright_LAB_WAIT; __label__ warpwright_DONE; bool warpwright_P1{}; "))
      << wait;
  EXPECT_THAT(
      wait, HasSubstr("warpwright_LAB_WAIT:; { warpwright_P1 = ::warpwright::phase_done((::warpwright::phase_barrier*)"
                      "::warpwright::simulator::in_shared_memory((bar)), (unsigned)(parity)); } "));
  EXPECT_THAT(
      wait, HasSubstr("if (warpwright_P1) { goto warpwright_DONE; } { goto warpwright_LAB_WAIT; } warpwright_DONE:; "));
}

TEST(InlinePtx, of_warpgroups_becomes_calls) {
  const std::string product = with_modelled_ptx(R"(asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, %7, %8, %9, %10;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b), "r"(int32_t(scale)), "n"(1), "n"(-1), "n"(0), "n"(1));)");
  EXPECT_THAT(product, HasSubstr("warpwright_p = (unsigned)((int32_t(scale))) != (unsigned)(0);"));
  EXPECT_THAT(product, HasSubstr("void* const warpwright_d[] = {&(d[0]), &(d[1]), &(d[2]), &(d[3])};"));
  EXPECT_THAT(product, HasSubstr("start_product<8, ::warpwright::bfloat16, ::warpwright::bfloat16, float, false>"));
  EXPECT_THAT(product, HasSubstr(".a_is_negated = (1) < 0, .b_is_negated = (-1) < 0, .a_is_transposed = (0) != 0, "
                                 ".b_is_transposed = (1) != 0"));
  EXPECT_EQ(with_modelled_ptx(R"(asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(N) : "memory");)"),
            "do { ::warpwright::products_wait<(N)>(); } while (0);");
  EXPECT_EQ(with_modelled_ptx(R"(asm volatile("" : "+f"(x)::"memory");)"), "do { } while (0);");
  EXPECT_EQ(with_modelled_ptx(R"(asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");)"),
            "do { ::warpwright::take_registers<232>(); } while (0);");
}

TEST(InlinePtx, of_barriers_and_bulk_copies_becomes_calls) {
  EXPECT_THAT(with_modelled_ptx(R"(asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(128) : "memory");)"),
              HasSubstr("::warpwright::simulator::block_barrier((id), (128), true, true);"));
  EXPECT_THAT(with_modelled_ptx(R"(asm volatile("barrier.cta.arrive 2, 64;");)"),
              HasSubstr("::warpwright::simulator::block_barrier(2, 64, false, false);"));
  EXPECT_THAT(with_modelled_ptx(R"(asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;"
                                ::"r"(bar), "r"(bytes));)"),
              HasSubstr("::warpwright::simulator::arrive((::warpwright::phase_barrier*)"
                        "::warpwright::simulator::in_shared_memory((bar)), 1, (bytes));"));
  EXPECT_THAT(with_modelled_ptx(R"(asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar));)"),
              HasSubstr("::warpwright::phase_arrive_copied((::warpwright::phase_barrier*)"
                        "::warpwright::simulator::in_shared_memory((bar)));"));
  EXPECT_THAT(with_modelled_ptx(
                  R"(asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%3, %4}], [%2];" ::"r"(to), "l"(map), "r"(bar), "r"(x), "r"(y) : "memory");)"),
              HasSubstr("::warpwright::bulk_copy_box(::warpwright::simulator::in_shared_memory((to)), "
                        "*(const ::warpwright::tensor_map*)(map), {(int)(x), (int)(y)}, "));
  EXPECT_THAT(
      with_modelled_ptx(R"(asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(to),
                                "r"(a), "r"(b));)"),
      HasSubstr("::warpwright::store_matrices(::warpwright::simulator::in_shared_memory((to)), warpwright_d);"));
}

/// A bulk copy in PTX, with operands, and the function of the same meaning.
struct BulkRow {
  std::string instruction, operands, function, call;
};

const std::vector<BulkRow> bulk_rows = {
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", "[%0], [%1], %2, [%3]",
     "bulk_copy(to, from, bytes, barrier)",
     "bulk_copy(SHARED((a)), (const void*)(b), (c), (::warpwright::phase_barrier*)SHARED((d)))"},
    {"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes", "[%0], [%1, {%2}], [%3]",
     "bulk_copy_box(to, map, {i}, barrier)",
     "bulk_copy_box(SHARED((a)), MAP(b), {(int)(c)}, (::warpwright::phase_barrier*)SHARED((d)))"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes", "[%0], [%1, {%2, %2}], [%3]",
     "bulk_copy_box(to, map, column, row, barrier)",
     "bulk_copy_box(SHARED((a)), MAP(b), {(int)(c), (int)(c)}, (::warpwright::phase_barrier*)SHARED((d)))"},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
     "[%0], [%1, {%2, %2, %2}], [%3]", "bulk_copy_box(to, map, {column, row, layer}, barrier)",
     "bulk_copy_box(SHARED((a)), MAP(b), {(int)(c), (int)(c), (int)(c)}, (::warpwright::phase_barrier*)SHARED((d)))"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", "[%0], [%1], %2, [%3], %2",
     "bulk_copy_multicast(to, from, bytes, barrier, blocks)",
     "simulator::multicast(SHARED((a)), (const void*)(b), (c), (::warpwright::phase_barrier*)SHARED((d)), "
     "(unsigned)(c))"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster",
     "[%0], [%1, {%2, %2}], [%3], %2", "bulk_copy_box_multicast(to, map, {column, row}, barrier, blocks)",
     "simulator::multicast_box(SHARED((a)), MAP(b), {(int)(c), (int)(c)}, (::warpwright::phase_barrier*)SHARED((d)), "
     "(unsigned)(c))"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "[%0], [%2], %2, [%3]",
     "bulk_copy_to_block(to, from, bytes, barrier)",
     "bulk_copy(SHARED((a)), (const void*)SHARED((c)), (c), (::warpwright::phase_barrier*)SHARED((d)))"},
    {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32", "[%0], {%2, %2}, [%3]",
     "store_async(to, value, barrier)",
     "simulator::store_async<unsigned>(SHARED((a)), {(unsigned)(c), (unsigned)(c)}, "
     "(::warpwright::phase_barrier*)SHARED((d)))"},
    {"cp.async.bulk.global.shared::cta.bulk_group", "[%1], [%0], %2", "bulk_store(to, from, bytes)",
     "bulk_store((void*)(b), SHARED((a)), (c))"},
    {"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group", "[%1, {%2}], [%0]", "bulk_store_box(map, {i}, from)",
     "bulk_store_box(MAP(b), {(int)(c)}, SHARED((a)))"},
    {"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", "[%1, {%2, %2}], [%0]",
     "bulk_store_box(map, column, row, from)", "bulk_store_box(MAP(b), {(int)(c), (int)(c)}, SHARED((a)))"},
    {"cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group", "[%1, {%2, %2, 0}], [%0]",
     "bulk_store_box(map, {column, row, layer}, from)",
     "bulk_store_box(MAP(b), {(int)(c), (int)(c), (int)0}, SHARED((a)))"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", "[%1], [%0], %2",
     "bulk_reduce<reduction::add>(to, from, bytes)",
     "bulk_reduce<::warpwright::reduction::add>((float*)(b), (const float*)SHARED((a)), (c))"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64", "[%1], [%0], %2",
     "bulk_reduce<reduction::min>(to, from, bytes)",
     "bulk_reduce<::warpwright::reduction::min>((long long*)(b), (const long long*)SHARED((a)), (c))"},
    {"cp.async.bulk.commit_group", "", "bulk_commit()", "bulk_commit()"},
    {"cp.async.bulk.wait_group", "%4", "bulk_wait<N>()", "bulk_wait<(1)>()"},
    {"cp.async.bulk.wait_group.read", "%4", "bulk_wait_reads<N>()", "bulk_wait_reads<(1)>()"}};

TEST(InlinePtx, of_bulk_copies_is_that_of_the_page) {
  std::string table = "| instruction | function |\n|---|---|\n";
  for (const auto& [instruction, operands, function, call] : bulk_rows) {
    table += "| `" + instruction + "` | `" + function + "` |\n";
    std::string expected = "do { ::warpwright::" + call + "; } while (0);";
    const auto spelt = [&](const std::string& word, const std::string& meaning) {
      for (auto at = expected.find(word); at != std::string::npos; at = expected.find(word))
        expected.replace(at, word.size(), meaning);
    };
    spelt("SHARED", "::warpwright::simulator::in_shared_memory");
    spelt("MAP", "*(const ::warpwright::tensor_map*)");
    EXPECT_EQ(with_modelled_ptx("asm volatile(\"" + instruction + " " + operands +
                                ";\" ::\"r\"(a), \"l\"(b), \"r\"(c), \"r\"(d), \"n\"(1) : \"memory\");"),
              expected);
  }
  std::ifstream in(std::string(WARPWRIGHT_SOURCE_DIR) + "/docs/matrix_units.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(page.find(table), std::string::npos) << "docs/matrix_units.md needs\n" << table;
}

TEST(InlinePtx, of_other_instructions_stays) {
  for (
      const std::string given :
      {R"(asm("brev.b32 %0, %1;" : "=r"(a) : "r"(b));)", R"(asm volatile("trap;");)",
       R"(asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0}, {%1}, {%2}, {%3};" : "=r"(a) : "r"(b), "r"(b), "r"(b));)",
       // Too few registers, another shape, and two instructions.
       R"(asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0}, {%1}, {%2}, {%3};" : "=f"(a) : "r"(b), "r"(b), "f"(c));)",
       R"(asm("mma.sync.aligned.m8n8k4.row.col.f32.tf32.tf32.f32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+f"(a), "+f"(d) : "r"(b), "r"(b));)",
       R"(asm("cp.async.commit_group; cp.async.hope;");)", R"(// asm("cp.async.commit_group;");)",
       R"x(auto text = R"(asm("cp.async.commit_group;");)";)x",
       R"x(const char* a = "asm(\"cp.async.commit_group;\")";)x", "asm(TEXT : : );", "asm(\"cp.async.commit_group;\"",
       "int plasma = 1; f(asm"})
    EXPECT_EQ(with_modelled_ptx(given), given);
}

}  // namespace
}  // namespace warpwright::simulator
