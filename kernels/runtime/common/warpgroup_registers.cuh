// The registers of wgmma's sums, in inline PTX: for each N from 8 to 256, the text "%0, %1, ..." and the operands.
// Included by warpgroup.cuh only.
#pragma once

#define WARPWRIGHT_SUMS_8 "%0, %1, %2, %3"
#define WARPWRIGHT_SUMS_16 WARPWRIGHT_SUMS_8 ", %4, %5, %6, %7"
#define WARPWRIGHT_SUMS_24 WARPWRIGHT_SUMS_16 ", %8, %9, %10, %11"
#define WARPWRIGHT_SUMS_32 WARPWRIGHT_SUMS_24 ", %12, %13, %14, %15"
#define WARPWRIGHT_SUMS_40 WARPWRIGHT_SUMS_32 ", %16, %17, %18, %19"
#define WARPWRIGHT_SUMS_48 WARPWRIGHT_SUMS_40 ", %20, %21, %22, %23"
#define WARPWRIGHT_SUMS_56 WARPWRIGHT_SUMS_48 ", %24, %25, %26, %27"
#define WARPWRIGHT_SUMS_64 WARPWRIGHT_SUMS_56 ", %28, %29, %30, %31"
#define WARPWRIGHT_SUMS_72 WARPWRIGHT_SUMS_64 ", %32, %33, %34, %35"
#define WARPWRIGHT_SUMS_80 WARPWRIGHT_SUMS_72 ", %36, %37, %38, %39"
#define WARPWRIGHT_SUMS_88 WARPWRIGHT_SUMS_80 ", %40, %41, %42, %43"
#define WARPWRIGHT_SUMS_96 WARPWRIGHT_SUMS_88 ", %44, %45, %46, %47"
#define WARPWRIGHT_SUMS_104 WARPWRIGHT_SUMS_96 ", %48, %49, %50, %51"
#define WARPWRIGHT_SUMS_112 WARPWRIGHT_SUMS_104 ", %52, %53, %54, %55"
#define WARPWRIGHT_SUMS_120 WARPWRIGHT_SUMS_112 ", %56, %57, %58, %59"
#define WARPWRIGHT_SUMS_128 WARPWRIGHT_SUMS_120 ", %60, %61, %62, %63"
#define WARPWRIGHT_SUMS_136 WARPWRIGHT_SUMS_128 ", %64, %65, %66, %67"
#define WARPWRIGHT_SUMS_144 WARPWRIGHT_SUMS_136 ", %68, %69, %70, %71"
#define WARPWRIGHT_SUMS_152 WARPWRIGHT_SUMS_144 ", %72, %73, %74, %75"
#define WARPWRIGHT_SUMS_160 WARPWRIGHT_SUMS_152 ", %76, %77, %78, %79"
#define WARPWRIGHT_SUMS_168 WARPWRIGHT_SUMS_160 ", %80, %81, %82, %83"
#define WARPWRIGHT_SUMS_176 WARPWRIGHT_SUMS_168 ", %84, %85, %86, %87"
#define WARPWRIGHT_SUMS_184 WARPWRIGHT_SUMS_176 ", %88, %89, %90, %91"
#define WARPWRIGHT_SUMS_192 WARPWRIGHT_SUMS_184 ", %92, %93, %94, %95"
#define WARPWRIGHT_SUMS_200 WARPWRIGHT_SUMS_192 ", %96, %97, %98, %99"
#define WARPWRIGHT_SUMS_208 WARPWRIGHT_SUMS_200 ", %100, %101, %102, %103"
#define WARPWRIGHT_SUMS_216 WARPWRIGHT_SUMS_208 ", %104, %105, %106, %107"
#define WARPWRIGHT_SUMS_224 WARPWRIGHT_SUMS_216 ", %108, %109, %110, %111"
#define WARPWRIGHT_SUMS_232 WARPWRIGHT_SUMS_224 ", %112, %113, %114, %115"
#define WARPWRIGHT_SUMS_240 WARPWRIGHT_SUMS_232 ", %116, %117, %118, %119"
#define WARPWRIGHT_SUMS_248 WARPWRIGHT_SUMS_240 ", %120, %121, %122, %123"
#define WARPWRIGHT_SUMS_256 WARPWRIGHT_SUMS_248 ", %124, %125, %126, %127"

