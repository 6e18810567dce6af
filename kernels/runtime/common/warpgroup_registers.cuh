// The registers of wgmma's sums, in inline PTX: for each number of them the text "%0, %1, ..." and the operands, with
// the letter of their type. Included by warpgroup.cuh only.
#pragma once

#define WARPWRIGHT_SUMS_2 "%0, %1"
#define WARPWRIGHT_SUMS_4 WARPWRIGHT_SUMS_2 ", %2, %3"
#define WARPWRIGHT_SUMS_6 WARPWRIGHT_SUMS_4 ", %4, %5"
#define WARPWRIGHT_SUMS_8 WARPWRIGHT_SUMS_6 ", %6, %7"
#define WARPWRIGHT_SUMS_10 WARPWRIGHT_SUMS_8 ", %8, %9"
#define WARPWRIGHT_SUMS_12 WARPWRIGHT_SUMS_10 ", %10, %11"
#define WARPWRIGHT_SUMS_14 WARPWRIGHT_SUMS_12 ", %12, %13"
#define WARPWRIGHT_SUMS_16 WARPWRIGHT_SUMS_14 ", %14, %15"
#define WARPWRIGHT_SUMS_18 WARPWRIGHT_SUMS_16 ", %16, %17"
#define WARPWRIGHT_SUMS_20 WARPWRIGHT_SUMS_18 ", %18, %19"
#define WARPWRIGHT_SUMS_22 WARPWRIGHT_SUMS_20 ", %20, %21"
#define WARPWRIGHT_SUMS_24 WARPWRIGHT_SUMS_22 ", %22, %23"
#define WARPWRIGHT_SUMS_26 WARPWRIGHT_SUMS_24 ", %24, %25"
#define WARPWRIGHT_SUMS_28 WARPWRIGHT_SUMS_26 ", %26, %27"
#define WARPWRIGHT_SUMS_30 WARPWRIGHT_SUMS_28 ", %28, %29"
#define WARPWRIGHT_SUMS_32 WARPWRIGHT_SUMS_30 ", %30, %31"
#define WARPWRIGHT_SUMS_34 WARPWRIGHT_SUMS_32 ", %32, %33"
#define WARPWRIGHT_SUMS_36 WARPWRIGHT_SUMS_34 ", %34, %35"
#define WARPWRIGHT_SUMS_38 WARPWRIGHT_SUMS_36 ", %36, %37"
#define WARPWRIGHT_SUMS_40 WARPWRIGHT_SUMS_38 ", %38, %39"
#define WARPWRIGHT_SUMS_42 WARPWRIGHT_SUMS_40 ", %40, %41"
#define WARPWRIGHT_SUMS_44 WARPWRIGHT_SUMS_42 ", %42, %43"
#define WARPWRIGHT_SUMS_46 WARPWRIGHT_SUMS_44 ", %44, %45"
#define WARPWRIGHT_SUMS_48 WARPWRIGHT_SUMS_46 ", %46, %47"
#define WARPWRIGHT_SUMS_50 WARPWRIGHT_SUMS_48 ", %48, %49"
#define WARPWRIGHT_SUMS_52 WARPWRIGHT_SUMS_50 ", %50, %51"
#define WARPWRIGHT_SUMS_54 WARPWRIGHT_SUMS_52 ", %52, %53"
#define WARPWRIGHT_SUMS_56 WARPWRIGHT_SUMS_54 ", %54, %55"
#define WARPWRIGHT_SUMS_58 WARPWRIGHT_SUMS_56 ", %56, %57"
#define WARPWRIGHT_SUMS_60 WARPWRIGHT_SUMS_58 ", %58, %59"
#define WARPWRIGHT_SUMS_62 WARPWRIGHT_SUMS_60 ", %60, %61"
#define WARPWRIGHT_SUMS_64 WARPWRIGHT_SUMS_62 ", %62, %63"
#define WARPWRIGHT_SUMS_68 WARPWRIGHT_SUMS_64 ", %64, %65, %66, %67"
#define WARPWRIGHT_SUMS_72 WARPWRIGHT_SUMS_68 ", %68, %69, %70, %71"
#define WARPWRIGHT_SUMS_76 WARPWRIGHT_SUMS_72 ", %72, %73, %74, %75"
#define WARPWRIGHT_SUMS_80 WARPWRIGHT_SUMS_76 ", %76, %77, %78, %79"
#define WARPWRIGHT_SUMS_84 WARPWRIGHT_SUMS_80 ", %80, %81, %82, %83"
#define WARPWRIGHT_SUMS_88 WARPWRIGHT_SUMS_84 ", %84, %85, %86, %87"
#define WARPWRIGHT_SUMS_92 WARPWRIGHT_SUMS_88 ", %88, %89, %90, %91"
#define WARPWRIGHT_SUMS_96 WARPWRIGHT_SUMS_92 ", %92, %93, %94, %95"
#define WARPWRIGHT_SUMS_100 WARPWRIGHT_SUMS_96 ", %96, %97, %98, %99"
#define WARPWRIGHT_SUMS_104 WARPWRIGHT_SUMS_100 ", %100, %101, %102, %103"
#define WARPWRIGHT_SUMS_108 WARPWRIGHT_SUMS_104 ", %104, %105, %106, %107"
#define WARPWRIGHT_SUMS_112 WARPWRIGHT_SUMS_108 ", %108, %109, %110, %111"
#define WARPWRIGHT_SUMS_116 WARPWRIGHT_SUMS_112 ", %112, %113, %114, %115"
#define WARPWRIGHT_SUMS_120 WARPWRIGHT_SUMS_116 ", %116, %117, %118, %119"
#define WARPWRIGHT_SUMS_124 WARPWRIGHT_SUMS_120 ", %120, %121, %122, %123"
#define WARPWRIGHT_SUMS_128 WARPWRIGHT_SUMS_124 ", %124, %125, %126, %127"

