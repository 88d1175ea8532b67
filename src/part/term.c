#include "part/term.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- templates ------------------------------------------------------------------------ */

/* The template as a snippet in which every byte has the place of the part. */
static lv_snippet *snippet_of(lv_expansion *x, const char *template)
{
    const lv_place *place = &x->part->place;
    size_t length = strlen(template);
    lv_snippet *snippet = lv_arena_alloc(x->arena, 1, sizeof *snippet);
    size_t *offsets = lv_arena_alloc(x->arena, length + 1, sizeof *offsets);
    const char *text = lv_arena_text(x->arena, template, length);
    if (!snippet || !offsets || !text)
        return NULL;
    for (size_t k = 0; k < length; k++)
        offsets[k] = place->offset;
    offsets[length] = place->offset + place->length;
    *snippet = (lv_snippet){text, (int)length, place->source, place->offset, offsets};
    return snippet;
}

static const lv_hole *find_hole(const lv_hole *holes, const char *name)
{
    for (; holes && holes->name; holes++)
        if (strcmp(holes->name, name) == 0)
            return holes;
    return NULL;
}

typedef struct filling {
    lv_arena *arena;
    const lv_hole *holes;
    int length; /* length of the template */
    bool failed;
} filling;

/* Copies a subtree; every part of the copy has the place of the whole template. */
static lv_syntax *copy_tree(filling *f, const lv_syntax *tree)
{
    lv_syntax *copy = lv_arena_copy(f->arena, tree, 1, sizeof *tree);
    lv_syntax **link = copy ? &copy->first : NULL;
    if (!copy) {
        f->failed = true;
        return NULL;
    }
    copy->start = 0;
    copy->length = f->length;
    for (const lv_syntax *child = tree->first; child; child = child->next) {
        *link = copy_tree(f, child);
        if (!*link)
            return NULL;
        link = &(*link)->next;
    }
    return copy;
}

/* Replaces the name of a part by another one, perhaps with a subscript; the member
 * stays. */
static void put_name(filling *f, lv_syntax *part, const lv_syntax *name)
{
    part->name = name->name;
    part->count = name->count;
    part->first = name->first ? copy_tree(f, name->first) : NULL;
}

/* Fills the holes of a tree. All parts get the place of the whole template, so that
 * messages point to the whole name. */
static void fill_holes(filling *f, lv_syntax *part)
{
    const lv_hole *hole =
        part->kind == LV_SYNTAX_NAME ? find_hole(f->holes, part->name) : NULL;
    if (hole && part->member && !hole->is_name)
        hole = NULL;
    part->start = 0;
    part->length = f->length;
    if (hole && hole->is_name) {
        put_name(f, part, hole->formula.root);
        return;
    }
    if (hole) {
        part->kind = hole->is_point ? LV_SYNTAX_POINT : LV_SYNTAX_FORMULA;
        part->formula = &hole->formula;
    } else if (part->kind == LV_SYNTAX_CALL && strcmp(part->name, "start") == 0) {
        part->kind = LV_SYNTAX_START;
    }
    for (lv_syntax *child = part->first; child; child = child->next)
        fill_holes(f, child);
}

/* Copies the holes, since they must live as long as the tree. */
static lv_status copy_holes(lv_expansion *x, const lv_hole **copy, const lv_hole *holes,
                            lv_error *err)
{
    size_t count = 1;
    *copy = NULL;
    if (!holes)
        return LV_OK;
    for (const lv_hole *hole = holes; hole->name; hole++)
        count++;
    *copy = lv_arena_copy(x->arena, holes, count, sizeof *holes);
    return *copy ? LV_OK : lv_fail_memory(err);
}

