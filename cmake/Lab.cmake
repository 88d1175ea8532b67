# The lab: the library as WebAssembly, inside of a page. Files that need more than a browser gives are left out; what the
# rest calls of them is in src/lab.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
find_path(SUITESPARSE_INCLUDE colamd.h PATHS /usr/include /usr/local/include PATH_SUFFIXES suitesparse REQUIRED)

file(GLOB lab_sources CONFIGURE_DEPENDS src/*/*.c)
foreach(left_out base/free_memory base/file expr/tape expr/x86 expr/code_x86 out/csv out/hdf5.* out/lock run/resume study/ensemble.* study/sweep study/recall report/recorded report/report out/replay format/.* cli/command_.*
        cli/interrupt cli/terminal cli/main cli/ranks_.*)
    list(FILTER lab_sources EXCLUDE REGEX "/src/${left_out}\\.c$")
endforeach()

set(lab_exports lab_room lab_open lab_run lab_check lab_verify lab_result lab_result_size lab_close)
add_executable(lab ${lab_sources})
set_target_properties(lab PROPERTIES SUFFIX .wasm)
target_link_libraries(lab PRIVATE livens_flags m)
target_include_directories(lab SYSTEM PRIVATE ${SUITESPARSE_INCLUDE})
target_compile_definitions(lab PRIVATE LIVENS_UMFPACK=0 LIVENS_MACHINE_CODE=0 LIVENS_SMALL_CODE _DEFAULT_SOURCE)
# Small, but for what steps consist of; small systems take theirs as programs (expr/run).
target_compile_options(lab PRIVATE -Oz -msimd128 -mbulk-memory -ftls-model=local-exec)
set(quick ${lab_sources})
list(FILTER quick INCLUDE REGEX "/src/expr/run\\.c$|/src/report/(deflate|pack)\\.c$|/src/course/course_run\\.c$")
set_source_files_properties(${quick} PROPERTIES COMPILE_OPTIONS -O2)
# Deep formulas take stack; below it is nothing, so that too deep ones trap and do no harm.
target_link_options(lab PRIVATE -mexec-model=reactor -Wl,-z,stack-size=4194304 -Wl,--stack-first -Wl,--strip-all)
foreach(name IN LISTS lab_exports)
    target_link_options(lab PRIVATE -Wl,--export=${name})
endforeach()

# The page: the template of web/dist, which has the scripts, with the library and the shipped models in it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB shipped_models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.toml)
set(lab_page ${PROJECT_BINARY_DIR}/lab.html)
add_custom_command(OUTPUT ${lab_page}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/make-lab ${lab_page} $<TARGET_FILE:lab>
    DEPENDS lab tools/make-lab web/dist/lab.html ${shipped_models}
    COMMENT "Writing the lab"
    VERBATIM)
add_custom_target(page ALL DEPENDS ${lab_page})
