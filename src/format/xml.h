/* A reader of XML 1.0, as far as robot descriptions need it: elements, attributes, comments, processing instructions,
 * sections of characters. Text between elements is skipped. There are the five entities of XML and numbers of
 * characters; documents cannot declare entities of their own, so that nothing expands. Every element and attribute knows
 * its place. */
#ifndef LV_FORMAT_XML_H
#define LV_FORMAT_XML_H

#include "base/arena.h"
#include "base/source.h"
#include "base/status.h"

#include <stdbool.h>

enum {
    LV_XML_MOST_BYTES = 64 << 20,
    LV_XML_MOST_DEPTH = 200,
    LV_XML_MOST_ATTRIBUTES = 1000
};

typedef struct lv_xml_attribute {
    const char *name, *value; /* decoded */
    lv_place name_place, place;
    bool used; /* for whoever reads the tree */
    struct lv_xml_attribute *next;
} lv_xml_attribute;

typedef struct lv_xml {
    const char *name;
    lv_place place; /* of the name */
    bool used;
    int depth; /* of the root: 0 */
    int attribute_count;
    lv_xml_attribute *attributes, *last_attribute;
    struct lv_xml *parent, *first, *last, *next;
} lv_xml;

/* Reads a document. The tree lives in the arena; it refers to the source. LV_ERR_SYNTAX with line and column for what is
 * not XML, LV_ERR_LIMIT for what is too large or too deep. */
lv_status lv_xml_read(lv_xml **root, lv_arena *arena, const lv_source *source,
                      lv_error *err);

/* The first child of a name, and the next of the same name behind it; NULL: there is none. */
lv_xml *lv_xml_child(const lv_xml *element, const char *name);
lv_xml *lv_xml_again(const lv_xml *element);

/* An attribute by its name; NULL: there is none. */
lv_xml_attribute *lv_xml_find(const lv_xml *element, const char *name);

#endif
