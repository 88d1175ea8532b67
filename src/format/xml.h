/* A reader of XML 1.0, as far as robot descriptions need it: elements, attributes,
 * comments, processing instructions, CDATA sections. Text between elements is skipped.
 * The five entities of XML and character references are known; documents cannot declare
 * entities of their own, so that nothing expands. Every element and attribute has its
 * place in the source. */
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
    bool used; /* free for the reader of the tree */
    struct lv_xml_attribute *next;
} lv_xml_attribute;

typedef struct lv_xml {
    const char *name;
    lv_place place; /* of the name */
    bool used;
    int depth; /* 0: the root */
    int attribute_count;
    lv_xml_attribute *attributes, *last_attribute;
    struct lv_xml *parent, *first, *last, *next;
} lv_xml;

/* Reads a document. The tree lives in the arena and refers to the source. Text that is
 * not XML is LV_ERR_SYNTAX with line and column, a document that is too large or too deep
 * LV_ERR_LIMIT. */
lv_status lv_xml_read(lv_xml **root, lv_arena *arena, const lv_source *source,
                      lv_error *err);

/* The first child with a name, and the next sibling with the same name; NULL: there is
 * none. */
lv_xml *lv_xml_child(const lv_xml *element, const char *name);
lv_xml *lv_xml_again(const lv_xml *element);

/* The attribute with this name; NULL: there is none. */
lv_xml_attribute *lv_xml_find(const lv_xml *element, const char *name);

#endif
