/* Reads a model and freezes it: names, values, coordinates, kernels, in this order. */
#include "model/model.h"

#include <livens/livens.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/usage.h"
#include "model/columns.h"
#include "model/event.h"
#include "model/external.h"
#include "model/footprint.h"
#include "model/hamiltonian.h"
#include "model/revalue.h"
#include "model/shipped.h"
#include "model/sweep.h"
#include "model/turns.h"
#include "model/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- freezing ------------------------------------------------------------------------- */

static lv_status collect_name(lv_model *m, const lv_item *item, lv_error *err)
{
    switch ((int)item->section) {
    case LV_SECTION_PARAMETERS:
        LV_TRY(
            lv_names_add(&m->names, item, LV_NAME_PARAMETER, m->parameters.count, err));
        return LV_PUSH(m->parameters, ((lv_parameter){.item = item}))
                   ? LV_OK
                   : lv_fail_memory(err);
    case LV_SECTION_INPUTS:
        LV_TRY(lv_names_add(&m->names, item, LV_NAME_INPUT, m->inputs.count, err));
        return LV_PUSH(m->inputs, ((lv_model_input){.item = item})) ? LV_OK
                                                                    : lv_fail_memory(err);
    case LV_SECTION_DEFINITIONS:
        LV_TRY(
            lv_names_add(&m->names, item, LV_NAME_DEFINITION, m->definitions.count, err));
        return LV_PUSH(m->definitions, ((lv_definition){.item = item}))
                   ? LV_OK
                   : lv_fail_memory(err);
    case LV_SECTION_VIEW_POINTS:
        return lv_view_define_point(m, item, err);
    case LV_SECTION_COORDINATES:
        LV_TRY(lv_names_add(&m->names, item, LV_NAME_COORDINATE, m->groups.count, err));
        return LV_PUSH(m->groups, ((lv_group){.item = item})) ? LV_OK
                                                              : lv_fail_memory(err);
    default:
        return LV_OK;
    }
}

lv_status lv_model_collect_names(lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->declarations.items.count; k++)
        LV_TRY(collect_name(m, &m->declarations.items.data[k], err));
    return lv_model_name_momenta(m, err);
}

/* Whether a text can follow the name of a family: a number or a parameter. */
static bool is_member_suffix(const lv_model *m, const char *suffix, int length)
{
    if (length > 0 && (int)strspn(suffix, "0123456789") >= length)
        return true;
    const lv_name *name = lv_names_find(&m->names, suffix, length);
    return name && name->kind == LV_NAME_PARAMETER;
}

/* Whether the family has a member with the number at the start of the text. If a
 * parameter is there instead, the answer is true. */
static bool has_member(const lv_model *m, const lv_name *family, const char *text)
{
    if (strspn(text, "0123456789") == 0)
        return true;
    const double number = strtod(text, NULL);
    if (family->kind == LV_NAME_DEFINITION) {
        const lv_definition *d = &m->definitions.data[family->index];
        return number >= d->first && number <= d->last;
    }
    return number >= 1 && number <= m->groups.data[family->index].count;
}

/* The family that this name would be a member of: q for q_1, rod.angle for rod_1.angle.
 * NULL: there is none. A part may have the name rod_9 if the family rod has no
 * member 9. */
static const lv_name *family_of(const lv_model *m, const char *text)
{
    const int length = (int)strcspn(text, ".");
    int cut = length;
    while (cut > 0 && text[cut - 1] != '_')
        cut--;
    if (cut < 2 || !is_member_suffix(m, text + cut, length - cut))
        return NULL;
    const char *member = text[length] == '.' ? text + length + 1 : NULL;
    const lv_name *base = lv_names_find_member(&m->names, text, cut - 1, member);
    if (!base || !lv_model_is_family(m, base))
        return NULL;
    return !member || has_member(m, base, text + cut) ? base : NULL;
}

static lv_status hides_member(const lv_name *name, const lv_name *family, lv_error *err)
{
    const int length = (int)strcspn(name->text, ".");
    lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(name->place),
                                  "'%s' would hide a member of the family '%s'",
                                  name->text, family->text);
    if (name->text[length] == '.')
        lv_error_hint(err, "give what is called '%.*s' here another name", length,
                      name->text);
    return status;
}