lv_status lv_term_formula(lv_expansion *x, lv_formula *formula, const char *template,
                          const lv_hole *holes, lv_error *err)
{
    const lv_hole *kept = NULL;
    const lv_snippet *snippet = snippet_of(x, template);
    if (!snippet)
        return lv_fail_memory(err);
    LV_TRY(copy_holes(x, &kept, holes, err));
    LV_TRY(lv_formula_parse(formula, x->arena, snippet, err));
    lv_syntax *root = lv_arena_copy(x->arena, formula->root, 1, sizeof *root);
    if (!root)
        return lv_fail_memory(err);
    filling f = {x->arena, kept, snippet->length, false};
    fill_holes(&f, root);
    formula->root = root;
    return f.failed ? lv_fail_memory(err) : LV_OK;
}

/* ---- items ---------------------------------------------------------------------------- */

lv_status lv_term_init(lv_expansion *x, lv_item *item, lv_section_id section,
                       const lv_entry *family, lv_error *err)
{
    LV_TRY(
        lv_item_init(item, x->arena, (int)section, x->part->name, x->part->place, err));
    if (family)
        lv_term_set(item, "for", family);
    return LV_OK;
}

lv_status lv_term_member(lv_expansion *x, lv_item *item, lv_section_id section,
                         const char *member, const lv_entry *family, lv_error *err)
{
    LV_TRY(lv_term_init(x, item, section, family, err));
    item->name = lv_term_text(x, "%s.%s", x->part->name, member);
    return item->name ? LV_OK : lv_fail_memory(err);
}

lv_status lv_term_define(lv_expansion *x, const char *member, const lv_entry *family,
                         const char *template, const lv_hole *holes, lv_error *err)
{
    lv_item item;
    LV_TRY(member ? lv_term_member(x, &item, LV_SECTION_DEFINITIONS, member, family, err)
                  : lv_term_init(x, &item, LV_SECTION_DEFINITIONS, family, err));
    LV_TRY(lv_term_write(x, &item, "value", template, holes, err));
    return lv_expansion_add(x, item, err);
}

lv_status lv_term_family(lv_expansion *x, const lv_entry **family, lv_error *err)
{
    const lv_entry *count = lv_item_entry(x->part, "count");
    *family = NULL;
    if (!count)
        return LV_OK;
    lv_entry *entry = lv_arena_alloc(x->arena, 1, sizeof *entry);
    lv_range *range = lv_arena_alloc(x->arena, 1, sizeof *range);
    if (!entry || !range)
        return lv_fail_memory(err);
    *range = (lv_range){.name = "i", .place = count->place, .to = count->formulas[0]};
    *entry = (lv_entry){.place = count->place, .count = 1, .ranges = range};
    *family = entry;
    return lv_term_formula(x, &range->from, "1", NULL, err);
}

void lv_term_set(const lv_item *item, const char *key, const lv_entry *entry)
{
    item->entries[lv_section_key(lv_section_at(item->section), key)] = entry;
}

lv_status lv_term_write(lv_expansion *x, const lv_item *item, const char *key,
                        const char *template, const lv_hole *holes, lv_error *err)
{
    lv_entry *entry = lv_arena_alloc(x->arena, 1, sizeof *entry);
    lv_formula *formula = lv_arena_alloc(x->arena, 1, sizeof *formula);
    if (!entry || !formula)
        return lv_fail_memory(err);
    LV_TRY(lv_term_formula(x, formula, template, holes, err));
    *entry = (lv_entry){.place = x->part->place, .count = 1, .formulas = formula};
    lv_term_set(item, key, entry);
    return LV_OK;
}