#define WARPWRIGHT_OF_8 "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
#define WARPWRIGHT_OF_16 WARPWRIGHT_OF_8, "+f"(sums[4]), "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7])
#define WARPWRIGHT_OF_24 WARPWRIGHT_OF_16, "+f"(sums[8]), "+f"(sums[9]), "+f"(sums[10]), "+f"(sums[11])
#define WARPWRIGHT_OF_32 WARPWRIGHT_OF_24, "+f"(sums[12]), "+f"(sums[13]), "+f"(sums[14]), "+f"(sums[15])
#define WARPWRIGHT_OF_40 WARPWRIGHT_OF_32, "+f"(sums[16]), "+f"(sums[17]), "+f"(sums[18]), "+f"(sums[19])
#define WARPWRIGHT_OF_48 WARPWRIGHT_OF_40, "+f"(sums[20]), "+f"(sums[21]), "+f"(sums[22]), "+f"(sums[23])
#define WARPWRIGHT_OF_56 WARPWRIGHT_OF_48, "+f"(sums[24]), "+f"(sums[25]), "+f"(sums[26]), "+f"(sums[27])
#define WARPWRIGHT_OF_64 WARPWRIGHT_OF_56, "+f"(sums[28]), "+f"(sums[29]), "+f"(sums[30]), "+f"(sums[31])
#define WARPWRIGHT_OF_72 WARPWRIGHT_OF_64, "+f"(sums[32]), "+f"(sums[33]), "+f"(sums[34]), "+f"(sums[35])
#define WARPWRIGHT_OF_80 WARPWRIGHT_OF_72, "+f"(sums[36]), "+f"(sums[37]), "+f"(sums[38]), "+f"(sums[39])
#define WARPWRIGHT_OF_88 WARPWRIGHT_OF_80, "+f"(sums[40]), "+f"(sums[41]), "+f"(sums[42]), "+f"(sums[43])
#define WARPWRIGHT_OF_96 WARPWRIGHT_OF_88, "+f"(sums[44]), "+f"(sums[45]), "+f"(sums[46]), "+f"(sums[47])
#define WARPWRIGHT_OF_104 WARPWRIGHT_OF_96, "+f"(sums[48]), "+f"(sums[49]), "+f"(sums[50]), "+f"(sums[51])
#define WARPWRIGHT_OF_112 WARPWRIGHT_OF_104, "+f"(sums[52]), "+f"(sums[53]), "+f"(sums[54]), "+f"(sums[55])
#define WARPWRIGHT_OF_120 WARPWRIGHT_OF_112, "+f"(sums[56]), "+f"(sums[57]), "+f"(sums[58]), "+f"(sums[59])
#define WARPWRIGHT_OF_128 WARPWRIGHT_OF_120, "+f"(sums[60]), "+f"(sums[61]), "+f"(sums[62]), "+f"(sums[63])
#define WARPWRIGHT_OF_136 WARPWRIGHT_OF_128, "+f"(sums[64]), "+f"(sums[65]), "+f"(sums[66]), "+f"(sums[67])
#define WARPWRIGHT_OF_144 WARPWRIGHT_OF_136, "+f"(sums[68]), "+f"(sums[69]), "+f"(sums[70]), "+f"(sums[71])
#define WARPWRIGHT_OF_152 WARPWRIGHT_OF_144, "+f"(sums[72]), "+f"(sums[73]), "+f"(sums[74]), "+f"(sums[75])
#define WARPWRIGHT_OF_160 WARPWRIGHT_OF_152, "+f"(sums[76]), "+f"(sums[77]), "+f"(sums[78]), "+f"(sums[79])
#define WARPWRIGHT_OF_168 WARPWRIGHT_OF_160, "+f"(sums[80]), "+f"(sums[81]), "+f"(sums[82]), "+f"(sums[83])
#define WARPWRIGHT_OF_176 WARPWRIGHT_OF_168, "+f"(sums[84]), "+f"(sums[85]), "+f"(sums[86]), "+f"(sums[87])
#define WARPWRIGHT_OF_184 WARPWRIGHT_OF_176, "+f"(sums[88]), "+f"(sums[89]), "+f"(sums[90]), "+f"(sums[91])
#define WARPWRIGHT_OF_192 WARPWRIGHT_OF_184, "+f"(sums[92]), "+f"(sums[93]), "+f"(sums[94]), "+f"(sums[95])
#define WARPWRIGHT_OF_200 WARPWRIGHT_OF_192, "+f"(sums[96]), "+f"(sums[97]), "+f"(sums[98]), "+f"(sums[99])
#define WARPWRIGHT_OF_208 WARPWRIGHT_OF_200, "+f"(sums[100]), "+f"(sums[101]), "+f"(sums[102]), "+f"(sums[103])
#define WARPWRIGHT_OF_216 WARPWRIGHT_OF_208, "+f"(sums[104]), "+f"(sums[105]), "+f"(sums[106]), "+f"(sums[107])
#define WARPWRIGHT_OF_224 WARPWRIGHT_OF_216, "+f"(sums[108]), "+f"(sums[109]), "+f"(sums[110]), "+f"(sums[111])
#define WARPWRIGHT_OF_232 WARPWRIGHT_OF_224, "+f"(sums[112]), "+f"(sums[113]), "+f"(sums[114]), "+f"(sums[115])
#define WARPWRIGHT_OF_240 WARPWRIGHT_OF_232, "+f"(sums[116]), "+f"(sums[117]), "+f"(sums[118]), "+f"(sums[119])
#define WARPWRIGHT_OF_248 WARPWRIGHT_OF_240, "+f"(sums[120]), "+f"(sums[121]), "+f"(sums[122]), "+f"(sums[123])
#define WARPWRIGHT_OF_256 WARPWRIGHT_OF_248, "+f"(sums[124]), "+f"(sums[125]), "+f"(sums[126]), "+f"(sums[127])

