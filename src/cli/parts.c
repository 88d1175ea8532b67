#include "cli/parts.h"

#include "cli/help.h"
#include "cli/terminal.h"

#include <math.h>
#include <string.h>

bool cli_section_explain(const cli_page *page, const char *name)
{
    lv_section_info info;
    for (int k = 0; lv_section_describe(k, &info); k++) {
        char title[80];
        if (!info.name[0] ||
            (strcmp(info.name, name) != 0 && strcmp(info.one, name) != 0))
            continue;
        snprintf(title, sizeof title, "[%s]", info.name);
        cli_page_title(page, title);
        cli_help_section(page, k, &info);
        return true;
    }
    return false;
}

bool cli_word_explain(const cli_page *page, const char *name)
{
    lv_section_info section;
    lv_word_info word;
    bool found = false;
    for (int k = 0; lv_section_describe(k, &section); k++)
        for (int w = 0; lv_word_describe(k, w, &word); w++) {
            char title[120];
            if (strcmp(word.name, name) != 0)
                continue;
            snprintf(title, sizeof title, "%s, a %s of [%s]", word.name, word.key,
                     section.name);
            cli_page_title(page, title);
            cli_page_text(page, word.doc);
            cli_page_heading(page, 2, section.name);
            if (!page->markdown)
                fputc('\n', page->out);
            cli_help_section(page, k, &section);
            found = true;
        }
    return found;
}

void cli_sections_offer(cli_nearest *nearest)
{
    lv_section_info info;
    lv_word_info word;
    for (int k = 0; lv_section_describe(k, &info); k++) {
        if (info.name[0]) {
            cli_nearest_offer(nearest, info.name);
            cli_nearest_offer(nearest, info.one);
        }
        for (int w = 0; lv_word_describe(k, w, &word); w++)
            cli_nearest_offer(nearest, word.name);
    }
}

void cli_parts_write_text(void)
{
    lv_section_info info;
    int width = 0;
    for (int k = 0; lv_section_describe(k, &info); k++)
        if (info.part && cli_columns(info.name) > width)
            width = cli_columns(info.name);
    for (int k = 0; lv_section_describe(k, &info); k++)
        if (info.part) {
            cli_put_padded(stdout, info.name, width + 2);
            cli_put_wrapped(stdout, info.doc, width + 2, width + 2);
        }
    fputc('\n', stdout);
    cli_put_wrapped(
        stdout, "'livens explain NAME' shows the keys of a part and an example.", 0, 0);
}

/* Writes a bound of a key; bounds that only prevent overflow are left out. */
static void put_bound(cli_json *json, const char *name, const lv_key_info *key,
                      double bound)
{
    const bool given = key->least < 0 || key->most > 0;
    cli_json_put_number(json, name, given && fabs(bound) < 1e300 ? bound : HUGE_VAL);
}

static void put_key(cli_json *json, const lv_key_info *key)
{
    cli_json_open(json, '{');
    cli_json_put_text(json, "name", key->name);
    cli_json_put_text(json, "doc", key->doc);
    cli_json_put_text(json, "type", key->type);
    cli_json_put_bool(json, "required", key->required);
    cli_json_put_text(json, "default", key->fallback);
    cli_json_put_text(json, "unit", key->unit);
    cli_json_put_bool(json, "whole", key->whole);
    put_bound(json, "least", key, key->least);
    put_bound(json, "most", key, key->most);
    cli_json_close(json, '}');
}

void cli_parts_write_json(cli_json *json)
{
    lv_section_info info;
    for (int k = 0; lv_section_describe(k, &info); k++) {
        char example[CLI_EXAMPLE_SIZE];
        lv_key_info key;
        if (!info.part)
            continue;
        cli_help_example(example, sizeof example, &info);
        cli_json_open(json, '{');
        cli_json_put_text(json, "name", info.name);
        cli_json_put_text(json, "one", info.one);
        cli_json_put_text(json, "doc", info.doc);
        cli_json_put_text(json, "shape", info.shape);
        cli_json_key(json, "keys");
        cli_json_open(json, '[');
        for (int i = 0; lv_key_describe(k, i, &key); i++)
            put_key(json, &key);
        cli_json_close(json, ']');
        cli_json_put_text(json, "example", example);
        cli_json_close(json, '}');
    }
}
