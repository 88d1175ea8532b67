# The installed library in the hands of those who build on it.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    set(flags "${CMAKE_C_FLAGS}")
    if(LIVENS_SANITIZE)
        string(APPEND flags " -fsanitize=${LIVENS_SANITIZE}")
    endif()
    add_test(NAME install.examples
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/install/run.py
                --build ${PROJECT_BINARY_DIR} --examples ${PROJECT_SOURCE_DIR}/examples
                --cmake ${CMAKE_COMMAND} --pkg-config ${PKG_CONFIG_EXECUTABLE}
                --cc ${CMAKE_C_COMPILER} --flags=${flags})
endif()
