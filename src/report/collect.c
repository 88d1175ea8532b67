#include "report/collect.h"

#include "report/pack.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 4096, ROWS_LEAST = 256, FRAMES_LEAST = 64 };

/* ---- choice of columns ------------------------------------------------------------------------ */

/* What the watch shows of the columns of a channel. */
typedef struct rule {
    const char *channel;
    bool values, sizes, changes;
    bool and_columns; /* its columns are in the table `columns`, too */
} rule;

static const rule rules[] = {
    {"energy", true, false, false, false},      {"balance", false, true, false, true},
    {"invariant", false, false, true, true},    {"momentum", false, false, true, true},
    {"constraints", false, true, false, false}, {"legendre", false, true, false, false},
    {"newton", true, false, false, false},
};

enum { RULES = sizeof rules / sizeof rules[0] };

static const rule *find_rule(const lv_channel *channel)
{
    for (int k = 0; k < RULES; k++)
        if (strcmp(rules[k].channel, channel->name) == 0)
            return &rules[k];
    return NULL;
}

static lv_status pick(lv_collector *c, lv_column_list *list, const lv_channel *channel,
                      int index, lv_watched what, lv_error *err)
{
    char label[512];
    label[0] = '\0';
    channel->label(channel->user, index, label, sizeof label);
    const char *name = lv_arena_text(&c->arena, label, strlen(label));
    if (!name)
        return lv_fail_memory(err);
    list->items[list->count++] =
        (lv_picked_column){channel, index, what, name, (double)NAN};
    return LV_OK;
}

static lv_status pick_watched(lv_collector *c, const lv_channel *channel, int index,
                              const rule *r, lv_error *err)
{
    if (r->values)
        LV_TRY(pick(c, &c->watch, channel, index, LV_WATCHED_VALUE, err));
    if (r->sizes)
        LV_TRY(pick(c, &c->watch, channel, index, LV_WATCHED_SIZE, err));
    if (r->changes)
        LV_TRY(pick(c, &c->watch, channel, index, LV_WATCHED_CHANGE, err));
    return LV_OK;
}

/* The total energy is in both tables. */
static bool is_total_energy(const lv_channel *channel, int index)
{
    char label[512] = "";
    return strcmp(channel->name, "energy") == 0 &&
           strcmp(channel->label(channel->user, index, label, sizeof label), "E") == 0;
}

static lv_status pick_all(lv_collector *c, lv_error *err)
{
    for (int k = 1; k < c->channels->count; k++) {
        const lv_channel *channel = &c->channels->list[k];
        const rule *r = find_rule(channel);
        for (int i = 0; i < channel->width && channel->values; i++) {
            if (r)
                LV_TRY(pick_watched(c, channel, i, r, err));
            if (is_total_energy(channel, i))
                LV_TRY(pick(c, &c->watch, channel, i, LV_WATCHED_CHANGE, err));
            if (!r || r->and_columns)
                LV_TRY(pick(c, &c->columns, channel, i, LV_WATCHED_VALUE, err));
        }
    }
    return LV_OK;
}

static lv_status make_list(lv_collector *c, lv_column_list *list, lv_error *err)
{
    size_t count = 4;
    for (int k = 1; k < c->channels->count; k++)
        count += 3 * (size_t)c->channels->list[k].width;
    list->items = lv_arena_alloc(&c->arena, count, sizeof *list->items);
    list->row = lv_arena_alloc(&c->arena, count, sizeof *list->row);
    return list->items && list->row ? LV_OK : lv_fail_memory(err);
}

/* ---- numbers of rows -------------------------------------------------------------------------- */

/* Estimated bytes of text per number of a smooth column; if it is more, tables are
 * thinned when they are written. */
static const double bytes_of_number = 1.25;

/* The number of rows of `width` numbers that fit into so many bytes. */
static int rows_in(double bytes, int width, int least)
{
    const double rows = bytes / (bytes_of_number * (width > 0 ? width : 1));
    const int room = rows < ROWS_MOST ? (int)rows : ROWS_MOST;
    return (room > least ? room : least) / 2 * 2;
}

/* Drops columns from the end that could not have some hundred rows each. */
static void limit_columns(lv_collector *c, double bytes)
{
    const double most = bytes / (bytes_of_number * ROWS_LEAST);
    if (c->columns.count <= most)
        return;
    c->left_out = c->columns.count - (int)most;
    c->columns.count = (int)most;
}

static lv_status make_tables(lv_collector *c, lv_error *err)
{
    const double budget = (double)c->budget;
    const double view = c->frame_size > 0 ? 0.4 * budget : 0;
    const double watch = 0.2 * budget, columns = budget - view - watch;
    limit_columns(c, columns);
    LV_TRY(lv_thin_init(&c->watch.thin, c->watch.count,
                        rows_in(watch, 3 * c->watch.count, ROWS_LEAST), true, err));
    LV_TRY(lv_thin_init(&c->columns.thin, c->columns.count,
                        rows_in(columns, c->columns.count, ROWS_LEAST), false, err));
    return lv_thin_init(&c->view, c->frame_size,
                        rows_in(view, c->frame_size, FRAMES_LEAST), false, err);
}

