// Rows of the table of built-ins: functions of integers and packed integers.
#include "kernels/runtime/built_in_tests/rows.hpp"

namespace warpwright::built_ins {

Group integer_rows() {
  return {"integers",
          {
              {"__popc(a)", "int", "u"},
              {"__popcll(a)", "int", "U"},
              {"__ffs(a)", "int", "i"},
              {"__ffsll(a)", "int", "l"},
              {"__clz(a)", "int", "i"},
              {"__clzll(a)", "int", "l"},
              {"__brev(a)", "unsigned", "u"},
              {"__brevll(a)", "unsigned long long", "U"},
              {"__byte_perm(a, b, c)", "unsigned", "uuu"},
              {"__funnelshift_l(a, b, c)", "unsigned", "uuu"},
              {"__funnelshift_lc(a, b, c)", "unsigned", "uuu"},
              {"__funnelshift_r(a, b, c)", "unsigned", "uuu"},
              {"__funnelshift_rc(a, b, c)", "unsigned", "uuu"},
              {"__fns(a, b & 31, c)", "unsigned", "uun"},
              {"__fns(a, b & 31, -c)", "unsigned", "uun"},
              {"__mulhi(a, b)", "int", "ii"},
              {"__umulhi(a, b)", "unsigned", "uu"},
              {"__mul64hi(a, b)", "long long", "ll"},
              {"__umul64hi(a, b)", "unsigned long long", "UU"},
              {"__mul24(a, b)", "int", "ii"},
              {"__umul24(a, b)", "unsigned", "uu"},
              {"__sad(a, b, c)", "unsigned", "iiu"},
              {"__usad(a, b, c)", "unsigned", "uuu"},
              {"__hadd(a, b)", "int", "ii"},
              {"__rhadd(a, b)", "int", "ii"},
              {"__uhadd(a, b)", "unsigned", "uu"},
              {"__urhadd(a, b)", "unsigned", "uu"},
              {"__dp4a(a, b, c)", "int", "iii"},
              {"__dp4a(a, b, c)", "unsigned", "uuu"},
              {"__dp4a(*(char4*)&a, *(char4*)&b, c)", "int", "iii"},
              {"__dp4a(*(uchar4*)&a, *(uchar4*)&b, c)", "unsigned", "uuu"},
              {"__dp2a_lo(a, b, c)", "int", "iii"},
              {"__dp2a_lo(a, b, c)", "unsigned", "uuu"},
              {"__dp2a_lo(*(short2*)&a, *(char4*)&b, c)", "int", "iii"},
              {"__dp2a_lo(*(ushort2*)&a, *(uchar4*)&b, c)", "unsigned", "uuu"},
              {"__dp2a_hi(a, b, c)", "int", "iii"},
              {"__dp2a_hi(a, b, c)", "unsigned", "uuu"},
              {"__dp2a_hi(*(short2*)&a, *(char4*)&b, c)", "int", "iii"},
              {"__dp2a_hi(*(ushort2*)&a, *(uchar4*)&b, c)", "unsigned", "uuu"},
              {"min(a, b)", "int", "ii"},
              {"min(a, b)", "unsigned", "uu"},
              {"min(a, b)", "long long", "ll"},
              {"min(a, b)", "unsigned long long", "UU"},
              {"min(a, b)", "long", "LL"},
              {"min(a, static_cast<unsigned long>(b))", "unsigned long", "LL"},
              {"min(a, b)", "unsigned", "iu"},
              {"min(a, b)", "unsigned", "ui"},
              {"min(a, b)", "unsigned long long", "lU"},
              {"min(a, b)", "unsigned long long", "Ul"},
              {"max(a, b)", "int", "ii"},
              {"max(a, b)", "unsigned", "uu"},
              {"max(a, b)", "long long", "ll"},
              {"max(a, b)", "unsigned long long", "UU"},
              {"max(a, b)", "long", "LL"},
              {"max(static_cast<unsigned long>(a), b)", "unsigned long", "LL"},
              {"max(a, b)", "unsigned", "iu"},
              {"max(a, b)", "unsigned", "ui"},
              {"max(a, b)", "unsigned long long", "lU"},
              {"max(a, b)", "unsigned long long", "Ul"},
              {"umin(a, b)", "unsigned", "uu"},
              {"umax(a, b)", "unsigned", "uu"},
              {"llmin(a, b)", "long long", "ll"},
              {"llmax(a, b)", "long long", "ll"},
              {"ullmin(a, b)", "unsigned long long", "UU"},
              {"ullmax(a, b)", "unsigned long long", "UU"},
              {"abs(a)", "int", "i"},
              {"abs(a)", "long", "L"},
              {"abs(a)", "long long", "l"},
              {"labs(a)", "long", "L"},
              {"llabs(a)", "long long", "l"},
          }};
}

Group packed_rows() {
  Group group{"packed", {}};
  for (const std::string lanes : {"2", "4"}) {
    for (const char* name : {"__vabs", "__vabsss", "__vneg", "__vnegss"})
      group.rows.push_back({name + lanes + "(a)", "unsigned", "u"});
    for (const char* name :
         {"__vadd", "__vaddss", "__vaddus", "__vsub", "__vsubss", "__vsubus", "__vabsdiffs", "__vabsdiffu", "__vavgs",
          "__vavgu", "__vhaddu", "__vmaxs", "__vmaxu", "__vmins", "__vminu", "__vsads", "__vsadu"})
      group.rows.push_back({name + lanes + "(a, b)", "unsigned", "uu"});
    for (const char* how : {"eq", "ne", "ges", "geu", "gts", "gtu", "les", "leu", "lts", "ltu"})
      for (const char* name : {"__vset", "__vcmp"})
        group.rows.push_back({name + (how + lanes) + "(a, b)", "unsigned", "uu"});
  }
  for (const char* name : {"__viaddmax", "__viaddmin", "__vimax3", "__vimin3"}) {
    const std::string start = name;
    group.rows.push_back({start + "_s32(a, b, c)", "int", "iii"});
    group.rows.push_back({start + "_s32_relu(a, b, c)", "int", "iii"});
    group.rows.push_back({start + "_u32(a, b, c)", "unsigned", "uuu"});
    for (const char* type : {"_s16x2", "_s16x2_relu", "_u16x2"})
      group.rows.push_back({start + type + "(a, b, c)", "unsigned", "uuu"});
  }
  for (const std::string name : {"__vimax", "__vimin"}) {
    group.rows.push_back({name + "_s32_relu(a, b)", "int", "ii"});
    group.rows.push_back({name + "_s16x2_relu(a, b)", "unsigned", "uu"});
  }
  for (const std::string name : {"__vibmax", "__vibmin"}) {
    for (const bool is_signed : {true, false}) {
      const std::string type = is_signed ? "int" : "unsigned", letter = is_signed ? "s" : "u";
      const std::string kinds = is_signed ? "ii" : "uu";
      group.rows.push_back({"[&] { bool p; return " + name + "_" + letter + "32(a, b, &p); }()", type, kinds});
      group.rows.push_back({"[&] { bool p; " + name + "_" + letter + "32(a, b, &p); return p; }()", "bool", kinds});
      const std::string halves = name + "_" + letter + "16x2(a, b, &p, &q)";
      group.rows.push_back({"[&] { bool p, q; return " + halves + "; }()", "unsigned", "uu"});
      group.rows.push_back({"[&] { bool p, q; " + halves + "; return p * 2 + q; }()", "int", "uu"});
    }
  }
  return group;
}

}  // namespace warpwright::built_ins
