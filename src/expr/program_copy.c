#include "expr/program.h"

#include <string.h>

static int operand_count(const lv_program *p)
{
    int count = 0;
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        for (int k = 0; k < p->run_count[segment]; k++) {
            const lv_op_run *run = &p->run[segment][k];
            count += run->count * (lv_op_run_arity(run) + 1);
        }
    return count;
}

static bool is_same(const void *a, const void *b, int count, size_t size)
{
    return count == 0 || memcmp(a, b, (size_t)count * size) == 0;
}

static bool has_same_runs(const lv_program *a, const lv_program *b)
{
    for (int segment = 0; segment < LV_SEGMENTS; segment++) {
        if (a->run_count[segment] != b->run_count[segment])
            return false;
        for (int k = 0; k < a->run_count[segment]; k++) {
            const lv_op_run *x = &a->run[segment][k], *y = &b->run[segment][k];
            if (x->op != y->op || x->fused != y->fused || x->first != y->first ||
                x->count != y->count)
                return false;
        }
    }
    return true;
}

bool lv_program_is_like(const lv_program *a, const lv_program *b)
{
    if (a->slots != b->slots || a->constants != b->constants ||
        a->constant_count != b->constant_count || a->output_count != b->output_count ||
        !has_same_runs(a, b))
        return false;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        if (a->input[kind] != b->input[kind] ||
            a->input_size[kind] != b->input_size[kind] ||
            !a->chosen[kind] != !b->chosen[kind] ||
            (a->chosen[kind] && !is_same(a->chosen[kind], b->chosen[kind],
                                         a->input_size[kind], sizeof(int))))
            return false;
    return is_same(a->operand, b->operand, operand_count(a), sizeof(int)) &&
           is_same(a->output, b->output, a->output_count, sizeof(int));
}

static const int *copy_numbers(lv_arena *arena, const int *numbers, int count)
{
    return lv_arena_copy(arena, numbers, (size_t)count, sizeof *numbers);
}

const lv_program *lv_program_copy(const lv_program *p, lv_arena *arena)
{
    lv_program *copy = lv_arena_copy(arena, p, 1, sizeof *p);
    if (!copy)
        return NULL;
    bool there = true;
    copy->constant =
        lv_arena_copy(arena, p->constant, (size_t)p->constant_count, sizeof(double));
    copy->operand = copy_numbers(arena, p->operand, operand_count(p));
    copy->output = copy_numbers(arena, p->output, p->output_count);
    copy->nodes =
        lv_arena_copy(arena, p->nodes, (size_t)p->output_count, sizeof *p->nodes);
    copy->carried = copy_numbers(arena, p->carried, p->carried_count);
    for (int segment = 0; segment < LV_SEGMENTS; segment++) {
        copy->run[segment] =
            lv_arena_copy(arena, p->run[segment], (size_t)p->run_count[segment],
                          sizeof *p->run[segment]);
        there = there && copy->run[segment];
    }
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        if (p->chosen[kind]) {
            copy->chosen[kind] =
                copy_numbers(arena, p->chosen[kind], p->input_size[kind]);
            there = there && copy->chosen[kind];
        }
    copy->code = NULL;
    return there && copy->constant && copy->operand && copy->output && copy->nodes &&
                   copy->carried
               ? copy
               : NULL;
}

bool lv_program_reads(const lv_program *p, lv_input kind)
{
    const int first = p->input[kind], end = first + p->input_size[kind];
    for (int k = 0; k < p->run_count[LV_SEGMENT_MAIN]; k++) {
        const lv_op_run *run = &p->run[LV_SEGMENT_MAIN][k];
        const int arity = lv_op_run_arity(run);
        const int *operand = p->operand + run->first;
        for (int i = 0; i < run->count * (arity + 1); i++)
            if (i % (arity + 1) < arity && operand[i] >= first && operand[i] < end)
                return true;
    }
    for (int k = 0; k < p->output_count; k++)
        if (p->output[k] >= first && p->output[k] < end)
            return true;
    return false;
}
