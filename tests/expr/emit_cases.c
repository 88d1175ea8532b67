/* Writes a C file with the emitted functions that test_emit.c compares with the
 * interpreter: emit_cases FILE */
#include "emit_cases.h"

#include "base/text.h"
#include "expr/emit.h"

#include <stdio.h>
#include <stdlib.h>

static void write_case(lv_text *text, int number)
{
    lv_node outputs[RANDOM_OUTPUTS];
    int count = 0;
    lv_program *p = NULL;
    lv_graph *g = emit_case(number, outputs, &count);
    char name[32];
    (void)snprintf(name, sizeof name, "emitted_%d", number);
    if (!g || lv_program_compile(&p, g, outputs, count, &random_layout, NULL) != LV_OK) {
        text->failed = true;
    } else {
        lv_text_append(text, "\nvoid %s(const double *const in[], double *out);\n", name);
        lv_emit_function(text, p, name);
    }
    lv_program_free(p);
    lv_graph_free(g);
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
    for (int i = 0; i < EMIT_CASES; i++)
        write_case(&text, i);
    lv_text_append(&text,
                   "\nextern void (*const emitted[])(const double *const in[], "
                   "double *out);\nvoid (*const emitted[])(const double *const in[], "
                   "double *out) = {\n");
    for (int i = 0; i < EMIT_CASES; i++)
        lv_text_append(&text, "    emitted_%d,\n", i);
    lv_text_append(&text, "};\n");
    int bad = argc != 2 || text.failed || write_file(argv[1], &text);
    lv_text_done(&text);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
