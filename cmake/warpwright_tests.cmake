# Tests by what they cost: every test has one of these labels, and the test "every test says what it costs" fails otherwise.
#   unit         of one piece, well below a second, without a compiler or another program
#   integration  of several pieces: compiles kernels, starts programs, waits for them
#   catalogue    one of a kind for every kernel or header: another kernel is another test
#   slow         takes ten seconds of a core or more
# Also: quick is a sample of the others, which ctest --preset quick runs with all unit tests; nightly tests do not run
# for every commit.

# warpwright_discover_tests(PROGRAM [LABEL label] [NIGHTLY regex...] [QUICK regex...] [SLOW regex...] [INTEGRATION regex...]
#                           [UNIT regex...] [PROPERTIES ...])
# Every gtest case becomes a ctest case of the same name. A program without cases is an error of the build. Cases get
# the label LABEL, by default unit. Cases whose full names match a regex get another one: NIGHTLY are slow and do not
# run for every commit, QUICK are integration tests in the quick sample. If several lists match, the first in the order
# above counts. A regex that matches nothing makes a test that fails.
function(warpwright_discover_tests target)
  include(GoogleTest)
  cmake_parse_arguments(ARG "" "LABEL" "NIGHTLY;QUICK;SLOW;INTEGRATION;UNIT;PROPERTIES" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  math(EXPR limit "600 * ${WARPWRIGHT_TIME_FACTOR}")
  gtest_discover_tests(${target} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_LIST ${target}_tests
                       PROPERTIES TIMEOUT ${limit} ${ARG_PROPERTIES})
  set(script "set(target ${target})\nset(cost ${ARG_LABEL})\n")
  foreach(kind NIGHTLY QUICK SLOW INTEGRATION UNIT)
    string(APPEND script "set(${kind} [==[${ARG_${kind}}]==])\n")
  endforeach()
  string(APPEND script "include(${PROJECT_SOURCE_DIR}/cmake/label_tests.cmake)\n")
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake)
  file(CONFIGURE OUTPUT ${file} CONTENT "${script}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()
