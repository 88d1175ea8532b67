# What tools count, on small cases whose counts are known.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_test(NAME tools.counts
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tools/counts.py)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
        add_test(NAME tools.abi
            COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tools/abi.py)
        set_tests_properties(tools.abi PROPERTIES ENVIRONMENT CC=${CMAKE_C_COMPILER})
    endif()
endif()
