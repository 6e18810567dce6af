# Makes targets from folders: x.cpp goes to the folder's library, x_test.cpp to its test program, x_main.cpp is a
# program.
include(${CMAKE_CURRENT_LIST_DIR}/warpwright_tests.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/warpwright_unity.cmake)

# warpwright_folder(NAME [FOLDERS dir...] [LIBRARIES lib...] [EXCLUDE regex] [TESTS ...])
# Makes the library warpwright_NAME and the test program NAME_test from the sources in the given folders (default: the
# current one), which are searched at every build. FAST: files with hot code, which are fully optimised. TESTS:
# arguments of warpwright_discover_tests.
function(warpwright_folder name)
  cmake_parse_arguments(ARG "NO_PCH;FAST" "EXCLUDE" "FOLDERS;LIBRARIES;SOURCES;TESTS" ${ARGN})
  if(NOT ARG_FOLDERS)
    set(ARG_FOLDERS ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set(sources ${ARG_SOURCES})
  set(tests "")
  foreach(folder ${ARG_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${ARG_EXCLUDE}")
  endif()
  list(FILTER sources EXCLUDE REGEX "_main\\.cpp$")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")

  add_library(warpwright_${name} STATIC ${sources})
  target_link_libraries(warpwright_${name} PUBLIC warpwright_options warpwright_fmt
                                                  nlohmann_json::nlohmann_json ${ARG_LIBRARIES})
  if(ARG_FAST)
    # Without the precompiled header, which has the optimisation level of the other sources.
    target_compile_options(warpwright_${name} PRIVATE -O2)
  elseif(NOT ARG_NO_PCH)
    target_precompile_headers(warpwright_${name} REUSE_FROM warpwright_pch)
  endif()
  warpwright_unity(warpwright_${name})
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE warpwright_${name} warpwright_test_options GTest::gtest_main)
    if(NOT ARG_NO_PCH)
      target_precompile_headers(${name}_test REUSE_FROM warpwright_test_pch)
    endif()
    warpwright_unity(${name}_test)
    warpwright_link_first(${name}_test warpwright_${name})
    warpwright_discover_tests(${name}_test ${ARG_TESTS})
  endif()
endfunction()

# warpwright_link_first(PROGRAM LIBRARY): puts the objects of our library, and of our libraries that it needs, before
# those of the program. The linker takes the first copy of a template's code, and the library's is optimised, unlike
# that of tests.
function(warpwright_link_first program library)
  set(archives "")
  set(left ${library})
  while(left)
    list(POP_FRONT left next)
    list(APPEND archives $<TARGET_FILE:${next}>)
    get_target_property(needed ${next} LINK_LIBRARIES)
    list(FILTER needed INCLUDE REGEX "^warpwright_")
    list(REMOVE_ITEM needed warpwright_options warpwright_fmt)
    list(APPEND left ${needed})
  endwhile()
  list(REMOVE_DUPLICATES archives)
  target_link_options(${program} PRIVATE "LINKER:--whole-archive" ${archives} "LINKER:--no-whole-archive")
  set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS ${archives})
endfunction()

# warpwright_program(NAME SOURCE LIBRARIES lib...): the program build/bin/NAME. Its main function is also in the library
# warpwright_NAME_main, which others link with their own kernels.
function(warpwright_program name source)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  add_library(warpwright_${name}_main STATIC ${source})
  target_link_libraries(warpwright_${name}_main PUBLIC ${ARG_LIBRARIES} CLI11::CLI11)
  target_precompile_headers(warpwright_${name}_main REUSE_FROM warpwright_pch)
  add_executable(${name} $<TARGET_OBJECTS:warpwright_${name}_main>)
  target_link_libraries(${name} PRIVATE warpwright_${name}_main)
endfunction()