lv_status lv_collector_init(lv_collector *c, const lv_channels *channels, int frame_size,
                            size_t budget, lv_error *err)
{
    *c = (lv_collector){.channels = channels, .frame_size = frame_size, .budget = budget};
    LV_TRY(make_list(c, &c->watch, err));
    LV_TRY(make_list(c, &c->columns, err));
    if (frame_size > 0) {
        c->frame = lv_arena_alloc(&c->arena, (size_t)frame_size, sizeof *c->frame);
        if (!c->frame)
            return lv_fail_memory(err);
    }
    LV_TRY(pick_all(c, err));
    return make_tables(c, err);
}

void lv_collector_done(lv_collector *c)
{
    lv_thin_done(&c->watch.thin);
    lv_thin_done(&c->columns.thin);
    lv_thin_done(&c->view);
    lv_arena_done(&c->arena);
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static void fill_row(lv_column_list *list)
{
    for (int k = 0; k < list->count; k++) {
        lv_picked_column *p = &list->items[k];
        const double x = p->channel->values[p->index];
        if (list->thin.seen == 0)
            p->first = x;
        list->row[k] = p->what == LV_WATCHED_CHANGE ? fabs(x - p->first)
                       : p->what == LV_WATCHED_SIZE ? fabs(x)
                                                    : x;
    }
}

void lv_collector_row(lv_collector *c)
{
    const double t = c->channels->list[0].values[0];
    fill_row(&c->watch);
    fill_row(&c->columns);
    lv_thin_add(&c->watch.thin, t, c->watch.row);
    lv_thin_add(&c->columns.thin, t, c->columns.row);
    if (c->frame)
        lv_thin_add(&c->view, t, c->frame);
}

void lv_collector_end(lv_collector *c)
{
    lv_thin_end(&c->watch.thin);
    lv_thin_end(&c->columns.thin);
    lv_thin_end(&c->view);
}

/* ---- tables as text -------------------------------------------------------------------------------- */

/* Lowest bits of 32-bit numbers that pages leave out. Numbers that are plotted or drawn
 * keep 17 bits of the mantissa, 5 digits; errors, on logarithmic axes, keep 9 bits. */
enum { SHIFT_NUMBERS = 7, SHIFT_ERRORS = 15 };

static int shift_of(const lv_picked_column *column)
{
    return column->what == LV_WATCHED_VALUE ? SHIFT_NUMBERS : SHIFT_ERRORS;
}

typedef struct table {
    const char *name;
    lv_thin *thin;
    const lv_column_list *list; /* NULL: columns have no names */
    const lv_thin *other;       /* a table that may have the same columns; NULL: none */
    int *same; /* by column: the index of the same column in `other`; -1: none */
    lv_text text;
} table;

/* ---- equal columns ---------------------------------------------------------------------------- */

typedef struct known_column {
    uint64_t hash;
    int index;
} known_column;

/* FNV-1a */
static uint64_t hash_of(const float *values, int rows)
{
    const unsigned char *bytes = (const unsigned char *)values;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < (size_t)rows * sizeof *values; k++)
        hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    return hash;
}

static int compare_known(const void *a, const void *b)
{
    const known_column *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->index - y->index;
}

static int find_known(const known_column *list, int count, uint64_t hash)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low].hash == hash ? list[low].index : -1;
}

/* Finds columns that `other` has already, because pictures often show coordinates as they
 * are. They are written only once. */
static lv_status find_same(table *t, lv_arena *arena, lv_error *err)
{
    const lv_thin *own = t->thin, *other = t->other;
    t->same = lv_arena_alloc(arena, (size_t)own->width + 1, sizeof *t->same);
    if (!t->same)
        return lv_fail_memory(err);
    for (int k = 0; k < own->width; k++)
        t->same[k] = -1;
    if (!other || other->rows != own->rows || other->every != own->every)
        return LV_OK;
    known_column *known = lv_arena_alloc(arena, (size_t)other->width + 1, sizeof *known);
    if (!known)
        return lv_fail_memory(err);
    for (int k = 0; k < other->width; k++)
        known[k] = (known_column){
            hash_of(lv_thin_column(other, other->values, k), other->rows), k};
    qsort(known, (size_t)other->width, sizeof *known, compare_known);
    for (int k = 0; k < own->width; k++) {
        const float *values = lv_thin_column(own, own->values, k);
        const int found = find_known(known, other->width, hash_of(values, own->rows));
        if (found >= 0 && memcmp(values, lv_thin_column(other, other->values, found),
                                 (size_t)own->rows * sizeof *values) == 0)
            t->same[k] = found;
    }
    return LV_OK;
}

