/* Inputs and their tables in the summary of a run. */
#include "run/run_private.h"

static lv_status note_tables(lv_running *r, lv_error *err)
{
    const size_t count = (size_t)r->feeds.count;
    lv_table_info *tables = lv_arena_alloc(&r->arena, count + 1, sizeof *tables);
    if (!tables)
        return lv_fail_memory(err);
    for (size_t k = 0; k < count; k++) {
        const lv_feed *f = &r->feeds.list[k];
        tables[k] = (lv_table_info){.input = f->input->item->name,
                                    .path = f->path,
                                    .kind = lv_table_kind_name(f->kind),
                                    .rows = f->rows,
                                    .first = f->times[0],
                                    .last = f->times[f->rows - 1]};
    }
    r->view.tables = tables;
    r->view.table_count = (int)count;
    return LV_OK;
}

lv_status lv_run_note_inputs(lv_running *r, lv_error *err)
{
    const lv_model *m = r->model;
    lv_output *inputs =
        lv_arena_alloc(&r->arena, (size_t)m->inputs.count + 1, sizeof *inputs);
    const double *values = lv_arena_copy(&r->arena, r->sim->system->inputs,
                                         (size_t)m->input_count, sizeof *values);
    if (!inputs || !values)
        return lv_fail_memory(err);
    for (int k = 0; k < m->inputs.count; k++)
        inputs[k] = (lv_output){m->inputs.data[k].item->name, m->inputs.data[k].length,
                                values + m->inputs.data[k].first};
    r->view.inputs = inputs;
    r->view.input_count = m->inputs.count;
    return note_tables(r, err);
}
