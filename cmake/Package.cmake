# What those find who build on the installed library: livens.pc for pkg-config and a package for CMake.
# Both may be moved with the rest of the tree.

# Libraries as flags: those in directories that every compiler searches by their names.
set(livens_link_flags "")
foreach(library IN LISTS livens_private_libraries)
    if(IS_ABSOLUTE ${library})
        get_filename_component(directory ${library} DIRECTORY)
        get_filename_component(name ${library} NAME)
        string(REGEX REPLACE "^lib(.*)\\.(so|a|dylib|tbd)$" "\\1" name ${name})
        if(NOT directory IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
            list(APPEND livens_link_flags -L${directory})
        endif()
        list(APPEND livens_link_flags -l${name})
    elseif(library MATCHES "^-")
        list(APPEND livens_link_flags ${library})
    else()
        list(APPEND livens_link_flags -l${library})
    endif()
endforeach()
list(REMOVE_DUPLICATES livens_link_flags)
list(JOIN livens_link_flags " " livens_pc_libraries)

if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(livens_pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(livens_pc_libdir ${CMAKE_INSTALL_LIBDIR})
else()
    file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
    string(REGEX REPLACE "/$" "" up ${up})
    set(livens_pc_prefix "\${pcfiledir}/${up}")
    set(livens_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
set(livens_pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    set(livens_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/livens.pc.in livens.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/livens.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/livensConfig.cmake.in livensConfig.cmake.part
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/livens
    PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/livensConfig.cmake
    INPUT ${PROJECT_BINARY_DIR}/livensConfig.cmake.part)
write_basic_package_version_file(livensConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/livensConfig.cmake
    ${PROJECT_BINARY_DIR}/livensConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/livens)
