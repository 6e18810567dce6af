# Tests for every kernel of the catalogue. A new kernel adds short tests, and makes no test longer.

# warpwright_kernel_tests(PROGRAM ENTRY... [NIGHTLY_MUTANTS kernel...]): PROGRAM is a conform that has the kernels of
# these registry entries (warpwright_find_patterns). All tests share compiled programs in a cache below the build folder.
# Every commit runs mutants of one kernel per pattern, the first whose mutants are not NIGHTLY_MUTANTS.
function(warpwright_kernel_tests program)
  cmake_parse_arguments(ARG "" "" "NIGHTLY_MUTANTS" ${ARGN})
  # The longest tests start first, so that no core waits for them at the end.
  math(EXPR limit "300 * ${WARPWRIGHT_TIME_FACTOR}")
  set(one_core TIMEOUT ${limit} COST 10)
  # Each test uses one core; ctest runs several at the same time.
  set(common --jobs 1 --cache ${PROJECT_BINARY_DIR}/test_cache)
  set(patterns "")
  foreach(entry ${ARG_UNPARSED_ARGUMENTS})
    if(NOT entry MATCHES "^kernel\\|([^|]*)\\|([^|]*)\\|")
      continue()
    endif()
    set(kernel ${CMAKE_MATCH_1}/${CMAKE_MATCH_2})
    add_test(NAME "${kernel} is right in the simulator"
             COMMAND ${program} ${kernel} --cases 12 --points 3 ${common})
    add_test(NAME "${kernel} has a sample of mutants that are killed"
             COMMAND ${program} ${kernel} --mutants --mutants-tier commit ${common})
    add_test(NAME "${kernel} is right on the GPU"
             COMMAND ${program} ${kernel} --target native --cases 200 ${common})
    set_tests_properties("${kernel} is right in the simulator" "${kernel} has a sample of mutants that are killed"
                         PROPERTIES ${one_core})
    set_tests_properties("${kernel} is right in the simulator" "${kernel} has a sample of mutants that are killed"
                         "${kernel} is right on the GPU" PROPERTIES LABELS "catalogue;kernels")
    # Nightly runs have the mutants of the other kernels.
    if(CMAKE_MATCH_1 IN_LIST patterns OR kernel IN_LIST ARG_NIGHTLY_MUTANTS)
      set_tests_properties("${kernel} has a sample of mutants that are killed"
                           PROPERTIES LABELS "catalogue;kernels;nightly")
    else()
      list(APPEND patterns ${CMAKE_MATCH_1})
    endif()
    # A kernel that is not modelled is reported as skipped, not as passed.
    set_tests_properties("${kernel} is right in the simulator" PROPERTIES SKIP_REGULAR_EXPRESSION ": not modelled: ")
    # The messages of the driver and of conform if there is no GPU.
    set_tests_properties("${kernel} is right on the GPU" PROPERTIES ${one_core} RESOURCE_LOCK gpu
                         SKIP_REGULAR_EXPRESSION "no CUDA driver was found|the CUDA driver finds no usable GPU")
  endforeach()
  # In the quick sample: a kernel that copies, and one whose threads work together.
  set_tests_properties("transpose/copy is right in the simulator" "reduce/grid_stride is right in the simulator"
                       "transpose/copy has a sample of mutants that are killed"
                       PROPERTIES LABELS "catalogue;kernels;quick")
endfunction()
