# Installs what users run (component runtime: programs, worker, man pages, completion, docs, job examples), and the
# package for find_package(warpwright) (component development). cpack -G DEB makes a Debian package of each.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/warpwright)
set(doc_folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/warpwright)
set(programs tune conform tunedb report)
get_property(registry GLOBAL PROPERTY WARPWRIGHT_REGISTRY)

install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
# Programs start the worker; users do not.
install(TARGETS worker EXPORT warpwright RUNTIME DESTINATION libexec/warpwright COMPONENT runtime)

# The library for lookup at run time, for other programs.
install(TARGETS warpwright_lookup EXPORT warpwright LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime
        NAMELINK_COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/db/lookup/warpwright_lookup.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)

# Completion for each shell, where that shell expects it. The files are made with the programs, as man pages are.
# OPTIONAL allows an installation if only some targets were built.
set(completion ${PROJECT_BINARY_DIR}/completion)
set(completion_files "")
foreach(program ${programs})
  set(made ${completion}/bash/${program} ${completion}/zsh/_${program} ${completion}/fish/${program}.fish)
  add_custom_command(OUTPUT ${made}
                     COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${program}> -D FOLDER=${completion}
                             -P ${CMAKE_CURRENT_LIST_DIR}/package/completion.cmake
                     DEPENDS ${program} ${CMAKE_CURRENT_LIST_DIR}/package/completion.cmake
                     COMMENT "Writing the completion of ${program}" VERBATIM)
  list(APPEND completion_files ${made})
endforeach()
add_custom_target(completion ALL DEPENDS ${completion_files})
install(DIRECTORY ${completion}/bash/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
        COMPONENT runtime OPTIONAL)
install(DIRECTORY ${completion}/zsh/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions
        COMPONENT runtime OPTIONAL)
install(DIRECTORY ${completion}/fish/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d
        COMPONENT runtime OPTIONAL)

# The programs' man pages, compressed as Debian requires. (The launcher and its pages are not installed.) man can read
# both kinds.
find_program(GZIP gzip)
set(compressed "")
foreach(page ${warpwright_manual_pages})
  cmake_path(GET page STEM name)
  if(NOT name IN_LIST programs)
    continue()
  elseif(GZIP)
    add_custom_command(OUTPUT ${page}.gz COMMAND ${GZIP} -9 -n -k -f ${page} DEPENDS ${page} VERBATIM)
    list(APPEND compressed ${page}.gz)
  else()
    list(APPEND compressed ${page})
  endif()
endforeach()
add_custom_target(compressed_manual ALL DEPENDS ${compressed})
install(FILES ${compressed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime OPTIONAL)

install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${doc_folder} COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${doc_folder} COMPONENT runtime
        PATTERN "testdata" EXCLUDE PATTERN "*.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
# Not with the docs, which containers often leave out.
install(FILES ${PROJECT_SOURCE_DIR}/kernels/job/job.schema.json DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/warpwright
        COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/job/examples DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/warpwright
        COMPONENT runtime)

install(TARGETS warpwright_options warpwright_fmt warpwright_core warpwright_model warpwright_simulator warpwright_runtime
                warpwright_job_text warpwright_job warpwright_catalogue warpwright_db warpwright_conformance
                warpwright_tuner warpwright_conform_main warpwright_tune_main
        EXPORT warpwright ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpwright COMPONENT development)
foreach(folder kernels db conformance tuner)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION include/warpwright COMPONENT development
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "*.mutants" PATTERN "testdata" EXCLUDE)
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/warpwrightConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/warpwrightConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpwrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT warpwright NAMESPACE warpwright:: FILE warpwrightTargets.cmake DESTINATION ${package_folder}
        COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/warpwrightConfig.cmake ${PROJECT_BINARY_DIR}/warpwrightConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/warpwright_add_job.cmake
              ${CMAKE_CURRENT_LIST_DIR}/warpwright_add_kernels.cmake ${CMAKE_CURRENT_LIST_DIR}/warpwright_catalogue.cmake
              ${CMAKE_CURRENT_LIST_DIR}/warpwright_device.cmake ${CMAKE_CURRENT_LIST_DIR}/warpwright_embed.cmake
              ${CMAKE_CURRENT_LIST_DIR}/embed_files.cmake
              ${CMAKE_CURRENT_LIST_DIR}/embedded_sources.cpp.in
        DESTINATION ${package_folder} COMPONENT development)

include(warpwright_package)