#define WARPWRIGHT_OF_2(letter) "+" letter(sums[0]), "+" letter(sums[1])
#define WARPWRIGHT_OF_4(letter) WARPWRIGHT_OF_2(letter), "+" letter(sums[2]), "+" letter(sums[3])
#define WARPWRIGHT_OF_6(letter) WARPWRIGHT_OF_4(letter), "+" letter(sums[4]), "+" letter(sums[5])
#define WARPWRIGHT_OF_8(letter) WARPWRIGHT_OF_6(letter), "+" letter(sums[6]), "+" letter(sums[7])
#define WARPWRIGHT_OF_10(letter) WARPWRIGHT_OF_8(letter), "+" letter(sums[8]), "+" letter(sums[9])
#define WARPWRIGHT_OF_12(letter) WARPWRIGHT_OF_10(letter), "+" letter(sums[10]), "+" letter(sums[11])
#define WARPWRIGHT_OF_14(letter) WARPWRIGHT_OF_12(letter), "+" letter(sums[12]), "+" letter(sums[13])
#define WARPWRIGHT_OF_16(letter) WARPWRIGHT_OF_14(letter), "+" letter(sums[14]), "+" letter(sums[15])
#define WARPWRIGHT_OF_18(letter) WARPWRIGHT_OF_16(letter), "+" letter(sums[16]), "+" letter(sums[17])
#define WARPWRIGHT_OF_20(letter) WARPWRIGHT_OF_18(letter), "+" letter(sums[18]), "+" letter(sums[19])
#define WARPWRIGHT_OF_22(letter) WARPWRIGHT_OF_20(letter), "+" letter(sums[20]), "+" letter(sums[21])
#define WARPWRIGHT_OF_24(letter) WARPWRIGHT_OF_22(letter), "+" letter(sums[22]), "+" letter(sums[23])
#define WARPWRIGHT_OF_26(letter) WARPWRIGHT_OF_24(letter), "+" letter(sums[24]), "+" letter(sums[25])
#define WARPWRIGHT_OF_28(letter) WARPWRIGHT_OF_26(letter), "+" letter(sums[26]), "+" letter(sums[27])
#define WARPWRIGHT_OF_30(letter) WARPWRIGHT_OF_28(letter), "+" letter(sums[28]), "+" letter(sums[29])
#define WARPWRIGHT_OF_32(letter) WARPWRIGHT_OF_30(letter), "+" letter(sums[30]), "+" letter(sums[31])
#define WARPWRIGHT_OF_34(letter) WARPWRIGHT_OF_32(letter), "+" letter(sums[32]), "+" letter(sums[33])
#define WARPWRIGHT_OF_36(letter) WARPWRIGHT_OF_34(letter), "+" letter(sums[34]), "+" letter(sums[35])
#define WARPWRIGHT_OF_38(letter) WARPWRIGHT_OF_36(letter), "+" letter(sums[36]), "+" letter(sums[37])
#define WARPWRIGHT_OF_40(letter) WARPWRIGHT_OF_38(letter), "+" letter(sums[38]), "+" letter(sums[39])
#define WARPWRIGHT_OF_42(letter) WARPWRIGHT_OF_40(letter), "+" letter(sums[40]), "+" letter(sums[41])
#define WARPWRIGHT_OF_44(letter) WARPWRIGHT_OF_42(letter), "+" letter(sums[42]), "+" letter(sums[43])
#define WARPWRIGHT_OF_46(letter) WARPWRIGHT_OF_44(letter), "+" letter(sums[44]), "+" letter(sums[45])
#define WARPWRIGHT_OF_48(letter) WARPWRIGHT_OF_46(letter), "+" letter(sums[46]), "+" letter(sums[47])
#define WARPWRIGHT_OF_50(letter) WARPWRIGHT_OF_48(letter), "+" letter(sums[48]), "+" letter(sums[49])
#define WARPWRIGHT_OF_52(letter) WARPWRIGHT_OF_50(letter), "+" letter(sums[50]), "+" letter(sums[51])
#define WARPWRIGHT_OF_54(letter) WARPWRIGHT_OF_52(letter), "+" letter(sums[52]), "+" letter(sums[53])
#define WARPWRIGHT_OF_56(letter) WARPWRIGHT_OF_54(letter), "+" letter(sums[54]), "+" letter(sums[55])
#define WARPWRIGHT_OF_58(letter) WARPWRIGHT_OF_56(letter), "+" letter(sums[56]), "+" letter(sums[57])
#define WARPWRIGHT_OF_60(letter) WARPWRIGHT_OF_58(letter), "+" letter(sums[58]), "+" letter(sums[59])
#define WARPWRIGHT_OF_62(letter) WARPWRIGHT_OF_60(letter), "+" letter(sums[60]), "+" letter(sums[61])
#define WARPWRIGHT_OF_64(letter) WARPWRIGHT_OF_62(letter), "+" letter(sums[62]), "+" letter(sums[63])
#define WARPWRIGHT_OF_68(letter) \
  WARPWRIGHT_OF_64(letter), "+" letter(sums[64]), "+" letter(sums[65]), "+" letter(sums[66]), "+" letter(sums[67])
