# The Debian packages: warpwright (what users run) and warpwright-dev (the CMake package). After a full build, cpack -G
# DEB in the build folder makes them.
set(WARPWRIGHT_MAINTAINER "" CACHE STRING "Who makes the Debian packages: NAME <ADDRESS> (default: DEBFULLNAME, DEBEMAIL)")
set(maintainer "${WARPWRIGHT_MAINTAINER}")
if(maintainer STREQUAL "" AND NOT "$ENV{DEBEMAIL}" STREQUAL "")
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
elseif(maintainer STREQUAL "")
  set(maintainer "warpwright maintainers <maintainers@warpwright.invalid>")
endif()

# The documentation that Debian requires: the maintainer and date, the licence, and the licences of the libraries that
# are linked into the programs, from their own packages.
set(generated ${PROJECT_BINARY_DIR}/package)
set(linked "Libraries that are linked statically into the programs of warpwright, and their licences.\n")
foreach(library libcli11-dev libfmt-dev nlohmann-json3-dev libsqlitecpp-dev libsqlite3-dev libboost-context-dev
                libxxhash-dev librapidcheck-dev libstdc++6)
  file(GLOB found /usr/share/doc/${library}/copyright)
  if(found)
    file(READ ${found} text)
    string(APPEND linked "\n==== ${library} ====\n\n${text}")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${generated}/linked_libraries.txt CONTENT "@linked@" @ONLY)
string(TIMESTAMP date "%a, %d %b %Y 12:00:00 +0000" UTC)
configure_file(${CMAKE_CURRENT_LIST_DIR}/package/copyright.in ${generated}/copyright @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/package/changelog.in ${generated}/changelog @ONLY)
set(changelog ${generated}/changelog)
if(GZIP)
  set(changelog ${generated}/changelog.gz)
  add_custom_command(OUTPUT ${changelog} COMMAND ${GZIP} -9 -n -k -f ${generated}/changelog
                     DEPENDS ${generated}/changelog VERBATIM)
  add_custom_target(compressed_changelog ALL DEPENDS ${changelog})
endif()
foreach(component runtime development)
  set(name_runtime warpwright)
  set(name_development warpwright-dev)
  install(FILES ${generated}/copyright ${changelog}
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name_${component}} COMPONENT ${component} OPTIONAL)
endforeach()
install(FILES ${generated}/linked_libraries.txt DESTINATION ${doc_folder} COMPONENT runtime)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpwright)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)  # needs dpkg-shlibdeps, from dpkg-dev

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME warpwright)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "Conformance checks and auto-tuning of CUDA kernels
Checks that CUDA kernels are right, on a GPU or in a simulator on the CPU
that finds races, accesses out of bounds, reads of uninitialised memory,
divergent barriers and hangs. Finds the fastest correct configuration of
a kernel, keeps what was measured in a database, and writes reports of it.
.
The simulator compiles kernels with g++. A GPU needs the CUDA toolkit.")
# The simulator starts a C++ compiler, of this version or newer. No program needs a GPU or the toolkit to start.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "g++ (>= 4:12) | g++-14 | g++-13 | g++-12")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, warpwright-dev, man-db, bash-completion")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME warpwright-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Conformance checks and auto-tuning of CUDA kernels (CMake package)
Device headers, libraries and the CMake package of warpwright. A project
outside its tree builds tune and conform with kernels of its own.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "warpwright (= ${PROJECT_VERSION}), cmake (>= 3.25), libcli11-dev, libfmt-dev, nlohmann-json3-dev, libsqlitecpp-dev, \
libsqlite3-dev, libboost-context-dev, libxxhash-dev, librapidcheck-dev")
include(CPack)
