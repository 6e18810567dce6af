// Rows of the table of built-ins: loads and stores with a cache hint, atomics, and warp operations.
#include <fmt/format.h>

#include "kernels/runtime/built_in_tests/rows.hpp"

namespace warpwright::built_ins {

Group memory_rows() {
  Group group{"memory", {}};
  const std::vector<std::pair<std::string, std::string>> types = {{"char", "u"},
                                                                  {"signed char", "u"},
                                                                  {"unsigned char", "u"},
                                                                  {"short", "u"},
                                                                  {"unsigned short", "u"},
                                                                  {"int", "i"},
                                                                  {"unsigned", "u"},
                                                                  {"long", "L"},
                                                                  {"unsigned long", "L"},
                                                                  {"long long", "l"},
                                                                  {"unsigned long long", "U"},
                                                                  {"float", "f"},
                                                                  {"double", "d"},
                                                                  {"char2", "u"},
                                                                  {"char4", "u"},
                                                                  {"short2", "u"},
                                                                  {"short4", "U"},
                                                                  {"int2", "U"},
                                                                  {"int4", "U"},
                                                                  {"longlong2", "U"},
                                                                  {"uchar2", "u"},
                                                                  {"uchar4", "u"},
                                                                  {"ushort2", "u"},
                                                                  {"ushort4", "U"},
                                                                  {"uint2", "U"},
                                                                  {"uint4", "U"},
                                                                  {"ulonglong2", "U"},
                                                                  {"float2", "U"},
                                                                  {"float4", "U"},
                                                                  {"double2", "U"}};
  for (const auto& [type, kind] : types) {
    for (const char* load : {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"})
      group.rows.push_back({fmt::format("{}((const {}*)pa)", load, type), type, kind});
    for (const char* store : {"__stwb", "__stcg", "__stcs", "__stwt"})
      group.rows.push_back(
          {fmt::format("({0}(({1}*)cell, *(const {1}*)pa), *({1}*)cell)", store, type), type + "&", kind});
  }
  const auto atomic = [&](const std::string& name, const std::string& type, const std::string& kinds,
                          const std::string& values) {
    for (const char* scope : {"", "_block", "_system"}) {
      // Other scopes have no unsigned short.
      if (type == "unsigned short" && *scope != 0) continue;
      const std::string call = fmt::format("{}{}(put(cell, a), {})", name, scope, values);
      group.rows.push_back({call, type, kinds});
      group.rows.push_back({fmt::format("({}, *({}*)cell)", call, type), type + "&", kinds});
    }
  };
  for (const auto& [type, kinds] : {std::pair{"int", "ii"}, {"unsigned", "uu"}, {"unsigned long long", "UU"}}) {
    for (const char* name : {"atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicExch"})
      atomic(name, type, kinds, "b");
    atomic("atomicCAS", type, std::string(kinds) + kinds[0], "c % 4 ? a : b, c");
  }
  for (const char* name : {"atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"})
    atomic(name, "long long", "ll", "b");
  for (const auto& [type, kinds] : {std::pair{"int", "ii"}, {"unsigned", "uu"}}) atomic("atomicSub", type, kinds, "b");
  for (const char* name : {"atomicInc", "atomicDec"}) atomic(name, "unsigned", "uu", "b");
  atomic("atomicCAS", "unsigned short", "ZZZ", "c % 4 ? a : b, c");
  atomic("atomicAdd", "float", "ff", "b");
  atomic("atomicExch", "float", "ff", "b");
  atomic("atomicAdd", "double", "dd", "b");
  for (const char* scope : {"", "_block", "_system"}) {
    group.rows.push_back(
        {fmt::format("(atomicAdd{}((float2*)cell, make_float2(a, b)), put(cell, 0), 0)", scope), "int", "ss"});
    for (const char* part : {"x", "y"})
      group.rows.push_back({fmt::format("[&] {{ put((char*)cell + 4, b); return atomicAdd{}((float2*)put(cell, a), "
                                        "make_float2(b, c)).{}; }}()",
                                        scope, part),
                            "float", "fff"});
    for (const char* part : {"x", "y", "z", "w"})
      group.rows.push_back({fmt::format("[&] {{ auto* v = (float4*)cell; *v = make_float4(a, b, c, a); "
                                        "atomicAdd{}(v, make_float4(c, c, b, b)); return v->{}; }}()",
                                        scope, part),
                            "float", "sss"});
  }
  for (const char* fence : {"__threadfence", "__threadfence_block", "__threadfence_system"})
    group.rows.push_back({fmt::format("({}(), a)", fence), "int&", "i"});
  group.rows.push_back({"__isGlobal(pa)", "unsigned", "i"});
  group.rows.push_back({"__isShared(pa) + __isConstant(pa) + __isLocal(pa)", "unsigned", "i"});
  group.rows.push_back({"__isLocal(&a)", "unsigned", "i"});
  group.rows.push_back({"[&] { long long t = clock64(); return clock64() >= t; }()", "bool", "i"});
  group.rows.push_back({"[&] { long t = clock(); __nanosleep(20); return clock() >= t; }()", "bool", "i"});
  group.rows.push_back(
      {"[&] { cudaTriggerProgrammaticLaunchCompletion(); cudaGridDependencySynchronize(); return a; }()", "int", "i"});
  group.rows.push_back({"[&] { assert(a == a); __builtin_assume(a == a); return a; }()", "int", "i"});
  group.rows.push_back(
      {"[&] { if (a != a) { __brkpt(); __trap(); } return __builtin_expect(a, 1) == a; }()", "bool", "i"});
  group.rows.push_back({"[&] { memcpy(cell, pa, 4); return *(int*)memset(cell, b, 2); }()", "int", "in"});
  return group;
}

Group warp_rows() {
  Group group{"warps", {}};
  const std::vector<std::pair<std::string, std::string>> types = {
      {"int", "i"},   {"unsigned", "u"}, {"long", "L"}, {"long long", "l"}, {"unsigned long long", "U"},
      {"float", "f"}, {"double", "d"}};
  for (const auto& [type, kind] : types) {
    group.rows.push_back({"__shfl_sync(~0u, a, b)", type, kind + "n"});
    group.rows.push_back({"__shfl_sync(~0u, a, b, 8)", type, kind + "n"});
    group.rows.push_back({"__shfl_up_sync(~0u, a, 3)", type, kind});
    group.rows.push_back({"__shfl_down_sync(~0u, a, 5, 16)", type, kind});
    group.rows.push_back({"__shfl_xor_sync(~0u, a, 9)", type, kind});
    // With few values, so that some are equal.
    group.rows.push_back({fmt::format("__match_any_sync(~0u, static_cast<{}>(a))", type), "unsigned", "n"});
    group.rows.push_back(
        {fmt::format("[&] {{ int p; return __match_all_sync(~0u, static_cast<{}>(a / 9), &p) + p; }}()", type),
         "unsigned", "n"});
  }
  group.rows.push_back(
      {"[&] { int p; return __match_all_sync(~0u, (threadIdx.x + a - a) / 64, &p) + p; }()", "unsigned", "n"});
  group.rows.push_back({"__shfl_sync(~0u, static_cast<short>(a), 1)", "int", "i"});
  group.rows.push_back({"__shfl_xor_sync(~0u, static_cast<unsigned char>(a), 1)", "int", "i"});
  group.rows.push_back({"__shfl_down_sync(~0u, a > 4, 1)", "int", "n"});
  for (const char* name : {"add", "min", "max"}) {
    group.rows.push_back({fmt::format("__reduce_{}_sync(~0u, a)", name), "int", "i"});
    group.rows.push_back({fmt::format("__reduce_{}_sync(~0u, a)", name), "unsigned", "u"});
    // The barrier after it keeps the parts of the warp together.
    group.rows.push_back(
        {fmt::format("[&] {{ const int r = __reduce_{}_sync(threadIdx.x % 32 < 7 ? 0x7fu : ~0x7fu, a); "
                     "__syncthreads(); return r; }}()",
                     name),
         "int", "i"});
  }
  for (const char* name : {"and", "or", "xor"})
    group.rows.push_back({fmt::format("__reduce_{}_sync(~0u, a | 1u << b)", name), "unsigned", "un"});
  group.rows.push_back({"__ballot_sync(~0u, a)", "unsigned", "n"});
  group.rows.push_back({"__any_sync(~0u, a == 9) != 0", "bool", "n"});
  group.rows.push_back({"__all_sync(~0u, a < 9) != 0", "bool", "n"});
  group.rows.push_back({"(__syncwarp(), __syncwarp(~0u), __activemask() >> threadIdx.x % 32 & 1)", "unsigned", "n"});
  group.rows.push_back({"__syncthreads_count(a > 4)", "int", "n"});
  group.rows.push_back({"__syncthreads_and(a < 20) != 0", "bool", "n"});
  group.rows.push_back({"(__syncthreads(), __syncthreads_or(a == 9) != 0)", "bool", "n"});
  return group;
}

}  // namespace warpwright::built_ins
