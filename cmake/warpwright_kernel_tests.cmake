# Tests of the catalogue, one of a kind for every kernel: another kernel is another few seconds, not a longer test.

# warpwright_kernel_tests(PROGRAM ENTRY...): with PROGRAM, a conform that knows the kernels of these registry entries
# (warpwright_find_patterns). Compiled programs are kept below the build folder and shared by all tests.
function(warpwright_kernel_tests program)
  # Those that take longest begin first, so that no core waits for one of them at the end.
  set(on_host TIMEOUT 300 COST 10)
  # Two cores run several of them side by side.
  set(common --jobs 1 --cache ${PROJECT_BINARY_DIR}/test_cache)
  set(patterns "")
  foreach(entry ${ARGN})
    if(NOT entry MATCHES "^kernel\\|([^|]*)\\|([^|]*)\\|")
      continue()
    endif()
    set(kernel ${CMAKE_MATCH_1}/${CMAKE_MATCH_2})
    add_test(NAME "${kernel} is right on the host"
             COMMAND ${program} ${kernel} --cases 60 --points 5 ${common})
    add_test(NAME "${kernel} with mistakes of a few families is found"
             COMMAND ${program} ${kernel} --mutants --mutants-tier commit ${common})
    add_test(NAME "${kernel} is right on the GPU"
             COMMAND ${program} ${kernel} --target native --cases 200 ${common})
    set_tests_properties("${kernel} is right on the host" "${kernel} with mistakes of a few families is found"
                         PROPERTIES ${on_host})
    set_tests_properties("${kernel} is right on the host" "${kernel} with mistakes of a few families is found"
                         "${kernel} is right on the GPU" PROPERTIES LABELS "catalogue;kernels")
    # Mistakes of one kernel a pattern are looked for in every commit, those of the others in the nights.
    if(CMAKE_MATCH_1 IN_LIST patterns)
      set_tests_properties("${kernel} with mistakes of a few families is found"
                           PROPERTIES LABELS "catalogue;kernels;nightly")
    endif()
    list(APPEND patterns ${CMAKE_MATCH_1})
    # What the host has no model of is seen as skipped, never as passed.
    set_tests_properties("${kernel} is right on the host" PROPERTIES SKIP_REGULAR_EXPRESSION ": not modelled: ")
    # As the driver and conform say it where there is no GPU.
    set_tests_properties("${kernel} is right on the GPU" PROPERTIES ${on_host} RESOURCE_LOCK gpu
                         SKIP_REGULAR_EXPRESSION "no CUDA driver was found|the CUDA driver finds no usable GPU")
  endforeach()
  # Of the quick sample: one that copies, and one whose threads work together.
  set_tests_properties("transpose/copy is right on the host" "reduce/grid_stride is right on the host"
                       "transpose/copy with mistakes of a few families is found"
                       PROPERTIES LABELS "catalogue;kernels;quick")
endfunction()