/* Fails if a name such as q_1 hides the member of a family q, or if a name i hides the
 * index of start values. */
static lv_status check_hidden_members(const lv_model *m, lv_error *err)
{
    bool starts = false;
    for (int k = 0; k < m->groups.count; k++)
        starts |= m->groups.data[k].is_family;
    for (int k = 0; k < m->names.list.count; k++) {
        const lv_name *name = &m->names.list.data[k];
        const lv_name *family = family_of(m, name->text);
        if (starts && strcmp(name->text, "i") == 0)
            return lv_fail_at(err, LV_ERR_MODEL, LV_AT(name->place),
                              "'i' is the index in the start values of families; choose "
                              "another name");
        if (family)
            return hides_member(name, family, err);
    }
    return LV_OK;
}

/* Fails if a coordinate occurs neither in the energy nor in a constraint nor in a
 * force. */
static lv_status check_all_used(const lv_model *m, lv_error *err)
{
    unsigned char *used = lv_memory_zeroed((size_t)m->coordinate_count, 1);
    if (!used)
        return lv_fail_memory(err);
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (kernel->role == LV_ROLE_SYMMETRY || lv_role_is_result(kernel->role))
            continue;
        for (int i = 0; i < kernel->instance_count; i++)
            for (int s = 0; s < kernel->slot_count; s++)
                memset(
                    used +
                        kernel->where[(size_t)i * (size_t)kernel->slot_count + (size_t)s],
                    1, (size_t)kernel->slots[s].length);
    }
    int lonely = 0;
    while (lonely < m->coordinate_count && used[lonely])
        lonely++;
    lv_memory_free(used);
    if (lonely == m->coordinate_count)
        return LV_OK;

    char name[160];
    const lv_group *group = m->groups.data;
    for (int k = 0; k < m->groups.count; k++)
        if (m->groups.data[k].first <= lonely)
            group = &m->groups.data[k];
    lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(group->item->place),
                                  "'%s' occurs in no energy, constraint or force",
                                  lv_model_coordinate_text(m, lonely, name, sizeof name));
    lv_error_hint(err, "nothing says how it moves; remove it or add its kinetic energy");
    return status;
}

static lv_status check_energy(const lv_model *m, lv_error *err)
{
    if (m->row_count[LV_ROLE_KINETIC] > 0 || m->row_count[LV_ROLE_LAGRANGIAN] > 0)
        return LV_OK;
    lv_status status =
        lv_model_fail(m, err, "the model has no kinetic energy and no Lagrangian");
    lv_error_hint(err, "[energy] kinetic = \"m/2*x'^2\"");
    return status;
}

static lv_status read_initial(lv_model *m, const lv_entry *entry, lv_error *err)
{
    m->run.project = strcmp(entry->text, "project") == 0;
    if (m->run.project || strcmp(entry->text, "check") == 0)
        return LV_OK;
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                      "'initial' is \"check\" or \"project\", not \"%s\"", entry->text);
}

static lv_status unknown_choice(const lv_entry *entry, const lv_option_info *option,
                                lv_error *err)
{
    char list[200] = "";
    for (int k = 0; option->choices[k]; k++) {
        size_t used = strlen(list);
        const char *before = k == 0 ? "" : option->choices[k + 1] ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s\"%s\"", before, option->choices[k]);
    }
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place), "'%s' is %s, not \"%s\"",
                      option->name, list, entry->text);
}

static lv_status read_option(lv_model *m, const lv_item *item, lv_option option,
                             lv_error *err)
{
    lv_option_info info;
    double value = 0;
    (void)lv_option_describe((int)option, &info);
    const lv_entry *entry = lv_item_entry(item, info.name);
    if (!entry)
        return LV_OK;
    if (info.kind == LV_OPTION_IS_FLAG)
        value = entry->is_true;
    else if (info.kind != LV_OPTION_IS_CHOICE)
        LV_TRY(lv_model_evaluate_key(m, &value, item, info.name, false, err));
    else if (!lv_option_parse(option, entry->text, &value))
        return unknown_choice(entry, &info, err);
    lv_scheme_option_set(&m->run.options, option, value);
    return LV_OK;
}

