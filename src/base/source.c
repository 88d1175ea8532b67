#include "base/source.h"

size_t lv_snippet_offset(const lv_snippet *snippet, int i)
{
    if (i < 0)
        i = 0;
    if (i > snippet->length)
        i = snippet->length;
    return snippet->offsets ? snippet->offsets[i] : snippet->start + (size_t)i;
}

void lv_source_position(const lv_source *source, size_t offset, int *line, int *column)
{
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset && i < source->size; i++) {
        unsigned char c = (unsigned char)source->text[i];
        if (c == '\n') {
            ++*line;
            *column = 1;
        } else if ((c & 0xC0) != 0x80) { /* not a UTF-8 continuation byte */
            ++*column;
        }
    }
}