/* Packs the numbers of all columns that are not in `other`, and the bands if rows were
 * left out. */
static lv_status pack(table *t, lv_arena *arena, lv_error *err)
{
    const lv_thin *thin = t->thin;
    const float *const sets[] = {thin->values, thin->least, thin->most};
    const int set_count = thin->bands && thin->every > 1 ? 3 : 1;
    int count = 0;
    LV_TRY(find_same(t, arena, err));
    lv_packed_column *columns =
        lv_arena_alloc(arena, (size_t)set_count * (size_t)thin->width, sizeof *columns);
    if (!columns)
        return lv_fail_memory(err);
    for (int s = 0; s < set_count; s++)
        for (int k = 0; k < thin->width; k++)
            if (t->same[k] < 0)
                columns[count++] = (lv_packed_column){
                    lv_thin_column(thin, sets[s], k),
                    t->list ? shift_of(&t->list->items[k]) : SHIFT_NUMBERS};
    lv_pack_floats(&t->text, columns, count, thin->rows);
    return t->text.failed ? lv_fail_memory(err) : LV_OK;
}

enum { TABLES = 3 };

static lv_status pack_all(lv_collector *c, table tables[TABLES], lv_error *err)
{
    for (;;) {
        table *largest = &tables[0];
        size_t size = 0;
        for (int k = 0; k < TABLES; k++) {
            table *t = &tables[k];
            if (t->text.count == 0)
                LV_TRY(pack(t, &c->arena, err));
            size += (size_t)t->text.count;
            if (t->text.count > largest->text.count)
                largest = t;
        }
        if (size <= c->budget || largest->thin->rows < FRAMES_LEAST)
            return LV_OK;
        lv_thin_halve(largest->thin);
        for (int k = 0; k < TABLES; k++)
            if (&tables[k] == largest || tables[k].other == largest->thin) {
                lv_text_done(&tables[k].text);
                tables[k].text = (lv_text){0};
            }
    }
}

static void put_names(lv_json *j, const lv_column_list *list)
{
    static const char *const what[] = {"value", "size", "change"};
    lv_json_key(j, "columns");
    lv_json_open(j, '[');
    for (int k = 0; k < list->count; k++) {
        lv_json_open(j, '[');
        lv_json_text(j, list->items[k].name);
        lv_json_text(j, list->items[k].channel->name);
        lv_json_text(j, what[list->items[k].what]);
        lv_json_number(j, shift_of(&list->items[k]));
        lv_json_close(j, ']');
    }
    lv_json_close(j, ']');
}

static void put_same(lv_json *j, const table *t)
{
    lv_json_key(j, "same");
    lv_json_open(j, '[');
    for (int k = 0; k < t->thin->width; k++) {
        if (t->same[k] < 0)
            continue;
        lv_json_open(j, '[');
        lv_json_number(j, k);
        lv_json_number(j, t->same[k]);
        lv_json_close(j, ']');
    }
    lv_json_close(j, ']');
}

static lv_status put_table(const table *t, lv_json *j, lv_error *err)
{
    const double *times = t->thin->times;
    lv_text text = {0};
    lv_pack_doubles(&text, times, t->thin->rows);
    if (text.failed) {
        lv_text_done(&text);
        return lv_fail_memory(err);
    }
    lv_json_key(j, t->name);
    lv_json_open(j, '{');
    lv_json_put_number(j, "rows", t->thin->rows);
    lv_json_put_number(j, "every", (double)t->thin->every);
    lv_json_put_number(j, "seen", (double)t->thin->seen);
    lv_json_put_number(j, "width", t->thin->width);
    lv_json_put_flag(j, "bands", t->thin->bands && t->thin->every > 1);
    lv_json_put_number(j, "shift", SHIFT_NUMBERS);
    if (t->list)
        put_names(j, t->list);
    else
        put_same(j, t);
    lv_json_put_text(j, "t", text.data ? text.data : "");
    lv_json_put_text(j, "data", t->text.data ? t->text.data : "");
    lv_json_close(j, '}');
    lv_text_done(&text);
    return LV_OK;
}

lv_status lv_collector_put(lv_collector *c, lv_json *j, lv_error *err)
{
    table tables[TABLES] = {
        {.name = "watch", .thin = &c->watch.thin, .list = &c->watch},
        {.name = "columns", .thin = &c->columns.thin, .list = &c->columns},
        {.name = "view", .thin = &c->view, .other = &c->columns.thin}};
    lv_status status = pack_all(c, tables, err);
    lv_json_key(j, "tables");
    lv_json_open(j, '{');
    for (int k = 0; k < TABLES; k++) {
        if (status == LV_OK)
            status = put_table(&tables[k], j, err);
        lv_text_done(&tables[k].text);
    }
    lv_json_close(j, '}');
    lv_json_put_number(j, "left_out", c->left_out);
    return status;
}
