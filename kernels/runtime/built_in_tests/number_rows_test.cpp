// Rows of the table of built-ins: arithmetic with a rounding mode, conversions, and exact functions.
#include <fmt/format.h>

#include "kernels/runtime/built_in_tests/rows.hpp"

namespace warpwright::built_ins {
namespace {

const char* const kModes[] = {"_rn", "_rz", "_ru", "_rd"};

}  // namespace

Group rounded_rows() {
  Group group{"rounded", {}};
  for (const std::string mode : kModes) {
    for (const char* name : {"__fadd", "__fsub", "__fmul", "__fdiv"})
      group.rows.push_back({name + mode + "(a, b)", "float", "ff"});
    for (const char* name : {"__dadd", "__dsub", "__dmul", "__ddiv"})
      group.rows.push_back({name + mode + "(a, b)", "double", "dd"});
    for (const char* name : {"__frcp", "__fsqrt"}) group.rows.push_back({name + mode + "(a)", "float", "f"});
    for (const char* name : {"__drcp", "__dsqrt"}) group.rows.push_back({name + mode + "(a)", "double", "d"});
    for (const char* name : {"__fmaf", "__fmaf_ieee"})
      group.rows.push_back({name + mode + "(a, b, c)", "float", "fff"});
    group.rows.push_back({"__fma" + mode + "(a, b, c)", "double", "ddd"});
    group.rows.push_back({"__double2float" + mode + "(a)", "float", "d"});
    group.rows.push_back({"__int2float" + mode + "(a)", "float", "i"});
    group.rows.push_back({"__uint2float" + mode + "(a)", "float", "u"});
    group.rows.push_back({"__ll2float" + mode + "(a)", "float", "l"});
    group.rows.push_back({"__ull2float" + mode + "(a)", "float", "U"});
    group.rows.push_back({"__ll2double" + mode + "(a)", "double", "l"});
    group.rows.push_back({"__ull2double" + mode + "(a)", "double", "U"});
  }
  group.rows.push_back({"__frsqrt_rn(a)", "float", "f"});
  group.rows.push_back({"__int2double_rn(a)", "double", "i"});
  group.rows.push_back({"__uint2double_rn(a)", "double", "u"});
  return group;
}

Group cast_rows() {
  Group group{"casts", {}};
  const std::pair<const char*, const char*> types[] = {
      {"int", "int"}, {"uint", "unsigned"}, {"ll", "long long"}, {"ull", "unsigned long long"}};
  for (const auto& [word, type] : types) {
    for (const char* mode : kModes) {
      group.rows.push_back({fmt::format("__float2{}{}(a)", word, mode), type, "f"});
      group.rows.push_back({fmt::format("__double2{}{}(a)", word, mode), type, "d"});
    }
  }
  for (const char* name : {"lrint", "lround"}) {
    group.rows.push_back({fmt::format("{}(a)", name), "long", "f"});
    group.rows.push_back({fmt::format("{}(a)", name), "long", "d"});
    group.rows.push_back({fmt::format("{}f(a)", name), "long", "f"});
    group.rows.push_back({fmt::format("l{}(a)", name), "long long", "f"});
    group.rows.push_back({fmt::format("l{}(a)", name), "long long", "d"});
    group.rows.push_back({fmt::format("l{}f(a)", name), "long long", "f"});
  }
  for (const auto& [call, type, kinds] : std::initializer_list<std::array<const char*, 3>>{
           {"__float_as_int(a)", "int", "f"},
           {"__float_as_uint(a)", "unsigned", "f"},
           {"__int_as_float(a)", "float", "i"},
           {"__uint_as_float(a)", "float", "u"},
           {"__double_as_longlong(a)", "long long", "d"},
           {"__longlong_as_double(a)", "double", "l"},
           {"__double2hiint(a)", "int", "d"},
           {"__double2loint(a)", "int", "d"},
           {"__hiloint2double(a, b)", "double", "ii"},
           {"nan(\"\")", "double", "i"},
           {"nanf(\"\")", "float", "i"},
           {"sizeof(dim3(uint3{a, b, c})) + dim3(a).y + uint3(dim3(a, b, c)).z", "size_t", "uuu"},
           {"make_uint3(a, b, c).z", "unsigned", "uuu"},
           {"static_cast<uint64_t>(static_cast<int8_t>(a)) + static_cast<uint16_t>(b)", "uint64_t", "ii"},
           {"INFINITY * a", "float", "s"},
           {"isnan(NAN) + 0 * a", "int", "n"},
           {"warpSize + a", "int", "n"},
       })
    group.rows.push_back({call, type, kinds});
  const std::pair<std::string, std::string> scalars[] = {{"char", "signed char"},
                                                         {"uchar", "unsigned char"},
                                                         {"short", "short"},
                                                         {"ushort", "unsigned short"},
                                                         {"int", "int"},
                                                         {"uint", "unsigned"},
                                                         {"float", "float"},
                                                         {"long", "long"},
                                                         {"ulong", "unsigned long"},
                                                         {"longlong", "long long"},
                                                         {"ulonglong", "unsigned long long"},
                                                         {"double", "double"}};
  for (const auto& [name, type] : scalars) {
    group.rows.push_back({fmt::format("make_{}1(a).x", name), type, "n"});
    group.rows.push_back({fmt::format("make_{}2(a, b).y", name), type, "nn"});
    group.rows.push_back({fmt::format("make_{}3(a, b, c).z", name), type, "nnn"});
    const auto size = [&, n = name](const std::string& vector) {
      group.rows.push_back({fmt::format("sizeof({0}) * 100 + alignof({0})", vector), "size_t", "n"});
    };
    size(name + "1");
    size(name + "2");
    size(name + "3");
    const bool wide = name.starts_with("long") || name.starts_with("ulong") || name == "double";
    // Vectors of four wide numbers without an alignment in their names are deprecated.
    for (const std::string& four : wide ? std::vector<std::string>{"4_16a", "4_32a"} : std::vector<std::string>{"4"}) {
      size(name + four);
      // The compiler has no such function.
      if (name != "long" && name != "ulong")
        group.rows.push_back({fmt::format("make_{}{}(a, b, c, a).w", name, four), type, "nnn"});
    }
    if (wide) group.rows.push_back({fmt::format("make_{}4(a, b, c, a).w", name), type, "nnn"});
  }
  return group;
}

Group exact_rows() {
  Group group{"exact", {}};
  const auto both = [&](const std::string& name, const std::string& list, std::size_t count) {
    group.rows.push_back({name + "f(" + list + ")", "float", std::string(count, 'f')});
    group.rows.push_back({name + "(" + list + ")", "float", std::string(count, 'f')});
    group.rows.push_back({name + "(" + list + ")", "double", std::string(count, 'd')});
  };
  for (const char* name : {"floor", "ceil", "trunc", "rint", "nearbyint", "round", "logb", "sqrt", "fabs"})
    both(name, "a", 1);
  for (const char* name : {"copysign", "nextafter", "fmod", "remainder", "fdim", "fmin", "fmax"}) both(name, "a, b", 2);
  both("fma", "a, b, c", 3);
  for (const char* kind : {"f", "d"}) {
    const std::string type = *kind == 'f' ? "float" : "double";
    for (const char* name : {"isnan", "isinf", "isfinite", "signbit"})
      group.rows.push_back({fmt::format("{}(a) != 0", name), "bool", kind});
    group.rows.push_back({"ilogb(a)", "int", kind});
    group.rows.push_back({"abs(a)", type, kind});
    for (const char* name : {"min", "max"})
      group.rows.push_back({fmt::format("{}(a, b)", name), type, type == "float" ? "ff" : "dd"});
    for (const std::string& suffix :
         type == "float" ? std::vector<std::string>{"", "f"} : std::vector<std::string>{""}) {
      const std::string number = kind;
      for (const std::string name : {"ldexp", "scalbn"}) {
        group.rows.push_back({name + suffix + "(a, b)", type, number + "i"});
        group.rows.push_back({name + suffix + "(a, b - 5)", type, number + "n"});
      }
      group.rows.push_back({"scalbln" + suffix + "(a, b)", type, number + "L"});
      group.rows.push_back({fmt::format("[&] {{ int e; return frexp{}(a, &e); }}()", suffix), type, number});
      group.rows.push_back(
          {fmt::format("[&] {{ int e; frexp{}(a, &e); return isfinite(a) ? e : 0; }}()", suffix), "int", number});
      group.rows.push_back({fmt::format("[&] {{ {} w; return modf{}(a, &w); }}()", type, suffix), type, number});
      group.rows.push_back({fmt::format("[&] {{ {} w; modf{}(a, &w); return w; }}()", type, suffix), type, number});
      group.rows.push_back(
          {fmt::format("[&] {{ int q; return remquo{}(a, b, &q); }}()", suffix), type, number + number});
      // The lower three bits and the sign of the quotient, if there is one.
      group.rows.push_back(
          {fmt::format("[&] {{ int q; return isnan(remquo{}(a, b, &q)) ? 0 : q < 0 ? -(-q & 7) : q & 7; }}()", suffix),
           "int", number + number});
    }
  }
  group.rows.push_back({"min(a, b)", "double", "fd"});
  group.rows.push_back({"max(a, b)", "double", "df"});
  group.rows.push_back({"min(a, b)", "double", "df"});
  group.rows.push_back({"max(a, b)", "double", "fd"});
  group.rows.push_back({"ilogbf(a)", "int", "f"});
  group.rows.push_back({"fdividef(a, b)", "float", "ff"});
  group.rows.push_back({"fdivide(a, b)", "double", "dd"});
  group.rows.push_back({"__saturatef(a)", "float", "f"});
  return group;
}

}  // namespace warpwright::built_ins
