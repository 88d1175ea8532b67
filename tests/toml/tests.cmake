# The TOML reader against the one of Python's standard library, on many mutated documents.
add_executable(toml_to_json toml/toml_to_json.c)
target_link_libraries(toml_to_json PRIVATE test_support)

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_test(NAME toml.oracle
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/toml/oracle.py
                $<TARGET_FILE:toml_to_json>)
    set_tests_properties(toml.oracle PROPERTIES SKIP_RETURN_CODE 77)
endif()
