// The functions of fmt, compiled once; those that its headers declare as instantiated elsewhere are here.
#include <fmt/format-inl.h>

template fmt::detail::thousands_sep_result<char> fmt::detail::thousands_sep_impl<char>(fmt::detail::locale_ref);
template char fmt::detail::decimal_point_impl<char>(fmt::detail::locale_ref);
#if FMT_VERSION >= 100000
template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::string_view,
                                            fmt::detail::vformat_args<char>::type, fmt::detail::locale_ref);
#endif
