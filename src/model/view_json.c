/* A view as JSON. */
#include <livens/view.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct writer {
    char *buffer;
    size_t size, used; /* used counts on beyond the end of the buffer */
} writer;

static void write_formatted(writer *w, const char *format, ...) LV_PRINTF(2, 3);

static void write_formatted(writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t left = w->used < w->size ? w->size - w->used : 0;
    const int length =
        vsnprintf(left > 0 ? w->buffer + w->used : NULL, left, format, args);
    w->used += length > 0 ? (size_t)length : 0;
    va_end(args);
}

/* Names in models consist of letters, digits, _ and -; all other characters are escaped
 * where needed. */
static void write_text(writer *w, const char *key, const char *text)
{
    write_formatted(w, "\"%s\":\"", key);
    for (const char *c = text; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        const int plain = byte >= 0x20 && *c != '"' && *c != '\\' && *c != '<' &&
                          *c != '>' && *c != '&' && byte != 0x7f;
        write_formatted(w, plain ? "%c" : "\\u%04x", byte);
    }
    write_formatted(w, "\"");
}

static void write_numbers(writer *w, const char *key, const double *numbers, int count)
{
    write_formatted(w, ",\"%s\":[", key);
    for (int k = 0; k < count; k++) {
        if (isfinite(numbers[k]))
            write_formatted(w, "%s%.17g", k ? "," : "", numbers[k]);
        else
            write_formatted(w, "%snull", k ? "," : "");
    }
    write_formatted(w, "]");
}

static void write_item(writer *w, const lv_view_item *item)
{
    write_formatted(w, "{");
    write_text(w, "kind", lv_view_kind_name(item->kind));
    write_formatted(w, ",");
    write_text(w, "name", item->name);
    write_formatted(w, ",");
    write_text(w, "section", item->section);
    write_formatted(w, ",");
    write_text(w, "shape", item->shape);
    write_numbers(w, "sizes", item->sizes, item->size_count);
    write_formatted(w, ",\"weight\":%.17g,\"trail\":%s,\"colour\":%d", item->weight,
                    item->trail ? "true" : "false", item->colour);
    write_formatted(w, ",\"rows\":%d,\"columns\":%d,\"count\":%d,\"first\":%d",
                    item->rows, item->columns, item->count, item->first);
    if (item->still)
        write_numbers(w, "still", item->still, item->count);
    write_formatted(w, "}");
}

size_t lv_view_json(const lv_view *view, char *buffer, size_t size)
{
    writer w = {buffer, buffer ? size : 0, 0};
    if (!view) {
        write_formatted(&w, "null");
        return w.used;
    }
    write_formatted(&w, "{\"numbers\":%d,\"guessed\":%s,\"planar\":%s,\"ground\":%s",
                    view->number_count, view->guessed ? "true" : "false",
                    view->planar ? "true" : "false", view->ground ? "true" : "false");
    write_numbers(&w, "up", view->up, 3);
    write_numbers(&w, "gravity", view->gravity, 3);
    write_formatted(&w, ",\"left_out\":%d,\"items\":[", view->left_out);
    for (int k = 0; k < view->item_count; k++) {
        if (k > 0)
            write_formatted(&w, ",");
        write_item(&w, &view->items[k]);
    }
    write_formatted(&w, "]}");
    return w.used;
}