// clang-format off
// For each N, the numbers of the seven operands behind the sums.
#define WARPWRIGHT_FOR_EACH_N(make) \
  make(8, "4", "5", "6", "7", "8", "9", "10") \
  make(16, "8", "9", "10", "11", "12", "13", "14") \
  make(24, "12", "13", "14", "15", "16", "17", "18") \
  make(32, "16", "17", "18", "19", "20", "21", "22") \
  make(40, "20", "21", "22", "23", "24", "25", "26") \
  make(48, "24", "25", "26", "27", "28", "29", "30") \
  make(56, "28", "29", "30", "31", "32", "33", "34") \
  make(64, "32", "33", "34", "35", "36", "37", "38") \
  make(72, "36", "37", "38", "39", "40", "41", "42") \
  make(80, "40", "41", "42", "43", "44", "45", "46") \
  make(88, "44", "45", "46", "47", "48", "49", "50") \
  make(96, "48", "49", "50", "51", "52", "53", "54") \
  make(104, "52", "53", "54", "55", "56", "57", "58") \
  make(112, "56", "57", "58", "59", "60", "61", "62") \
  make(120, "60", "61", "62", "63", "64", "65", "66") \
  make(128, "64", "65", "66", "67", "68", "69", "70") \
  make(136, "68", "69", "70", "71", "72", "73", "74") \
  make(144, "72", "73", "74", "75", "76", "77", "78") \
  make(152, "76", "77", "78", "79", "80", "81", "82") \
  make(160, "80", "81", "82", "83", "84", "85", "86") \
  make(168, "84", "85", "86", "87", "88", "89", "90") \
  make(176, "88", "89", "90", "91", "92", "93", "94") \
  make(184, "92", "93", "94", "95", "96", "97", "98") \
  make(192, "96", "97", "98", "99", "100", "101", "102") \
  make(200, "100", "101", "102", "103", "104", "105", "106") \
  make(208, "104", "105", "106", "107", "108", "109", "110") \
  make(216, "108", "109", "110", "111", "112", "113", "114") \
  make(224, "112", "113", "114", "115", "116", "117", "118") \
  make(232, "116", "117", "118", "119", "120", "121", "122") \
  make(240, "120", "121", "122", "123", "124", "125", "126") \
  make(248, "124", "125", "126", "127", "128", "129", "130") \
  make(256, "128", "129", "130", "131", "132", "133", "134")
// clang-format on
