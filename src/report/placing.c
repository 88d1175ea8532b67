#include "report/placing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };

/* ---- columns by name ------------------------------------------------------------------------------ */

typedef struct named_column {
    const char *name;
    const double *value;
    const lv_channel *channel;
    int index;
} named_column;

typedef struct directory {
    named_column *list;
    int count;
} directory;

static int compare(const void *a, const void *b)
{
    const named_column *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static lv_status list_columns(directory *d, const lv_channels *channels, lv_arena *arena,
                              lv_error *err)
{
    static const char *const kinds[] = {"q", "v", "bodies"};
    size_t count = 0;
    for (int k = 0; k < channels->count; k++)
        count += (size_t)channels->list[k].width;
    d->list = lv_arena_alloc(arena, count + 1, sizeof *d->list);
    if (!d->list)
        return lv_fail_memory(err);
    for (int k = 0; k < channels->count; k++) {
        const lv_channel *c = &channels->list[k];
        bool wanted = false;
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            wanted = wanted || strcmp(c->name, kinds[i]) == 0;
        for (int i = 0; wanted && i < c->width; i++) {
            char label[NAME] = "";
            c->label(c->user, i, label, sizeof label);
            const char *name = lv_arena_text(arena, label, strlen(label));
            if (!name)
                return lv_fail_memory(err);
            d->list[d->count++] = (named_column){name, c->values + i, c, i};
        }
    }
    qsort(d->list, (size_t)d->count, sizeof *d->list, compare);
    return LV_OK;
}

static const named_column *find(const directory *d, const char *name)
{
    const named_column key = {.name = name};
    return d->count > 0
               ? bsearch(&key, d->list, (size_t)d->count, sizeof *d->list, compare)
               : NULL;
}

/* The columns NAME[1], NAME[2], ... up to `length`, which must be contiguous; NULL: they
 * are not there. */
static const double *find_vector(const directory *d, const char *name, int length)
{
    const named_column *first = NULL;
    for (int k = 0; k < length; k++) {
        char label[NAME + 60];
        (void)snprintf(label, sizeof label, "%.*s[%d]", NAME, name, k + 1);
        const named_column *found = find(d, label);
        if (!found || (first && found->value != first->value + k))
            return NULL;
        first = first ? first : found;
    }
    return first ? first->value : NULL;
}

/* ---- coordinates ----------------------------------------------------------------------------------- */

/* "x'", "a'[1]": the prime precedes the index. The rate of the angle of a body is its
 * omega. */
static const double *find_velocity(const directory *d, const char *name)
{
    static const char angle[] = ".angle";
    char label[NAME + 60];
    const char *bracket = strchr(name, '[');
    const size_t length = strlen(name), tail = sizeof angle - 1;
    const int plain = bracket ? (int)(bracket - name) : (int)length;
    (void)snprintf(label, sizeof label, "%.*s'%s", plain, name, bracket ? bracket : "");
    if (length > tail && strcmp(name + length - tail, angle) == 0)
        (void)snprintf(label, sizeof label, "%.*s.omega", (int)(length - tail), name);
    const named_column *found = find(d, label);
    return found ? found->value : NULL;
}

/* "top.e2[3]" is component 3 of axis 2 of the body "top". */
static bool place_axis(lv_placed *p, const directory *d, const char *name)
{
    const char *dot = strrchr(name, '.');
    char label[NAME + 60];
    int end = 0;
    if (!dot || sscanf(dot, ".e%1d[%1d]%n", &p->axis, &p->component, &end) != 2 ||
        dot[end] != '\0' || p->axis < 1 || p->axis > 3 || p->component < 1 ||
        p->component > 3)
        return false;
    const int length = (int)(dot - name);
    (void)snprintf(label, sizeof label, "%.*s.quaternion", length, name);
    p->quaternion = find_vector(d, label, 4);
    (void)snprintf(label, sizeof label, "%.*s.omega", length, name);
    p->omega = find_vector(d, label, 3);
    p->axis--;
    p->component--;
    return p->quaternion != NULL;
}

static bool place(lv_placed *p, const directory *d, const char *name)
{
    const named_column *found = find(d, name);
    if (!found)
        return place_axis(p, d, name);
    p->position = found->value;
    p->velocity = find_velocity(d, name);
    return true;
}

lv_status lv_placing_init(lv_placing *placing, const lv_model *model,
                          const lv_channels *channels, lv_arena *arena, bool *complete,
                          lv_error *err)
{
    const int n = lv_model_coordinate_count(model);
    directory d = {0};
    *placing = (lv_placing){.count = n};
    LV_TRY(list_columns(&d, channels, arena, err));
    placing->list = lv_arena_alloc(arena, (size_t)n + 1, sizeof *placing->list);
    placing->q = lv_arena_alloc(arena, 2 * (size_t)n + 1, sizeof *placing->q);
    if (!placing->list || !placing->q)
        return lv_fail_memory(err);
    placing->v = placing->q + n;
    *complete = true;
    for (int k = 0; k < n && *complete; k++) {
        char name[NAME];
        lv_model_coordinate_name(model, k, name, sizeof name);
        *complete = place(&placing->list[k], &d, name);
    }
    return LV_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Component of R u for the rotation R of a unit quaternion. */
static double turned(const double *quaternion, const double u[3], int component)
{
    const double w = quaternion[0], x = quaternion[1], y = quaternion[2],
                 z = quaternion[3];
    const double rows[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    const double *row = rows[component];
    return row[0] * u[0] + row[1] * u[1] + row[2] * u[2];
}

/* e = R u and e' = R (omega x u) with u the axis in the body. */
static void fill_axis(const lv_placed *p, double *q, double *v)
{
    double u[3] = {0, 0, 0};
    u[p->axis] = 1;
    *q = turned(p->quaternion, u, p->component);
    if (!p->omega)
        return;
    const double *w = p->omega;
    const double rate[3] = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2],
                            w[0] * u[1] - w[1] * u[0]};
    *v = turned(p->quaternion, rate, p->component);
}

void lv_placing_fill(const lv_placing *placing)
{
    for (int k = 0; k < placing->count; k++) {
        const lv_placed *p = &placing->list[k];
        placing->v[k] = 0;
        if (p->quaternion) {
            fill_axis(p, &placing->q[k], &placing->v[k]);
            continue;
        }
        placing->q[k] = *p->position;
        if (p->velocity)
            placing->v[k] = *p->velocity;
    }
}
