/* Bytes up to the first NUL are a formula, the others a point. The formula is parsed,
 * elaborated, differentiated twice and compiled; its program, on one lane and on LV_LANES
 * lanes, gives the same bits as the evaluation of the graph node by node.
 *
 * Known names: the coordinates x, y, z and the vector a, the parameter m, the index i, t. */
#include "expr/code.h"
#include "expr/diff.h"
#include "expr/domain.h"
#include "expr/elaborate.h"
#include "expr/emit.h"
#include "expr/function.h"
#include "expr/program.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COORDINATES = 6, NODES = 50000, ROWS = 4, OUTPUTS = ROWS + 2 * COORDINATES + 36 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static lv_status resolve(void *user, lv_elaboration *e, lv_value *value,
                         const lv_syntax *name, lv_error *err)
{
    static const struct {
        const char *name;
        lv_input kind;
        int first, length;
    } known[] = {{"x", LV_INPUT_Q, 0, 0}, {"y", LV_INPUT_Q, 1, 0},
                 {"z", LV_INPUT_Q, 2, 0}, {"a", LV_INPUT_Q, 3, 3},
                 {"m", LV_INPUT_P, 0, 0}, {"i", LV_INPUT_I, 0, 0}};
    (void)user;
    for (size_t k = 0; k < sizeof known / sizeof *known && name->count == 0; k++) {
        if (strcmp(name->name, known[k].name) != 0)
            continue;
        lv_node *items = lv_value_room(e, value, known[k].length, err);
        if (!items)
            return LV_ERR_MEMORY;
        for (int j = 0; j < lv_value_count(value); j++)
            items[j] = lv_graph_input(e->graph, known[k].kind, known[k].first + j);
        return LV_OK;
    }
    return lv_elaborate_fail(e, name, err, "unknown name '%s'", name->name);
}

/* ---- the point ----------------------------------------------------------------------- */

typedef struct point {
    double block[LV_INPUT_KINDS][COORDINATES];
    const double *inputs[LV_INPUT_KINDS];
} point;

static const lv_layout layout = {{[LV_INPUT_Q] = COORDINATES,
                                  [LV_INPUT_V] = COORDINATES,
                                  [LV_INPUT_T] = 1,
                                  [LV_INPUT_P] = 1,
                                  [LV_INPUT_I] = 1,
                                  [LV_INPUT_R] = COORDINATES}};

/* Numbers from pairs of bytes, other ones for every lane; a few are special. */
static void make_point(point *p, const uint8_t *data, size_t size, int lane)
{
    size_t at = (size_t)lane;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++) {
        p->inputs[kind] = p->block[kind];
        for (int k = 0; k < COORDINATES; k++, at += 2) {
            int low = at < size ? data[at] : k + 1,
                high = at + 1 < size ? data[at + 1] : 1;
            double x = (high - 128) + low / 256.0;
            p->block[kind][k] = low == 255 ? x * 1e300 : low == 254 ? 0 : x;
        }
    }
}

/* ---- outputs ------------------------------------------------------------------------- */

