// Formats numbers for charts.
#pragma once

#include <string>

namespace warpwright::reports::charts {

// A time in us with one decimal, and thousands separators: "41.3", "5,794.9"; with three significant digits below 10:
// "9.53", "0.0123".
std::string time_us(double us);
// A rate in GB/s, without decimals from 100: "4,291", "87.3".
std::string rate_gbs(double gbs);
// A share with one decimal: "76.0 %". Values that are not exactly 0 or 1 are never "0.0 %" or "100.0 %", but "under 0.1
// %", "over 99.9 %".
std::string share_text(double share);
// A change with its sign and one decimal: "+1.3 %", "\u22126.0 %", "0.0 %".
std::string change_text(double change);
// A ratio with this many decimals: 3 in tables, 2 in overviews. "1.160", "0.97"; above 100 without decimals.
std::string ratio(double value, int decimals = 3);
// With two significant digits, or all digits before the point: "1.5", "0.0087", "121".
std::string two_digits(double value);
// A tick of an axis, as short as possible: "0.05", "1,000", "200k", "10M".
std::string tick(double value);
// A size as a tick: "2^24" with the exponent raised if it is a power of two (in UTF-8), else like tick().
std::string size_tick(double size);
// A coordinate for an attribute: at most two decimals, without trailing zeros: "63", "7.25".
std::string place(double percent);
// A time for the page's script: eight significant digits, so that the script rounds it as time_us() does; the same
// wherever a page holds it.
std::string script_us(double us);
// "1.50" as "1.5", "2.00" as "2"; whole numbers are not changed.
std::string without_trailing_zeros(std::string digits);
// With powers raised and signs of multiplication: "2^26 float, 4x4" becomes "2\u00B2\u2076 float, 4 \u00D7 4".
std::string with_powers(const std::string& text);

}  // namespace warpwright::reports::charts