#define WARPWRIGHT_OF_72(letter) \
  WARPWRIGHT_OF_68(letter), "+" letter(sums[68]), "+" letter(sums[69]), "+" letter(sums[70]), "+" letter(sums[71])
#define WARPWRIGHT_OF_76(letter) \
  WARPWRIGHT_OF_72(letter), "+" letter(sums[72]), "+" letter(sums[73]), "+" letter(sums[74]), "+" letter(sums[75])
#define WARPWRIGHT_OF_80(letter) \
  WARPWRIGHT_OF_76(letter), "+" letter(sums[76]), "+" letter(sums[77]), "+" letter(sums[78]), "+" letter(sums[79])
#define WARPWRIGHT_OF_84(letter) \
  WARPWRIGHT_OF_80(letter), "+" letter(sums[80]), "+" letter(sums[81]), "+" letter(sums[82]), "+" letter(sums[83])
#define WARPWRIGHT_OF_88(letter) \
  WARPWRIGHT_OF_84(letter), "+" letter(sums[84]), "+" letter(sums[85]), "+" letter(sums[86]), "+" letter(sums[87])
#define WARPWRIGHT_OF_92(letter) \
  WARPWRIGHT_OF_88(letter), "+" letter(sums[88]), "+" letter(sums[89]), "+" letter(sums[90]), "+" letter(sums[91])
#define WARPWRIGHT_OF_96(letter) \
  WARPWRIGHT_OF_92(letter), "+" letter(sums[92]), "+" letter(sums[93]), "+" letter(sums[94]), "+" letter(sums[95])
#define WARPWRIGHT_OF_100(letter) \
  WARPWRIGHT_OF_96(letter), "+" letter(sums[96]), "+" letter(sums[97]), "+" letter(sums[98]), "+" letter(sums[99])
#define WARPWRIGHT_OF_104(letter) \
  WARPWRIGHT_OF_100(letter), "+" letter(sums[100]), "+" letter(sums[101]), "+" letter(sums[102]), "+" letter(sums[103])