static lv_status read_run_number(lv_model *m, double *number, const lv_item *item,
                                 const char *key, lv_error *err)
{
    LV_TRY(lv_model_evaluate_key(m, number, item, key, false, err));
    lv_evaluations_store(m, number);
    return LV_OK;
}

static lv_status read_run_options(lv_model *m, const lv_item *item, lv_error *err)
{
    const lv_entry *scheme = lv_item_entry(item, "scheme");
    double number = 0;
    if (scheme)
        m->run.scheme = scheme->text;
    if (lv_item_entry(item, "step"))
        LV_TRY(read_run_number(m, &m->run.step, item, "step", err));
    m->run.ends = lv_item_entry(item, "until") != NULL;
    if (m->run.ends)
        LV_TRY(read_run_number(m, &m->run.until, item, "until", err));
    if (lv_item_entry(item, "every")) {
        LV_TRY(lv_model_evaluate_key(m, &number, item, "every", false, err));
        m->run.every = (int)number;
    }
    if (lv_item_entry(item, "sample"))
        LV_TRY(read_run_number(m, &m->run.sample, item, "sample", err));
    if (lv_item_entry(item, "initial"))
        LV_TRY(read_initial(m, lv_item_entry(item, "initial"), err));
    for (int k = 0; k < LV_OPTIONS; k++)
        LV_TRY(read_option(m, item, (lv_option)k, err));
    return LV_OK;
}

static lv_status read_loose_keys(lv_model *m, lv_error *err)
{
    m->title = m->source.name;
    for (int k = 0; k < m->declarations.items.count; k++) {
        const lv_item *item = &m->declarations.items.data[k];
        if (item->section == LV_SECTION_RUN)
            LV_TRY(read_run_options(m, item, err));
        if (item->section != LV_SECTION_MODEL)
            continue;
        if (lv_item_entry(item, "name"))
            m->title = lv_item_entry(item, "name")->text;
        if (lv_item_entry(item, "description"))
            m->description = lv_item_entry(item, "description")->text;
    }
    return LV_OK;
}

static lv_status freeze(lv_model *m, lv_error *err)
{
    LV_TRY(lv_model_collect_names(m, err));
    LV_TRY(lv_model_evaluate_parameters(m, err));
    LV_TRY(lv_model_evaluate_inputs(m, err));
    LV_TRY(lv_model_place_definitions(m, err));
    LV_TRY(lv_model_place_coordinates(m, err));
    LV_TRY(check_hidden_members(m, err));
    LV_TRY(lv_model_check_definitions(m, err));
    LV_TRY(lv_model_check_shapes(m, err));
    LV_TRY(lv_model_build_kernels(m, err));
    LV_TRY(lv_hamiltonian_convert(m, err));
    LV_TRY(lv_model_trace_inputs(m, err));
    LV_TRY(lv_model_place_turns(m, err));
    LV_TRY(lv_model_place_multipliers(m, err));
    LV_TRY(lv_model_check_values(m, err));
    LV_TRY(lv_model_find_visible(m, err));
    LV_TRY(check_energy(m, err));
    LV_TRY(check_all_used(m, err));
    LV_TRY(read_loose_keys(m, err));
    LV_TRY(lv_model_read_events(m, err));
    LV_TRY(lv_model_read_sweep(m, err));
    LV_TRY(lv_model_check_columns(m, err));
    return lv_model_build_view(m, err);
}

/* ---- reading ---------------------------------------------------------------------------- */

static lv_status copy_source(lv_model *m, const lv_source *source, lv_error *err)
{
    m->source.name = lv_arena_text(&m->arena, source->name, strlen(source->name));
    m->source.text = lv_arena_text(&m->arena, source->text, source->size);
    m->source.size = source->size;
    return m->source.name && m->source.text ? LV_OK : lv_fail_memory(err);
}

