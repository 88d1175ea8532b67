#include "expr/emit.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/* Writes the formula of an operation with its operands a, b, c replaced by the names of
 * slots. */
static void write_value(lv_text *text, const char *formula, const int *slot)
{
    while (*formula) {
        int length = 1;
        while (is_word(formula[0]) && is_word(formula[length]))
            length++;
        if (length == 1 && formula[0] >= 'a' && formula[0] <= 'c')
            lv_text_append(text, "s%d", slot[formula[0] - 'a']);
        else
            lv_text_bytes(text, formula, length);
        formula += length;
    }
}

/* Writes a number as a literal of type double. */
static void write_number(lv_text *text, double value)
{
    char buffer[LV_NUMBER_SIZE];
    const char *digits = lv_number_format(value, buffer);
    if (isnan(value))
        lv_text_append(text, "(double)NAN");
    else if (isinf(value))
        lv_text_append(text, "%s(double)INFINITY", value < 0 ? "-" : "");
    else
        lv_text_append(text, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

static void mark_operands(const lv_program *p, lv_segment segment, bool *used)
{
    for (int i = 0; i < p->run_count[segment]; i++) {
        const lv_op_run *run = &p->run[segment][i];
        const int *slot = p->operand + run->first;
        for (int j = run->count * (lv_op_run_arity(run) + 1); j > 0; j--)
            used[*slot++] = true;
    }
}

static void mark_used(const lv_program *p, bool *used)
{
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        mark_operands(p, (lv_segment)segment, used);
    for (int i = 0; i < p->output_count; i++)
        used[p->output[i]] = true;
}

static void write_inputs(lv_text *text, const lv_program *p, const bool *used)
{
    bool any = false;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        for (int i = 0; i < p->input_size[kind]; i++) {
            int slot = p->input[kind] + i;
            if (!used[slot])
                continue;
            lv_text_append(text, "    const double s%d = in[%d][%d];\n", slot, kind,
                           p->chosen[kind] ? p->chosen[kind][i] : i);
            any = true;
        }
    if (!any)
        lv_text_append(text, "    (void)in;\n");
}

static void write_constants(lv_text *text, const lv_program *p, const bool *used)
{
    for (int i = 0; i < p->constant_count; i++) {
        if (!used[p->constants + i])
            continue;
        lv_text_append(text, "    const double s%d = ", p->constants + i);
        write_number(text, p->constant[i]);
        lv_text_append(text, ";\n");
    }
}

/* The formula of an operation of a run. */
static const char *formula_of(const lv_op_run *run)
{
    if (run->fused == LV_FUSED_NOT)
        return lv_op_c_text(run->op);
    if (run->op == LV_OP_ADD)
        return "a * b + c";
    return run->fused == LV_FUSED_FIRST ? "a * b - c" : "c - a * b";
}

/* Slots of results are reused, so a variable is declared when it is first written. */
static void write_run(lv_text *text, const lv_program *p, const lv_op_run *run,
                      bool *declared)
{
    const int arity = lv_op_run_arity(run), *slot = p->operand + run->first;
    for (int i = 0; i < run->count; i++, slot += arity + 1) {
        int result = slot[arity];
        lv_text_append(text, "    %ss%d = ", declared[result] ? "" : "double ", result);
        write_value(text, formula_of(run), slot);
        lv_text_append(text, ";\n");
        declared[result] = true;
    }
}

void lv_emit_function(lv_text *text, const lv_program *p, const char *name)
{
    bool *used = lv_memory_zeroed((size_t)p->slots + 1, 2 * sizeof *used);
    if (!used) {
        text->failed = true;
        return;
    }
    bool *declared = used + p->slots;
    mark_used(p, used);
    lv_text_append(text, "void %s(const double *const in[], double *out)\n{\n", name);
    write_inputs(text, p, used);
    write_constants(text, p, used);
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        for (int i = 0; i < p->run_count[segment]; i++)
            write_run(text, p, &p->run[segment][i], declared);
    for (int i = 0; i < p->output_count; i++)
        lv_text_append(text, "    out[%d] = s%d;\n", i, p->output[i]);
    if (p->output_count == 0)
        lv_text_append(text, "    (void)out;\n");
    lv_text_append(text, "}\n");
    lv_memory_free(used);
}