#define WARPWRIGHT_OF_108(letter) \
  WARPWRIGHT_OF_104(letter), "+" letter(sums[104]), "+" letter(sums[105]), "+" letter(sums[106]), "+" letter(sums[107])
#define WARPWRIGHT_OF_112(letter) \
  WARPWRIGHT_OF_108(letter), "+" letter(sums[108]), "+" letter(sums[109]), "+" letter(sums[110]), "+" letter(sums[111])
#define WARPWRIGHT_OF_116(letter) \
  WARPWRIGHT_OF_112(letter), "+" letter(sums[112]), "+" letter(sums[113]), "+" letter(sums[114]), "+" letter(sums[115])
#define WARPWRIGHT_OF_120(letter) \
  WARPWRIGHT_OF_116(letter), "+" letter(sums[116]), "+" letter(sums[117]), "+" letter(sums[118]), "+" letter(sums[119])
#define WARPWRIGHT_OF_124(letter) \
  WARPWRIGHT_OF_120(letter), "+" letter(sums[120]), "+" letter(sums[121]), "+" letter(sums[122]), "+" letter(sums[123])
#define WARPWRIGHT_OF_128(letter) \
  WARPWRIGHT_OF_124(letter), "+" letter(sums[124]), "+" letter(sums[125]), "+" letter(sums[126]), "+" letter(sums[127])

// clang-format off
// make(N, registers, the numbers of the seven operands behind the sums, ...) for each N that all types have ...
#define WARPWRIGHT_FOR_EACH_COMMON_N(make, ...) \
  make(8, 4, "4", "5", "6", "7", "8", "9", "10", __VA_ARGS__) \
  make(16, 8, "8", "9", "10", "11", "12", "13", "14", __VA_ARGS__) \
  make(24, 12, "12", "13", "14", "15", "16", "17", "18", __VA_ARGS__) \
  make(32, 16, "16", "17", "18", "19", "20", "21", "22", __VA_ARGS__) \
  make(48, 24, "24", "25", "26", "27", "28", "29", "30", __VA_ARGS__) \
  make(64, 32, "32", "33", "34", "35", "36", "37", "38", __VA_ARGS__) \
  make(80, 40, "40", "41", "42", "43", "44", "45", "46", __VA_ARGS__) \
  make(96, 48, "48", "49", "50", "51", "52", "53", "54", __VA_ARGS__) \
  make(112, 56, "56", "57", "58", "59", "60", "61", "62", __VA_ARGS__) \
  make(128, 64, "64", "65", "66", "67", "68", "69", "70", __VA_ARGS__) \
  make(144, 72, "72", "73", "74", "75", "76", "77", "78", __VA_ARGS__) \
  make(160, 80, "80", "81", "82", "83", "84", "85", "86", __VA_ARGS__) \
  make(176, 88, "88", "89", "90", "91", "92", "93", "94", __VA_ARGS__) \
  make(192, 96, "96", "97", "98", "99", "100", "101", "102", __VA_ARGS__) \
  make(208, 104, "104", "105", "106", "107", "108", "109", "110", __VA_ARGS__) \
  make(224, 112, "112", "113", "114", "115", "116", "117", "118", __VA_ARGS__) \
  make(240, 120, "120", "121", "122", "123", "124", "125", "126", __VA_ARGS__) \
  make(256, 128, "128", "129", "130", "131", "132", "133", "134", __VA_ARGS__)
// ... and those that only floats have.
#define WARPWRIGHT_FOR_EACH_N_OF_FLOATS(make, ...) \
  make(40, 20, "20", "21", "22", "23", "24", "25", "26", __VA_ARGS__) \
  make(56, 28, "28", "29", "30", "31", "32", "33", "34", __VA_ARGS__) \
  make(72, 36, "36", "37", "38", "39", "40", "41", "42", __VA_ARGS__) \
  make(88, 44, "44", "45", "46", "47", "48", "49", "50", __VA_ARGS__) \
  make(104, 52, "52", "53", "54", "55", "56", "57", "58", __VA_ARGS__) \
  make(120, 60, "60", "61", "62", "63", "64", "65", "66", __VA_ARGS__) \
  make(136, 68, "68", "69", "70", "71", "72", "73", "74", __VA_ARGS__) \
  make(152, 76, "76", "77", "78", "79", "80", "81", "82", __VA_ARGS__) \
  make(168, 84, "84", "85", "86", "87", "88", "89", "90", __VA_ARGS__) \
  make(184, 92, "92", "93", "94", "95", "96", "97", "98", __VA_ARGS__) \
  make(200, 100, "100", "101", "102", "103", "104", "105", "106", __VA_ARGS__) \
  make(216, 108, "108", "109", "110", "111", "112", "113", "114", __VA_ARGS__) \
  make(232, 116, "116", "117", "118", "119", "120", "121", "122", __VA_ARGS__) \
  make(248, 124, "124", "125", "126", "127", "128", "129", "130", __VA_ARGS__)
