# The target `manual`: makes man pages in build/man from the programs' --help. warpwright_manual_pages lists their
# files; it is empty without python3.
find_program(PYTHON3 python3)
set(warpwright_manual_pages "")
if(PYTHON3)
  set(script ${PROJECT_SOURCE_DIR}/cmake/command_line.py)
  foreach(page tune conform tunedb report warpwright warpwright-fleet)
    list(APPEND warpwright_manual_pages ${PROJECT_BINARY_DIR}/man/${page}.1)
  endforeach()
  add_custom_command(OUTPUT ${warpwright_manual_pages}
                     COMMAND ${PYTHON3} -B ${script} man ${PROJECT_BINARY_DIR}/bin ${PROJECT_BINARY_DIR}/man ${PROJECT_VERSION}
                     DEPENDS tune conform tunedb report ${script} ${PROJECT_SOURCE_DIR}/warpwright
                             ${PROJECT_SOURCE_DIR}/tuner/fleet/fleet
                     COMMENT "Writing the man pages" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${warpwright_manual_pages})
else()
  message(STATUS "Man pages: none are made, as python3 was not found")
endif()
