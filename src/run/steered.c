/* Inputs in the course of a run. */
#include "run/run_private.h"

#include <string.h>

lv_status lv_run_read_tables(lv_running *r, lv_error *err)
{
    const lv_run_request *request = &r->request;
    const size_t count = (size_t)request->table_count;
    r->feeds = lv_arena_alloc(&r->arena, count + 1, sizeof *r->feeds);
    if (!r->feeds)
        return lv_fail_memory(err);
    for (int k = 0; k < request->table_count; k++) {
        const lv_input_table *table = &request->tables[k];
        LV_TRY(lv_feed_read(&r->feeds[k], r->model, table, &r->arena, err));
        for (int j = 0; j < k; j++)
            if (r->feeds[j].input == r->feeds[k].input)
                return lv_fail(err, LV_ERR_USAGE, "input '%s' has two tables",
                               table->input);
    }
    return LV_OK;
}

/* What an input cannot be, a run cannot go on with. */
lv_status lv_run_feed(lv_running *r, double h, lv_error *err)
{
    for (int k = 0; k < r->request.table_count; k++) {
        const lv_status status = lv_feed_apply(&r->feeds[k], r->sim, h, err);
        if (status == LV_OK)
            continue;
        lv_error_note(err, "at t = %.10g, by '%s'", r->sim->state.t, r->feeds[k].path);
        if (err && status == LV_ERR_USAGE)
            err->code = LV_ERR_NUMERIC;
        return status == LV_ERR_USAGE ? LV_ERR_NUMERIC : status;
    }
    return LV_OK;
}

static lv_status note_tables(lv_running *r, lv_error *err)
{
    const size_t count = (size_t)r->request.table_count;
    lv_table_info *tables = lv_arena_alloc(&r->arena, count + 1, sizeof *tables);
    if (!tables)
        return lv_fail_memory(err);
    for (size_t k = 0; k < count; k++) {
        const lv_feed *f = &r->feeds[k];
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
