// The program report_testdata FILE filled|large|boards|empty: writes a database with plausible content.
#include <exception>
#include <iostream>
#include <string>

#include "reports/fixture.hpp"

int main(int argc, char** argv) {
  const std::string content = argc == 3 ? argv[2] : "";
  if (content != "filled" && content != "large" && content != "boards" && content != "empty") {
    std::cerr << "usage: report_testdata FILE filled|large|boards|empty\n";
    return 2;
  }
  try {
    warpwright::db::Store store{std::string(argv[1])};
    if (content == "filled") {
      warpwright::reports::fill(store);
      for (warpwright::db::Problem problem : store.problems()) {  // with operations there is a roofline
        problem.operations = problem.bytes_read / 4;
        problem.arithmetic = "float";
        store.upsert(problem);
      }
    }
    if (content == "large") warpwright::reports::fill_large(store, 50000);
    if (content == "boards") warpwright::reports::fill_boards(store);
  } catch (const std::exception& error) {
    std::cerr << "report_testdata: " << error.what() << "\n";
    return 3;
  }
  return 0;
}
