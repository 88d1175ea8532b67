/* Writes the native kernels that bench_formula compares the interpreter with, as C:
 * formula_kernels FILE */
#include "expr/emit.h"
#include "formula_cases.h"

#include <stdio.h>
#include <stdlib.h>

static void write_kernel(lv_text *text, int number)
{
    static formula_case c;
    lv_program *program = NULL;
    lv_error err;
    char name[32];
    (void)snprintf(name, sizeof name, "kernel_%d", number);
    formula_case_init(&c, number);
    if (formula_case_compile(&c, &program, FORMULA_BOTH, &err) == LV_OK) {
        lv_text_append(text, "\nstatic ");
        lv_emit_function(text, program, name);
    } else {
        (void)fprintf(stderr, "%s: %s\n", c.name, err.text);
        text->failed = true;
    }
    lv_program_free(program);
    formula_case_done(&c);
}

static void write_table(lv_text *text)
{
    static const char type[] = "(*const formula_kernels[])(const double *const in[], "
                               "double *out)";
    lv_text_append(text, "\nextern void %s;\nvoid %s = {\n", type, type);
    for (int i = 0; i < FORMULA_CASES; i++)
        lv_text_append(text, "    kernel_%d,\n", i);
    lv_text_append(text, "};\n");
}

static int write_file(const char *path, const lv_text *text)
{
    FILE *file = fopen(path, "w");
    int bad = !file || fputs(text->data, file) < 0;
    bad = (file && fclose(file) != 0) || bad;
    if (bad)
        perror(path);
    return bad;
}

int main(int argc, char **argv)
{
    lv_text text = {0};
    lv_text_append(&text, "#include <math.h>\n");
    for (int i = 0; i < FORMULA_CASES; i++)
        write_kernel(&text, i);
    write_table(&text);
    int bad = argc != 2 || text.failed || write_file(argv[1], &text);
    lv_text_done(&text);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