const char *lv_term_text(lv_expansion *x, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = lv_arena_alloc(x->arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

lv_status lv_hole_key(lv_expansion *x, lv_hole *hole, const char *key, lv_error *err)
{
    const lv_entry *entry = lv_item_entry(x->part, key);
    *hole = (lv_hole){.name = key};
    return entry ? lv_entry_formula(&hole->formula, entry, x->arena, err) : LV_OK;
}

lv_status lv_hole_self(lv_expansion *x, lv_hole *hole, const char *name, lv_error *err)
{
    const bool is_family = lv_item_entry(x->part, "count") != NULL;
    const char *text = lv_term_text(x, is_family ? "%s_{i}" : "%s", x->part->name);
    *hole = (lv_hole){.name = name, .is_name = true};
    return text ? lv_term_formula(x, &hole->formula, text, NULL, err)
                : lv_fail_memory(err);
}

lv_status lv_hole_write(lv_expansion *x, lv_hole *hole, const char *name,
                        const char *template, const lv_hole *holes, lv_error *err)
{
    lv_formula formula;
    LV_TRY(lv_term_formula(x, &formula, template, holes, err));
    *hole = (lv_hole){.name = name, .formula = formula};
    return LV_OK;
}

lv_status lv_part_refuse(const lv_expansion *x, const char *key, lv_error *err,
                         const char *format, ...)
{
    char text[500];
    const lv_entry *entry = lv_item_entry(x->part, key);
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry ? entry->place : x->part->place),
                      "%s", text);
}

/* ---- demands -------------------------------------------------------------------------- */

static lv_status demand_value(lv_expansion *x, const char *key, const lv_entry *family,
                              lv_check check, lv_error *err)
{
    const lv_section *section = lv_section_at(x->part->section);
    const lv_entry *entry = lv_item_entry(x->part, key);
    lv_hole holes[2] = {{0}};
    if (!entry)
        return LV_OK;
    LV_TRY(lv_hole_key(x, &holes[0], key, err));
    holes[0].name = "value";
    check.kind = LV_CHECK_RANGE;
    check.family = family;
    check.key = &section->keys[lv_section_key(section, key)];
    check.place = entry->place;
    LV_TRY(lv_term_formula(x, &check.formulas[0], "start(value)", holes, err));
    return lv_expansion_check(x, check, err);
}

lv_status lv_demand_range(lv_expansion *x, const char *key, const lv_entry *family,
                          lv_error *err)
{
    return demand_value(x, key, family, (lv_check){0}, err);
}

lv_status lv_demand_constant(lv_expansion *x, const char *key, const lv_entry *family,
                             const char *what, lv_error *err)
{
    return demand_value(x, key, family, (lv_check){.still = what, .timeless = what}, err);
}

lv_status lv_demand_still(lv_expansion *x, const char *key, const char *what,
                          lv_error *err)
{
    return demand_value(x, key, NULL, (lv_check){.still = what}, err);
}

/* ---- two ends ------------------------------------------------------------------------- */

lv_status lv_ends_read(lv_expansion *x, lv_hole *a, lv_hole *b, lv_error *err)
{
    const lv_entry *between = lv_item_entry(x->part, "between");
    char name[160];
    *a = (lv_hole){.name = "a", .formula = between->formulas[0], .is_point = true};
    *b = (lv_hole){.name = "b", .formula = between->formulas[1], .is_point = true};
    lv_check check = {.kind = LV_CHECK_ENDS,
                      .formulas = {a->formula, b->formula},
                      .place = between->place,
                      .hint = "an end is the name of a particle or of a coordinate, or a "
                              "fixed point: [0, 0, 1]"};
    check.text =
        lv_term_text(x, "the ends of %s do not fit", lv_item_describe(x->part, name));
    return check.text ? lv_expansion_check(x, check, err) : lv_fail_memory(err);
}

lv_status lv_ends_apart(lv_expansion *x, const lv_hole *holes, const char *hint,
                        lv_error *err)
{
    char name[160];
    lv_check check = {.kind = LV_CHECK_POSITIVE,
                      .family = lv_item_entry(x->part, "for"),
                      .place = lv_item_entry(x->part, "between")->place,
                      .hint = hint};
    check.text = lv_term_text(x, "the ends of %s coincide at the start",
                              lv_item_describe(x->part, name));
    if (!check.text)
        return lv_fail_memory(err);
    LV_TRY(lv_term_formula(x, &check.formulas[0], "start(norm2(b - a))", holes, err));
    return lv_expansion_check(x, check, err);
}
