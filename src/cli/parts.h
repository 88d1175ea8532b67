/* The parts that models are built from, and the other sections of model files. */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "cli/json.h"
#include "cli/nearest.h"
#include "cli/page.h"

/* Explains the section with this name, "springs", or the one whose items have this name,
 * "spring". false if there is none. */
bool cli_section_explain(const cli_page *page, const char *name);

/* Explains a word that the value of a key may be, "revolute", in every section that has
 * it. false if no section has it. */
bool cli_word_explain(const cli_page *page, const char *name);

void cli_sections_offer(cli_nearest *nearest);

/* `livens list parts`: the table, or the items of an array. */
void cli_parts_write_text(void);
void cli_parts_write_json(cli_json *json);

#endif
