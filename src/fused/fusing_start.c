/* The inputs of the program of a step: carried fields, rows that are left out, and
 * quantities that the last step has evaluated. */
#include "expr/analyse.h"
#include "fused/fusing_private.h"

/* Makes numbers of the course inputs of the program; their present values are those of
 * the sample. */
static void declare(lv_fusing *f, double *x, int count)
{
    lv_node *nodes = count > 0 ? lv_fusing_nodes_for(f, x, count) : NULL;
    const lv_shadowed input = {.numbers = x, .count = count, .first = f->input_count};
    if (!nodes || !LV_PUSH(f->inputs, input)) {
        f->failed = f->failed || count > 0;
        return;
    }
    for (int k = 0; k < count; k++)
        nodes[k] = next_input(f, x[k]);
}

/* Whether all arguments of a site are numbers with which the step begins. */
static bool begins_with(const lv_fusing *f, const lv_site *site)
{
    bool known = true;
    for (int a = 0; a < LV_ARGUMENTS; a++)
        known =
            known && (site->arg[a] < 0 || (f->c->value[site->arg[a]] &&
                                           find_shadow(f, f->c->value[site->arg[a]])));
    return known;
}

/* Replaces inputs of a quantity that depend on parameters alone by their formulas:
 * forces of gravity, constant gradients. */
static void fix_part(lv_fusing *f, const lv_handed *part, const lv_node *nodes,
                     const lv_kinds *kinds)
{
    lv_shadowed *input = &f->inputs.data[f->inputs.count - 1];
    lv_node *to = lv_fusing_nodes_for(f, part->to, part->count);
    bool *fixed = lv_arena_alloc(&f->arena, (size_t)part->count, sizeof *fixed);
    f->failed = f->failed || !fixed;
    for (int k = 0; to && fixed && k < part->count; k++) {
        fixed[k] = (kinds[nodes[k]] & ~(LV_KIND(P) | LV_KIND(I))) == 0;
        to[k] = fixed[k] ? nodes[k] : to[k];
    }
    input->fixed = fixed;
}

/* Evaluates the quantities of a handover as formulas at the start of the step. */
static void unfold_start(lv_fusing *f, const lv_handover *h,
                         lv_node *result[LV_QUANTITIES])
{
    const lv_site *site = &f->c->sites.data[h->to];
    const lv_point_nodes point = lv_fusing_point(f, site);
    for (int k = 0; k < h->from.quantities; k++) {
        const lv_quantity q = h->from.quantity[k];
        const size_t size = (size_t)lv_course_quantity_size(f->c, q);
        result[q] = lv_arena_alloc(&f->arena, size + 1, sizeof **result);
        f->failed = f->failed || !result[q];
    }
    lv_fusing_unfold(f, h->from.plan, &point, result);
}

static void declare_handover(lv_fusing *f, const lv_handover *h)
{
    lv_node *result[LV_QUANTITIES] = {NULL};
    lv_arena scratch = {0};
    lv_kinds *kinds = NULL;
    if (begins_with(f, &f->c->sites.data[h->to]))
        unfold_start(f, h, result);
    if (!is_broken(f))
        kinds =
            lv_arena_alloc(&scratch, (size_t)lv_graph_count(f->graph) + 1, sizeof *kinds);
    f->failed = f->failed || (!kinds && !is_broken(f));
    if (kinds)
        lv_analyse_kinds(f->graph, kinds);
    for (int i = 0, q = 0; i < h->parts; i++, q++) {
        const lv_handed *part = &h->part[i];
        while (!(h->what >> q & 1))
            q++;
        declare(f, part->to, part->count);
        if (kinds && result[q] && part->count > 0 && !is_broken(f))
            fix_part(f, part, result[q], kinds);
    }
    lv_arena_done(&scratch);
}

static void declare_carried(lv_fusing *f, int field)
{
    if (f->c->value[field])
        declare(f, f->c->value[field], f->c->sizes[f->c->form.fields.data[field].space]);
}

void lv_fusing_declare_start(lv_fusing *f)
{
    for_each_carried(f, declare_carried);
    if (f->left_out->taken)
        declare(f, f->left_out->taken, f->c->system->m);
    for (int k = 0; k < f->c->handovers.count; k++)
        declare_handover(f, &f->c->handovers.data[k]);
}
