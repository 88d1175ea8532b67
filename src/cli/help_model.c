/* What a model file may contain, from the library's table of sections and keys. */
#include "cli/help.h"

#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

enum { FACTS_SIZE = 400 };

static bool has_range(const lv_key_info *key)
{
    return key->least < 0 || key->most > 0;
}

/* Limits that only prevent overflow are not shown. */
static bool is_huge(double bound)
{
    return bound >= 1e300;
}
static bool is_tiny(double bound)
{
    return bound > 0 && bound <= 1e-300;
}

static void range_text(char *buffer, size_t size, const lv_key_info *key)
{
    buffer[0] = '\0';
    if (!has_range(key))
        return;
    if (is_tiny(key->least) && is_huge(key->most))
        snprintf(buffer, size, "positive");
    else if (is_huge(key->most))
        snprintf(buffer, size, "at least %.10g", key->least);
    else
        snprintf(buffer, size, "%.10g to %.10g", key->least, key->most);
}

/* "a number or a formula in quotes; a whole number, 1 to 20; in s; default 1" */
static void facts_text(char *buffer, size_t size, const lv_key_info *key)
{
    char range[80];
    range_text(range, sizeof range, key);
    snprintf(buffer, size, "%s%s%s%s%s%s%s%s%s", key->type,
             key->whole ? "; a whole number" : "",
             range[0] ? (key->whole ? ", " : "; ") : "", range, key->unit ? "; in " : "",
             key->unit ? key->unit : "", key->required ? "; required" : "",
             key->fallback ? "; default " : "", key->fallback ? key->fallback : "");
}

static void write_key(const cli_page *page, const lv_key_info *key)
{
    enum { COLUMN = 20 };
    char facts[FACTS_SIZE];
    facts_text(facts, sizeof facts, key);
    fputs("  ", page->out);
    cli_put_padded(page->out, key->name, COLUMN - 2);
    cli_put_wrapped(page->out, key->doc, COLUMN, COLUMN);
    fprintf(page->out, "%*s(", COLUMN, "");
    size_t length = strlen(facts);
    snprintf(facts + length, sizeof facts - length, ")");
    cli_put_wrapped(page->out, facts, COLUMN + 1, COLUMN + 1);
}

static void write_markdown_key(const cli_page *page, const lv_key_info *key)
{
    char facts[FACTS_SIZE];
    facts_text(facts, sizeof facts, key);
    fputs("| ", page->out);
    cli_markdown_put_code(page->out, key->name);
    fputs(" | ", page->out);
    cli_markdown_put(page->out, key->doc);
    fputs(" | ", page->out);
    cli_markdown_put(page->out, facts);
    fputs(" |\n", page->out);
}

static void write_keys(const cli_page *page, int section)
{
    lv_key_info key;
    if (page->markdown)
        fputs("| key | meaning | takes |\n|---|---|---|\n", page->out);
    for (int k = 0; lv_key_describe(section, k, &key); k++)
        if (page->markdown)
            write_markdown_key(page, &key);
        else
            write_key(page, &key);
    fputc('\n', page->out);
}

/* Writes the meanings of the words that keys accept. */
static void write_words(const cli_page *page, int section)
{
    enum { MOST_WORDS = 32 };
    cli_row rows[MOST_WORDS];
    lv_word_info word, next;
    int n = 0;
    for (int w = 0; n < MOST_WORDS && lv_word_describe(section, w, &word); w++) {
        rows[n++] = (cli_row){word.name, word.doc};
        if (lv_word_describe(section, w + 1, &next) && strcmp(next.key, word.key) == 0)
            continue;
        cli_page_rows(page, word.key, "meaning", rows, n);
        n = 0;
    }
}

/* An example that does not begin with a table header gets the header of the section. */
void cli_help_example(char *buffer, size_t size, const lv_section_info *section)
{
    if (section->name[0] && section->example[0] != '[')
        snprintf(buffer, size, "[%s]\n%s", section->name, section->example);
    else
        snprintf(buffer, size, "%s", section->example);
}

void cli_help_section(const cli_page *page, int k, const lv_section_info *section)
{
    char shape[200];
    cli_page_text(page, section->doc);
    snprintf(shape, sizeof shape, "Written as %s.", section->shape);
    cli_page_text(page, shape);
    write_keys(page, k);
    write_words(page, k);
    if (section->example) {
        char example[CLI_EXAMPLE_SIZE];
        cli_help_example(example, sizeof example, section);
        cli_page_code(page, "toml", example);
    }
}

static void write_section(const cli_page *page, int k, const lv_section_info *section)
{
    char heading[80];
    snprintf(heading, sizeof heading,
             section->name[0] ? "[%s]" : "before the first section%s", section->name);
    cli_page_heading(page, 2, heading);
    cli_help_section(page, k, section);
}

void cli_help_model(const cli_page *page)
{
    cli_page_title(page, "Model files");
    cli_page_text(
        page,
        "A model file is TOML 1.0. Formulas stand in quotes (`livens help functions` "
        "describes them), numbers may stand without. The order of sections does not "
        "matter. Every name is used for one thing only; unknown keys are errors.");
    lv_section_info section;
    for (int k = 0; lv_section_describe(k, &section); k++)
        write_section(page, k, &section);
}
