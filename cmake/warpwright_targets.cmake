# How a folder becomes targets: every x.cpp is in its library, x_test.cpp in its test program, x_main.cpp a program.
include(${CMAKE_CURRENT_LIST_DIR}/warpwright_unity.cmake)

# warpwright_folder(NAME [FOLDERS dir...] [LIBRARIES lib...] [EXCLUDE regex])
# Makes the library warpwright_NAME and the test program NAME_test from the sources of the given folders
# (default: the current one), found again at every build. FAST: what runs most, optimised fully.
function(warpwright_folder name)
  cmake_parse_arguments(ARG "NO_PCH;FAST" "EXCLUDE" "FOLDERS;LIBRARIES;SOURCES;TEST_LIBRARIES" ${ARGN})
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
    # Not with the precompiled header, which is of the level of all others.
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
    warpwright_discover_tests(${name}_test)
  endif()
endfunction()

# warpwright_link_first(PROGRAM LIBRARY): before the program's own objects come those of the library and of what it needs
# of ours. Of a template's code the linker takes the first: the libraries' is optimised, and that of tests is not.
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

# warpwright_program(NAME SOURCE LIBRARIES lib...): the program build/bin/NAME. Its main is also the library
# warpwright_NAME_main, which others link with kernels of their own.
function(warpwright_program name source)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  add_library(warpwright_${name}_main STATIC ${source})
  target_link_libraries(warpwright_${name}_main PUBLIC ${ARG_LIBRARIES} CLI11::CLI11)
  target_precompile_headers(warpwright_${name}_main REUSE_FROM warpwright_pch)
  add_executable(${name} $<TARGET_OBJECTS:warpwright_${name}_main>)
  target_link_libraries(${name} PRIVATE warpwright_${name}_main)
endfunction()

# Every gtest case becomes a ctest case of the same name; a program that lists no case fails the build of the list. More
# properties of them may follow.
function(warpwright_discover_tests target)
  include(GoogleTest)
  gtest_discover_tests(${target} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 600 LABELS ${target} ${ARGN})
endfunction()
