# The shipped models become part of the library: one source that includes each file's bytes.
file(GLOB shipped_models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.toml)
set(shipped_models_source ${PROJECT_BINARY_DIR}/shipped_models.c)
set(text "/* Generated from models/ by cmake/ShippedModels.cmake. */\n#include \"model/shipped.h\"\n\n")
set(rows "")
set(names "")
foreach(path IN LISTS shipped_models)
    get_filename_component(name ${path} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} id)
    string(APPEND text
        "__asm__(\".section .rodata\\n.balign 8\\nlv_model_text_${id}:\\n.incbin \\\"${path}\\\"\\n\"\n"
        "        \".byte 0\\nlv_model_end_${id}:\\n.previous\\n\");\n"
        "extern const char lv_model_text_${id}[], lv_model_end_${id}[];\n")
    string(APPEND names "    \"${name}\",\n")
    string(APPEND rows "    {\"${name}\", lv_model_text_${id}, lv_model_end_${id}},\n")
endforeach()
string(APPEND text "\nconst lv_shipped_entry lv_shipped_table[] = {\n${rows}    {0, 0, 0},\n};\n"
    "\nconst char *const lv_shipped_name_list[] = {\n${names}    0,\n};\n")
file(GENERATE OUTPUT ${shipped_models_source} CONTENT "${text}")
set_source_files_properties(${shipped_models_source} PROPERTIES
    GENERATED TRUE OBJECT_DEPENDS "${shipped_models}")
