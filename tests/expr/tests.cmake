# test.expr.emit compares the interpreter with functions that are emitted while building.
set(emitted_source ${CMAKE_CURRENT_BINARY_DIR}/emitted.c)
add_executable(emit_cases ${CMAKE_CURRENT_LIST_DIR}/emit_cases.c)
target_link_libraries(emit_cases PRIVATE livens_static livens_flags)
add_custom_command(OUTPUT ${emitted_source}
    COMMAND emit_cases ${emitted_source}
    DEPENDS emit_cases VERBATIM)
set_source_files_properties(${emitted_source} PROPERTIES COMPILE_OPTIONS "${emitted_options}")
target_sources(test.expr.emit PRIVATE ${emitted_source})
