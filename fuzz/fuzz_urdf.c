/* Reads any bytes as XML and as a robot. Places of elements and attributes lie in the source, parents and depths are right;
 * the model of a robot is TOML; errors have a text and a place. */
#include <livens/format.h>

#include "base/memory.h"
#include "format/xml.h"
#include "toml/reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_place(const lv_source *source, lv_place place)
{
    check(place.source == source && place.length > 0 && place.offset < source->size);
    check(place.length <= source->size - place.offset);
}

/* At most LV_XML_MOST_DEPTH calls deep. */
static void check_element(const lv_source *source, const lv_xml *e)
{
    check(e->name[0] && e->depth <= LV_XML_MOST_DEPTH);
    check_place(source, e->place);
    for (const lv_xml_attribute *a = e->attributes; a; a = a->next) {
        check_place(source, a->place);
        check_place(source, a->name_place);
        check(strlen(a->value) <= a->place.length - 2 && lv_xml_find(e, a->name) == a);
    }
    for (const lv_xml *child = e->first; child; child = child->next) {
        check(child->parent == e && child->depth == e->depth + 1);
        check_element(source, child);
    }
}

static void check_model(const lv_import *robot)
{
    const lv_source text = {"model", robot->text, strlen(robot->text)};
    lv_arena arena = {0};
    lv_toml *root = NULL;
    lv_error err;
    check(lv_toml_read(&root, &arena, &text, &err) != LV_ERR_SYNTAX);
    check(robot->bodies > 0 && robot->joints >= 0);
    for (int k = 0; k < robot->note_count; k++)
        check(robot->notes[k].line > 0 && robot->notes[k].text[0]);
    lv_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const lv_source source = {.name = "fuzz", .text = (const char *)data, .size = size};
    lv_arena arena = {0};
    lv_error err;
    lv_xml *root = NULL;
    lv_import *robot = NULL;
    lv_error_clear(&err);
    const lv_status read = lv_xml_read(&root, &arena, &source, &err);
    check((read == LV_OK) == (root != NULL));
    if (root)
        check_element(&source, root);
    lv_arena_done(&arena);
    const lv_status status =
        lv_import_urdf_text(&robot, "fuzz", (const char *)data, size, NULL, &err);
    check((status == LV_OK) == (robot != NULL));
    if (robot)
        check_model(robot);
    else
        check(err.code == status && err.text[0] &&
              (status == LV_ERR_MEMORY || (err.line > 0 && err.column > 0)));
    lv_import_free(robot);
    return 0;
}