/* Stores the settings as lines name=value, so that a run can be repeated. */
static lv_status keep_settings(lv_model *m, const lv_setting *settings, int count,
                               lv_error *err)
{
    lv_text text = {0};
    for (int k = 0; k < count; k++)
        lv_text_append(&text, "%s=%s%c", settings[k].name, settings[k].value, '\0');
    for (int i = 0; i < text.count; i++) /* a line break in a value becomes a blank */
        text.data[i] = text.data[i] == '\n'   ? ' '
                       : text.data[i] == '\0' ? '\n'
                                              : text.data[i];
    m->settings_text = text.failed ? NULL
                                   : lv_arena_text(&m->arena, text.data ? text.data : "",
                                                   (size_t)text.count);
    lv_text_done(&text);
    return m->settings_text ? LV_OK : lv_fail_memory(err);
}

lv_status lv_settings_parse(lv_setting **settings, int *count, lv_arena *arena,
                            const char *text, lv_error *err)
{
    char *copy = lv_arena_text(arena, text, strlen(text));
    int lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    *settings = lv_arena_alloc(arena, (size_t)lines + 1, sizeof **settings);
    *count = 0;
    if (!copy || !*settings)
        return lv_fail_memory(err);
    for (char *line = copy; *count < lines; (*count)++) {
        char *end = strchr(line, '\n'), *equals = strchr(line, '=');
        if (!end || !equals || equals > end)
            return lv_fail(err, LV_ERR_IO, "the settings stored in the file are damaged");
        *end = *equals = '\0';
        (*settings)[*count] = (lv_setting){line, equals + 1};
        line = end + 1;
    }
    return LV_OK;
}

static bool is_external(const lv_setting *setting)
{
    return strcmp(setting->name, LV_EXTERNAL_SETTING) == 0;
}

/* Adds declarations that are in no file; the text is copied. */
static lv_status add_declarations(lv_model *m, const lv_text *text, lv_error *err)
{
    lv_toml *root = NULL;
    const int first = m->declarations.items.count;
    lv_source *source = lv_arena_alloc(&m->arena, 1, sizeof *source);
    if (!source)
        return lv_fail_memory(err);
    *source = (lv_source){
        .name = LV_EXTERNAL_SETTING,
        .text = lv_arena_text(&m->arena, text->data, (size_t)text->count),
        .size = (size_t)text->count,
    };
    if (!source->text)
        return lv_fail_memory(err);
    LV_TRY(lv_toml_read(&root, &m->arena, source, err));
    LV_TRY(lv_declarations_read(&m->declarations, root, source, err));
    lv_external_rename(&m->declarations, first);
    return LV_OK;
}

/* Declares external forces for the sizes that the model has without them. */
static lv_status declare_external(lv_model *m, const lv_setting *settings, int count,
                                  lv_error *err)
{
    lv_text text = {0};
    lv_model *without = NULL;
    lv_setting *others = lv_arena_alloc(&m->arena, (size_t)count, sizeof *others);
    int kept = 0;
    if (!others)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        if (!is_external(&settings[k]))
            others[kept++] = settings[k];
    LV_TRY(lv_model_parse(&without, m->source.name, m->source.text, m->source.size,
                          others, kept, err));
    lv_status status = lv_external_declare(&text, without, err);
    if (status == LV_OK)
        status = add_declarations(m, &text, err);
    lv_text_done(&text);
    lv_model_free(without);
    m->takes_external = true;
    return status;
}

static lv_status read_and_freeze(lv_model *m, const lv_setting *settings, int count,
                                 lv_error *err)
{
    lv_toml *root = NULL;
    bool external = false;
    m->declarations.arena = &m->arena;
    LV_TRY(lv_toml_read(&root, &m->arena, &m->source, err));
    LV_TRY(lv_declarations_read(&m->declarations, root, &m->source, err));
    for (int k = 0; k < count; k++)
        if (is_external(&settings[k]))
            external = true;
        else
            LV_TRY(lv_declarations_set(&m->declarations, settings[k].name,
                                       settings[k].value, err));
    LV_TRY(keep_settings(m, settings, count, err));
    if (external)
        LV_TRY(declare_external(m, settings, count, err));
    LV_TRY(lv_declarations_expand(&m->declarations, err));
    return freeze(m, err);
}

