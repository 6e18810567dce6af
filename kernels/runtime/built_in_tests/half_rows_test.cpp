// Rows of the table of built-ins: the functions of <cuda_fp16.h> and <cuda_bf16.h>.
#include <fmt/format.h>

#include <cmath>

#include "kernels/runtime/built_in_tests/rows.hpp"

namespace warpwright::built_ins {
namespace {

struct Half {
  std::string one, two, letter, letters, word, pair;
};
const Half kHalves[] = {{"__half", "__half2", "h", "H", "half", "half2"},
                        {"__nv_bfloat16", "__nv_bfloat162", "b", "B", "bfloat16", "bfloat162"}};

std::string repeated(const std::string& letter, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += letter;
  return text;
}

const char* const kLists[] = {"", "(a)", "(a, b)", "(a, b, c)"};

/// Adds a function of one number and that of pairs, compared by bits, or by the error in units in the last place.
void add(Group& group, const Half& half, const std::string& name, const std::string& pair_name, int count,
         double ulps = -1) {
  group.rows.push_back({name + kLists[count], half.one, repeated(half.letter, count), ulps});
  group.rows.push_back({pair_name + kLists[count], half.two, repeated(half.letters, count), ulps});
}

}  // namespace

Group half_rows() {
  Group group{"halves", {}, true};
  for (const Half& half : kHalves) {
    for (const std::string name : {"__hadd", "__hsub", "__hmul"})
      for (const std::string suffix : {"", "_rn", "_sat"}) add(group, half, name + suffix, name + "2" + suffix, 2);
    add(group, half, "__hdiv", "__h2div", 2, 1);
    for (const std::string suffix : {"", "_sat", "_relu"}) add(group, half, "__hfma" + suffix, "__hfma2" + suffix, 3);
    add(group, half, "__hneg", "__hneg2", 1);
    add(group, half, "__habs", "__habs2", 1);
    for (const std::string name : {"__hmin", "__hmax"})
      for (const std::string suffix : {"", "_nan"}) add(group, half, name + suffix, name + "2" + suffix, 2);
    for (const std::string name : {"ceil", "floor", "trunc", "rint"}) add(group, half, "h" + name, "h2" + name, 1);
    for (const std::string name : {"sqrt", "rsqrt", "rcp", "exp", "exp2", "exp10", "log", "log2", "log10"})
      add(group, half, "h" + name, "h2" + name, 1, 2);
    // Only for arguments in the intended range.
    for (const std::string name : {"sin", "cos", "tanh"})
      group.rows.push_back({fmt::format("h{}({}(a))", name, half.one), half.one, "s", 4, 0x1p-11});
    group.rows.push_back(
        {fmt::format("h2sin({}({}(a), {}(b)))", half.two, half.one, half.one), half.two, "ss", 4, 0x1p-11});
    group.rows.push_back(
        {fmt::format("h2cos({}({}(a), {}(b)))", half.two, half.one, half.one), half.two, "ss", 4, 0x1p-11});
    group.rows.push_back(
        {fmt::format("h2tanh({}({}(a), {}(b)))", half.two, half.one, half.one), half.two, "ss", 4, 0x1p-10});
    group.rows.push_back({fmt::format("htanh_approx({}(a))", half.one), half.one, "s", 4, 0x1p-9});
    group.rows.push_back(
        {fmt::format("h2tanh_approx({}({}(a), {}(b)))", half.two, half.one, half.one), half.two, "ss", 4, 0x1p-9});
    for (const std::string how : {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu"}) {
      const std::string one = half.letter + half.letter, two = half.letters + half.letters;
      group.rows.push_back({"__h" + how + "(a, b)", "bool", one});
      group.rows.push_back({"__h" + how + "2(a, b)", half.two, two});
      group.rows.push_back({"__hb" + how + "2(a, b)", "bool", two});
      group.rows.push_back({"__h" + how + "2_mask(a, b)", "unsigned", two});
    }
    group.rows.push_back({"__hisnan(a)", "bool", half.letter});
    group.rows.push_back({"__hisinf(a)", "int", half.letter});
    group.rows.push_back({"__hisnan2(a)", half.two, half.letters});
    for (const std::string sign : {"+", "-", "*"}) {
      group.rows.push_back({"a " + sign + " b", half.one, half.letter + half.letter});
      group.rows.push_back({"a " + sign + " b", half.two, half.letters + half.letters});
      group.rows.push_back({"a " + sign + "= b", half.one + "&", half.letter + half.letter});
    }
    for (const std::string compare : {"<", "<=", ">", ">=", "==", "!="})
      group.rows.push_back({"a " + compare + " b", "bool", half.letter + half.letter});
    for (const std::string sign : {"++", "--"}) group.rows.push_back({sign + "a", half.one + "&", half.letter});
    group.rows.push_back({"-a", half.one, half.letter});
    group.rows.push_back({"-a", half.two, half.letters});
    for (const bool pair : {false, true}) {
      const std::string type = pair ? half.two : half.one, kind = pair ? half.letters : half.letter;
      group.rows.push_back({"__shfl_sync(~0u, a, 3)", type, kind});
      group.rows.push_back({"__shfl_xor_sync(~0u, a, 5)", type, kind});
      group.rows.push_back({"__shfl_up_sync(~0u, a, 1)", type, kind});
      group.rows.push_back({"__shfl_down_sync(~0u, a, 1)", type, kind});
      group.rows.push_back({"__ldg(pa)", type, kind});
      group.rows.push_back({"__ldcg(pa)", type, kind});
      group.rows.push_back({"(__stcg(put(cell, a), a), a)", type + "&", kind});
      group.rows.push_back({"atomicAdd(put(cell, a), b)", type, kind + kind});
      group.rows.push_back({fmt::format("(atomicAdd(put(cell, a), b), *({}*)cell)", type), type + "&", kind + kind});
    }
  }
  return group;
}

Group half_conversion_rows() {
  Group group{"half conversions", {}, true};
  const std::pair<const char*, std::pair<const char*, const char*>> integers[] = {
      {"short", {"short", "z"}},   {"ushort", {"unsigned short", "Z"}}, {"int", {"int", "i"}},
      {"uint", {"unsigned", "u"}}, {"ll", {"long long", "l"}},          {"ull", {"unsigned long long", "U"}}};
  for (const Half& half : kHalves) {
    const auto row = [&](const std::string& call, const std::string& type, const std::string& arguments) {
      group.rows.push_back({call, type, arguments});
    };
    for (const char* mode : {"_rn", "_rz", "_ru", "_rd"}) {
      row(fmt::format("__float2{}{}(a)", half.word, mode), half.one, "f");
      for (const auto& [word, type] : integers) {
        row(fmt::format("__{}2{}{}(a)", word, half.word, mode), half.one, type.second);
        row(fmt::format("__{}2{}{}(a)", half.word, word, mode), type.first, half.letter);
      }
    }
    row(fmt::format("__{}2char_rz(a)", half.word), "signed char", half.letter);
    row(fmt::format("__{}2uchar_rz(a)", half.word), "unsigned char", half.letter);
    row(fmt::format("__float2{}(a)", half.word), half.one, "f");
    row(fmt::format("__double2{}(a)", half.word), half.one, "d");
    row(fmt::format("__{}2float(a)", half.word), "float", half.letter);
    row(fmt::format("__{}_as_short(a)", half.word), "short", half.letter);
    row(fmt::format("__{}_as_ushort(a)", half.word), "unsigned short", half.letter);
    row(fmt::format("__short_as_{}(a)", half.word), half.one, "z");
    row(fmt::format("__ushort_as_{}(a)", half.word), half.one, "Z");
    row(fmt::format("__floats2{}_rn(a, b)", half.pair), half.two, "ff");
    row(fmt::format("__float2{}_rn(a)", half.pair), half.two, "f");
    row(fmt::format("__float22{}_rn(make_float2(a, b))", half.pair), half.two, "ff");
    row(fmt::format("__{}2float2(a).x", half.pair), "float", half.letters);
    row(fmt::format("__{}2float2(a).y", half.pair), "float", half.letters);
    row("__low2float(a)", "float", half.letters);
    row("__high2float(a)", "float", half.letters);
    row(fmt::format("__low2{}(a)", half.word), half.one, half.letters);
    row(fmt::format("__high2{}(a)", half.word), half.one, half.letters);
    row(fmt::format("__low2{}(a)", half.pair), half.two, half.letters);
    row(fmt::format("__high2{}(a)", half.pair), half.two, half.letters);
    row(fmt::format("__lows2{}(a, b)", half.pair), half.two, half.letters + half.letters);
    row(fmt::format("__highs2{}(a, b)", half.pair), half.two, half.letters + half.letters);
    row("__lowhigh2highlow(a)", half.two, half.letters);
    row(fmt::format("__halves2{}(a, b)", half.pair), half.two, half.letter + half.letter);
    row(fmt::format("__{}2{}(a)", half.word, half.pair), half.two, half.letter);
    row(fmt::format("make_{}(a, b)", half.pair), half.two, half.letter + half.letter);
    row(fmt::format("{}(a)", half.one), half.one, "f");
    row("static_cast<float>(a)", "float", half.letter);
    row(fmt::format("{}(static_cast<{}_raw>(a))", half.one, half.one), half.one, half.letter);
  }
  return group;
}

}  // namespace warpwright::built_ins
