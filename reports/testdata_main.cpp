// The program report_testdata: writes a database of plausible content, report_testdata FILE filled|large.
#include <exception>
#include <iostream>
#include <string>

#include "reports/fixture.hpp"

int main(int argc, char** argv) {
  const std::string content = argc == 3 ? argv[2] : "";
  if (content != "filled" && content != "large") {
    std::cerr << "usage: report_testdata FILE filled|large\n";
    return 2;
  }
  try {
    warpwright::db::Store store{std::string(argv[1])};
    content == "filled" ? warpwright::reports::fill(store) : warpwright::reports::fill_large(store, 50000);
  } catch (const std::exception& error) {
    std::cerr << "report_testdata: " << error.what() << "\n";
    return 3;
  }
  return 0;
}