static lv_status check_settings(const char *function, const lv_setting *settings,
                                int count, lv_error *err)
{
    LV_TRY(lv_need_count(err, function, "setting_count", count));
    if (count > 0 && !settings)
        return lv_fail_null(err, function, "settings");
    for (int k = 0; k < count; k++)
        if (!settings[k].name || !settings[k].value)
            return lv_fail_null(err, function, "a name or value of the settings");
    return LV_OK;
}

/* revaluable: what is evaluated is kept (revalue.h). */
static lv_status parse(lv_model **model, const lv_source *source,
                       const lv_setting *settings, int setting_count, bool revaluable,
                       lv_error *err)
{
    lv_model *m = lv_memory_zeroed(1, sizeof *m);
    if (!m)
        return lv_fail_memory(err);
    lv_status status = copy_source(m, source, err);
    if (status == LV_OK && revaluable)
        status = lv_evaluations_create(m, err);
    if (status == LV_OK)
        status = read_and_freeze(m, settings, setting_count, err);
    if (status == LV_OK)
        status = lv_evaluations_settle(m, err);
    status = lv_model_settle(m, status, err);
    if (status == LV_OK)
        *model = m;
    else
        lv_model_free(m);
    return status;
}

lv_status lv_model_parse(lv_model **model, const char *name, const char *text,
                         size_t size, const lv_setting *settings, int setting_count,
                         lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    *model = NULL;
    LV_NEED(err, name);
    LV_NEED(err, text);
    LV_TRY(check_settings(__func__, settings, setting_count, err));
    const lv_source source = {name, text, size};
    return parse(model, &source, settings, setting_count, false, err);
}

lv_status lv_model_read_revaluable(lv_model **result, const lv_model *m,
                                   const lv_setting *settings, int count, lv_error *err)
{
    *result = NULL;
    return lv_hamiltonian_first(&m->declarations) || m->events.count > 0 ||
                   m->takes_external
               ? LV_OK
               : parse(result, &m->source, settings, count, true, err);
}

static lv_status read_with(lv_model **result, const lv_model *m,
                           const lv_setting *setting, lv_arena *arena, lv_error *err)
{
    lv_setting *old = NULL;
    int count = 0, kept = 0;
    LV_TRY(lv_settings_parse(&old, &count, arena, m->settings_text, err));
    lv_setting *all = lv_arena_alloc(arena, (size_t)count + 1, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        if (strcmp(old[k].name, setting->name) != 0)
            all[kept++] = old[k];
    all[kept++] = *setting;
    return lv_model_parse(result, m->source.name, m->source.text, m->source.size, all,
                          kept, err);
}

lv_status lv_model_read_again(lv_model **result, const lv_model *m,
                              const lv_setting *setting, lv_error *err)
{
    lv_arena arena = {0};
    const lv_status status = read_with(result, m, setting, &arena, err);
    lv_arena_done(&arena);
    return status;
}

static lv_status no_such_file(const char *path, int reason, lv_error *err)
{
    lv_status status =
        lv_fail(err, LV_ERR_IO, "cannot read '%s': %s", path, strerror(reason));
    lv_nearest nearest;
    lv_nearest_start(&nearest, path);
    for (const lv_shipped_entry *e = lv_shipped_table; e->name; e++)
        lv_nearest_offer(&nearest, e->name);
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "did you mean the shipped model '%s'?", best);
    else
        lv_error_hint(err, "'livens list models' shows the models that come with livens");
    return status;
}

lv_status lv_model_read(lv_model **model, const char *path, const lv_setting *settings,
                        int setting_count, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    *model = NULL;
    LV_NEED(err, path);
    LV_TRY(check_settings(__func__, settings, setting_count, err));
    errno = 0;
    FILE *file = fopen(path, "rb");
    int reason = errno;
    const char *shipped = file ? NULL : lv_shipped_text(path);
    if (shipped)
        return lv_model_parse(model, path, shipped, strlen(shipped), settings,
                              setting_count, err);
    if (!file)
        return no_such_file(path, reason, err);

    char *text = NULL;
    size_t size = 0;
    lv_status status = lv_file_read(file, &text, &size, LV_TOML_MOST_BYTES, path, err);
    (void)fclose(file); /* nothing was written */
    if (status == LV_OK)
        status = lv_model_parse(model, path, text, size, settings, setting_count, err);
    lv_memory_free(text);
    return status;
}
