/* Reads many TOML documents and prints each as one line of tagged JSON, for comparison
 * with another reader.
 *
 * Input: for each document its length in bytes as a decimal number, a newline, the bytes.
 * Output: for each document {"type": ..., "value": ...} in place of every scalar; or
 * "error". */
#include "toml/toml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_string(const char *text, int length)
{
    putchar('"');
    for (int i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 32 || c == 127)
            printf("\\u%04x", (unsigned)c);
        else if (c == '"' || c == '\\')
            printf("\\%c", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_number(double value)
{
    if (isnan(value))
        printf("nan");
    else
        printf("%.17g", value);
}

static void print_time(const lv_toml *node)
{
    const lv_toml_time *t = &node->time;
    if (node->kind != LV_TOML_LOCAL_TIME)
        printf("%04d-%02d-%02d", t->year, t->month, t->day);
    if (node->kind == LV_TOML_LOCAL_DATE)
        return;
    printf("T%02d:%02d:%02d.%06d", t->hour, t->minute, t->second, t->microsecond);
    if (node->kind == LV_TOML_OFFSET_DATETIME)
        printf("%+d", t->offset);
}

static const char *type_tag(lv_toml_kind kind)
{
    switch (kind) {
    case LV_TOML_BOOLEAN:
        return "bool";
    case LV_TOML_OFFSET_DATETIME:
        return "datetime";
    case LV_TOML_LOCAL_DATETIME:
        return "datetime-local";
    case LV_TOML_LOCAL_DATE:
        return "date-local";
    case LV_TOML_LOCAL_TIME:
        return "time-local";
    case LV_TOML_STRING:
    case LV_TOML_INTEGER:
    case LV_TOML_FLOAT:
    case LV_TOML_ARRAY:
    case LV_TOML_TABLE:
        break;
    }
    return lv_toml_kind_name(kind);
}

static void print_scalar(const lv_toml *node)
{
    printf("{\"type\":\"%s\",\"value\":", type_tag(node->kind));
    if (node->kind == LV_TOML_STRING) {
        print_string(node->string.text, node->string.length);
        putchar('}');
        return;
    }
    putchar('"');
    if (node->kind == LV_TOML_INTEGER)
        printf("%lld", node->integer);
    else if (node->kind == LV_TOML_FLOAT)
        print_number(node->number);
    else if (node->kind == LV_TOML_BOOLEAN)
        printf("%s", node->boolean ? "true" : "false");
    else
        print_time(node);
    printf("\"}");
}

/* At most LV_TOML_MOST_DEPTH calls deep. */
static void print_node(const lv_toml *node)
{
    if (node->kind != LV_TOML_ARRAY && node->kind != LV_TOML_TABLE) {
        print_scalar(node);
        return;
    }
    bool table = node->kind == LV_TOML_TABLE;
    putchar(table ? '{' : '[');
    for (const lv_toml *child = node->first; child; child = child->next) {
        if (child != node->first)
            putchar(',');
        if (table) {
            print_string(child->key.text, child->key.length);
            putchar(':');
        }
        print_node(child);
    }
    putchar(table ? '}' : ']');
}

static int convert(char *text, size_t size)
{
    lv_source source = {.name = "document", .text = text, .size = size};
    lv_arena arena = {0};
    lv_error err;
    lv_toml *root = NULL;
    lv_status status = lv_toml_read(&root, &arena, &source, &err);
    if (status == LV_OK)
        print_node(root);
    else
        printf("error");
    putchar('\n');
    lv_arena_done(&arena);
    return status == LV_ERR_MEMORY;
}

int main(void)
{
    size_t size = 0;
    while (scanf("%zu", &size) == 1) {
        /* No byte more than the document has, so that reading beyond it shows. */
        char *text = size > 0 ? malloc(size) : NULL;
        if (getchar() != '\n' || (size > 0 && !text) ||
            fread(text, 1, size, stdin) != size) {
            fprintf(stderr, "the input does not hold %zu bytes\n", size);
            free(text);
            return 1;
        }
        int out_of_memory = convert(text, size);
        free(text);
        if (out_of_memory)
            return 1;
    }
    return 0;
}