/* The formula's rows, gradients in coordinates and velocities, and a Hessian. */
static int make_outputs(lv_graph *g, lv_node *outputs, const lv_value *value)
{
    lv_node q[COORDINATES], v[COORDINATES];
    int count = 0;
    for (int k = 0; k < COORDINATES; k++) {
        q[k] = lv_graph_input(g, LV_INPUT_Q, k);
        v[k] = lv_graph_input(g, LV_INPUT_V, k);
    }
    while (count < ROWS && count < lv_value_count(value)) {
        outputs[count] = value->items[count];
        count++;
    }
    lv_diff_gradient(g, outputs + count, value->items[0], q, COORDINATES);
    count += COORDINATES;
    lv_diff_gradient(g, outputs + count, value->items[0], v, COORDINATES);
    count += COORDINATES;
    lv_diff_hessian(g, outputs + count, value->items[0], q, COORDINATES, q, COORDINATES);
    return count + COORDINATES * COORDINATES;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* ---- evaluation ---------------------------------------------------------------------- */

static void fill_lane(const lv_program *p, double *workspace, int lanes, int lane,
                      const point *at)
{
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        for (int k = 0; k < p->input_size[kind]; k++)
            workspace[(p->input[kind] + k) * lanes + lane] = at->block[kind][k];
}

static void run(const lv_program *p, double *workspace, int lanes)
{
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        lv_program_run(p, (lv_segment)segment, workspace, lanes);
}

/* Parameters are the same on all lanes, as programs demand. */
static void compare(const lv_graph *g, const lv_program *p, const uint8_t *data,
                    size_t size)
{
    size_t slots = (size_t)p->slots + 1;
    double *wide = lv_memory_zeroed(slots * LV_LANES, sizeof *wide);
    double *narrow = lv_memory_zeroed(slots, sizeof *narrow);
    double expected[LV_LANES][OUTPUTS];
    point points[LV_LANES];
    lv_error err;
    check(wide && narrow);
    lv_program_load(p, wide, LV_LANES);
    for (int lane = 0; lane < LV_LANES; lane++) {
        make_point(&points[lane], data, size, lane);
        points[lane].block[LV_INPUT_P][0] = points[0].block[LV_INPUT_P][0];
        fill_lane(p, wide, LV_LANES, lane, &points[lane]);
        check(lv_graph_evaluate(g, expected[lane], p->nodes, p->output_count,
                                points[lane].inputs, &err) == LV_OK);
    }
    run(p, wide, LV_LANES);
    for (int lane = 0; lane < LV_LANES; lane++) {
        bool finite = true;
        lv_program_load(p, narrow, 1);
        fill_lane(p, narrow, 1, 0, &points[lane]);
        run(p, narrow, 1);
        for (int k = 0; k < p->output_count; k++) {
            check(same(wide[p->output[k] * LV_LANES + lane], expected[lane][k]));
            check(same(narrow[p->output[k]], expected[lane][k]));
            finite = finite && isfinite(expected[lane][k]);
        }
        lv_status status =
            lv_domain_diagnose(g, p->nodes, p->output_count, points[lane].inputs, &err);
        check(finite ? status == LV_OK : status == LV_ERR_DOMAIN);
    }
    lv_memory_free(wide);
    lv_memory_free(narrow);
}

/* The same with machine code for blocks, and for one lane. */
static void compare_code(const lv_graph *g, lv_program *p, const uint8_t *data,
                         size_t size)
{
    static const int lanes[] = {LV_LANES, 1};
    for (int k = 0; k < 2; k++) {
        lv_code *code = lv_code_attach(&p, &lanes[k], 1);
        if (code)
            compare(g, p, data, size);
        p->code = NULL;
        lv_code_free(code);
    }
}

static void use(lv_graph *g, const lv_value *value, const uint8_t *data, size_t size)
{
    lv_node outputs[OUTPUTS];
    lv_program *program = NULL;
    lv_text text = {0};
    lv_error err;
    int count = make_outputs(g, outputs, value);
    if (lv_graph_check(g, &err) != LV_OK)
        return;
    check(lv_program_compile(&program, g, outputs, count, &layout, &err) == LV_OK);
    compare(g, program, data, size);
    compare_code(g, program, data, size);
    lv_emit_function(&text, program, "formula");
    check(!text.failed && text.count > 0);
    lv_text_done(&text);
    lv_program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lv_arena arena = {0};
    lv_error err;
    lv_formula formula;
    lv_value value;
    lv_error_clear(&err);

    size_t length = 0;
    while (length < size && data[length])
        length++;
    const char *text = lv_arena_text(&arena, (const char *)data, length);
    lv_graph *graph = lv_graph_create(NODES);
    check(text && graph);
    lv_source source = {"fuzz", text, length};
    lv_snippet snippet = {text, (int)length, &source, 0, NULL};
    lv_node_list turns = {0};
    lv_elaboration e = {
        .graph = graph, .arena = &arena, .resolve = resolve, .turns = &turns};

    lv_status status = lv_formula_parse(&formula, &arena, &snippet, &err);
    if (status == LV_OK)
        status = lv_elaborate(&e, &value, &formula, &err);
    if (status == LV_OK && LV_TURN_NUMBERS * turns.count / 2 <= COORDINATES) {
        use(graph, &value, data + length, size - length);
    } else if (status != LV_OK) {
        char message[4096];
        check(err.code == status && err.text[0] && err.line > 0 && err.column > 0);
        check(lv_error_write(&err, message, sizeof message) > 0);
    }
    LV_ARRAY_FREE(turns);
    lv_graph_free(graph);
    lv_arena_done(&arena);
    return 0;
}