#define WARPWRIGHT_FOR_EACH_N(make, ...) \
  WARPWRIGHT_FOR_EACH_COMMON_N(make, __VA_ARGS__) \
  WARPWRIGHT_FOR_EACH_N_OF_FLOATS(make, __VA_ARGS__)
// The same for sums of halves, two of which share a register.
#define WARPWRIGHT_FOR_EACH_N_OF_HALVES(make, ...) \
  make(8, 2, "2", "3", "4", "5", "6", "7", "8", __VA_ARGS__) \
  make(16, 4, "4", "5", "6", "7", "8", "9", "10", __VA_ARGS__) \
  make(24, 6, "6", "7", "8", "9", "10", "11", "12", __VA_ARGS__) \
  make(32, 8, "8", "9", "10", "11", "12", "13", "14", __VA_ARGS__) \
  make(40, 10, "10", "11", "12", "13", "14", "15", "16", __VA_ARGS__) \
  make(48, 12, "12", "13", "14", "15", "16", "17", "18", __VA_ARGS__) \
  make(56, 14, "14", "15", "16", "17", "18", "19", "20", __VA_ARGS__) \
  make(64, 16, "16", "17", "18", "19", "20", "21", "22", __VA_ARGS__) \
  make(72, 18, "18", "19", "20", "21", "22", "23", "24", __VA_ARGS__) \
  make(80, 20, "20", "21", "22", "23", "24", "25", "26", __VA_ARGS__) \
  make(88, 22, "22", "23", "24", "25", "26", "27", "28", __VA_ARGS__) \
  make(96, 24, "24", "25", "26", "27", "28", "29", "30", __VA_ARGS__) \
  make(104, 26, "26", "27", "28", "29", "30", "31", "32", __VA_ARGS__) \
  make(112, 28, "28", "29", "30", "31", "32", "33", "34", __VA_ARGS__) \
  make(120, 30, "30", "31", "32", "33", "34", "35", "36", __VA_ARGS__) \
  make(128, 32, "32", "33", "34", "35", "36", "37", "38", __VA_ARGS__) \
  make(136, 34, "34", "35", "36", "37", "38", "39", "40", __VA_ARGS__) \
  make(144, 36, "36", "37", "38", "39", "40", "41", "42", __VA_ARGS__) \
  make(152, 38, "38", "39", "40", "41", "42", "43", "44", __VA_ARGS__) \
  make(160, 40, "40", "41", "42", "43", "44", "45", "46", __VA_ARGS__) \
  make(168, 42, "42", "43", "44", "45", "46", "47", "48", __VA_ARGS__) \
  make(176, 44, "44", "45", "46", "47", "48", "49", "50", __VA_ARGS__) \
  make(184, 46, "46", "47", "48", "49", "50", "51", "52", __VA_ARGS__) \
  make(192, 48, "48", "49", "50", "51", "52", "53", "54", __VA_ARGS__) \
  make(200, 50, "50", "51", "52", "53", "54", "55", "56", __VA_ARGS__) \
  make(208, 52, "52", "53", "54", "55", "56", "57", "58", __VA_ARGS__) \
  make(216, 54, "54", "55", "56", "57", "58", "59", "60", __VA_ARGS__) \
  make(224, 56, "56", "57", "58", "59", "60", "61", "62", __VA_ARGS__) \
  make(232, 58, "58", "59", "60", "61", "62", "63", "64", __VA_ARGS__) \
  make(240, 60, "60", "61", "62", "63", "64", "65", "66", __VA_ARGS__) \
  make(248, 62, "62", "63", "64", "65", "66", "67", "68", __VA_ARGS__) \
  make(256, 64, "64", "65", "66", "67", "68", "69", "70", __VA_ARGS__)
// clang-format on
