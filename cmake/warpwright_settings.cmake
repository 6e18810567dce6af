# Compiler settings for all targets, and the packages that the project needs.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# The simulator and the oracles must be fast. -O1 gives most of the speed, in half of the compile time.
set(CMAKE_CXX_FLAGS_RELEASE "-O1")
# GCC's garbage collector would scan the whole precompiled header again and again.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(--param=ggc-min-expand=100 --param=ggc-min-heapsize=1048576)
endif()
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache finds precompiled headers by their contents, and build folders share its entries. A header that is edited
  # during its compilation must not be cached: ccache notices that by file times, so these are not among the things that
  # it ignores. Comments count: GCC compares a header that it meets again with the precompiled one byte by byte.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_COMMENTS=1
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
  add_compile_options(-fpch-preprocess)
endif()

# Third-party libraries and the C++ runtime are linked statically, so that the programs also run on a GPU machine
# without them.
find_package(Threads REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(GTest REQUIRED)
find_library(SQLITE3_STATIC libsqlite3.a REQUIRED)
find_library(BOOST_CONTEXT_STATIC libboost_context.a REQUIRED)
find_library(XXHASH_STATIC libxxhash.a REQUIRED)
# Only headers. The toolkit's libraries and the driver are opened at run time.
find_path(CUDA_INCLUDE cuda_occupancy.h HINTS $ENV{CUDA_HOME}/include $ENV{CUDA_PATH}/include /usr/local/cuda/include)
if(NOT CUDA_INCLUDE)
  message(FATAL_ERROR "The CUDA toolkit's headers were not found. Install the CUDA toolkit (12.8 or newer) and set "
                      "CUDA_HOME, or name its include folder with -DCUDA_INCLUDE=/path/to/cuda/include.")
endif()

add_library(warpwright_options INTERFACE)
target_compile_features(warpwright_options INTERFACE cxx_std_20)
target_include_directories(warpwright_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                        $<INSTALL_INTERFACE:include/warpwright>)
target_include_directories(warpwright_options SYSTEM INTERFACE $<BUILD_INTERFACE:${CUDA_INCLUDE}>)
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-unknown-pragmas)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # g++ 13 takes a reference to an element of a member for one to the temporary view that found it.
  list(APPEND warnings -Wno-dangling-reference)
endif()
if(WARPWRIGHT_WERROR)
  list(APPEND warnings -Werror)
endif()
target_compile_options(warpwright_options INTERFACE "$<BUILD_INTERFACE:${warnings}>")
target_link_options(warpwright_options INTERFACE -static-libstdc++ -static-libgcc)
target_link_libraries(warpwright_options INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
if(WARPWRIGHT_SANITIZE)
  target_compile_options(warpwright_options INTERFACE -fsanitize=${WARPWRIGHT_SANITIZE} -fno-omit-frame-pointer
                                                     -fno-sanitize-recover=all)
  target_link_options(warpwright_options INTERFACE -fsanitize=${WARPWRIGHT_SANITIZE})
  # Sanitizers slow the simulator down: time limits of programs and tests are multiplied by this factor.
  set(WARPWRIGHT_TIME_FACTOR 10)
  target_compile_definitions(warpwright_options INTERFACE WARPWRIGHT_TIME_FACTOR=${WARPWRIGHT_TIME_FACTOR})
else()
  set(WARPWRIGHT_TIME_FACTOR 1)
endif()

# fmt as a static library, which Debian does not have. The header-only form would double the compile time of every
# source that formats text.
add_library(warpwright_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
target_include_directories(warpwright_fmt PUBLIC $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)

# Tests should compile fast rather than run fast.
add_library(warpwright_test_options INTERFACE)
target_link_libraries(warpwright_test_options INTERFACE warpwright_options rapidcheck rapidcheck_gtest GTest::gmock
                                                        GTest::gtest)
target_compile_options(warpwright_test_options INTERFACE -O0)
target_compile_definitions(warpwright_test_options INTERFACE WARPWRIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                             WARPWRIGHT_BINARY_DIR="${PROJECT_BINARY_DIR}")

# One precompiled header for all sources, and one for all tests. Targets use them by REUSE_FROM.
file(WRITE ${PROJECT_BINARY_DIR}/pch.cpp "// Generated: the source that a precompiled header is made with.\n")
add_library(warpwright_pch STATIC ${PROJECT_BINARY_DIR}/pch.cpp)
target_link_libraries(warpwright_pch PRIVATE warpwright_options warpwright_fmt nlohmann_json::nlohmann_json)
target_precompile_headers(warpwright_pch PRIVATE ${CMAKE_CURRENT_LIST_DIR}/warpwright_pch.hpp)
add_library(warpwright_test_pch STATIC ${PROJECT_BINARY_DIR}/pch.cpp)
target_link_libraries(warpwright_test_pch PRIVATE warpwright_test_options warpwright_fmt
                                                  nlohmann_json::nlohmann_json)
target_precompile_headers(warpwright_test_pch PRIVATE ${CMAKE_CURRENT_LIST_DIR}/warpwright_test_pch.hpp)
