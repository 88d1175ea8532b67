/* Writes the kernels of the parts as C:
 *
 *     livens-kernels FILE
 *
 * Simulations of the reference models are created with every scheme that takes them; whatever
 * programs their plans consist of become kernels. It is linked with the library without kernels. */
#include "expr/emit.h"
#include "expr/native.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct kernel {
    uint64_t hash;
    lv_signature signature;
    lv_text code; /* its functions are called NAME */
} kernel;

typedef struct collection {
    LV_ARRAY(kernel) kernels;
    bool failed; /* out of memory */
} collection;

/* ---- collecting ----------------------------------------------------------------------------- */

static int compare(const kernel *k, uint64_t hash, const lv_signature *signature)
{
    lv_native entry = {k->hash, k->signature.count, k->signature.data, NULL, NULL};
    return lv_native_compare(&entry, hash, signature);
}

static int by_signature(const void *a, const void *b)
{
    const kernel *other = b;
    return compare(a, other->hash, &other->signature);
}

static bool is_known(const collection *c, const kernel *k)
{
    for (int j = 0; j < c->kernels.count; j++)
        if (compare(&c->kernels.data[j], k->hash, &k->signature) == 0)
            return true;
    return false;
}

static void kernel_done(kernel *k)
{
    LV_ARRAY_FREE(k->signature);
    lv_text_done(&k->code);
}

/* Called with every program of every plan. */
static void collect(void *user, const lv_program *program)
{
    collection *c = user;
    kernel k = {0};
    char name[32];
    bool ok = lv_native_sign(&k.signature, program, NULL) == LV_OK;
    k.hash = lv_native_hash(&k.signature);
    if (ok && k.signature.count > 0 && !is_known(c, &k)) {
        (void)snprintf(name, sizeof name, "k%016llx", (unsigned long long)k.hash);
        lv_emit_kernel(&k.code, program, name);
        ok = !k.code.failed && LV_PUSH(c->kernels, k);
        if (ok)
            k = (kernel){0}; /* now the collection's */
    }
    c->failed = c->failed || !ok;
    kernel_done(&k);
}

static lv_status simulate(const lv_model *model, const char *scheme, lv_error *err)
{
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.initial = LV_INITIAL_PROJECT;
    options.step = 0.01;
    lv_status status = lv_sim_create(&sim, model, &options, err);
    lv_sim_free(sim);
    return status;
}

static lv_status use_model(int number, lv_error *err)
{
    enum { SCHEMES = 64 };
    lv_model *model = NULL;
    bool fits[SCHEMES] = {false};
    lv_scheme_info info;
    char name[40];
    lv_status status = reference_model(&model, number, name, err);
    if (status == LV_OK)
        status = lv_model_fitting_schemes(model, fits, SCHEMES, err);
    for (int k = 0; status == LV_OK && lv_scheme_describe(k, &info); k++)
        if (fits[k])
            status = simulate(model, info.name, err);
    lv_model_free(model);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_signature(lv_text *text, const kernel *k, int number)
{
    lv_text_append(text, "static const uint16_t signature_%d[] = {", number);
    for (int j = 0; j < k->signature.count; j++)
        lv_text_append(text, "%s%d,", j % 20 ? " " : "\n    ", k->signature.data[j]);
    lv_text_append(text, "\n};\n");
}

static void write_all(lv_text *text, const collection *c)
{
    lv_text_append(text,
                   "/* Written by livens-kernels. */\n#include \"expr/native.h\"\n\n"
                   "#include <math.h>\n\n");
    for (int k = 0; k < c->kernels.count; k++) {
        lv_text_append(text, "%s", c->kernels.data[k].code.data);
        write_signature(text, &c->kernels.data[k], k);
    }
    lv_text_append(text, "const lv_native lv_native_table[] = {\n");
    for (int k = 0; k < c->kernels.count; k++) {
        unsigned long long hash = c->kernels.data[k].hash;
        lv_text_append(text,
                       "    {UINT64_C(0x%016llx), %d, signature_%d, k%016llx_1, "
                       "k%016llx_8},\n",
                       hash, c->kernels.data[k].signature.count, k, hash, hash);
    }
    lv_text_append(text, "};\nconst int lv_native_count = %d;\n", c->kernels.count);
}

static int write_file(const char *path, const collection *c)
{
    lv_text text = {0};
    write_all(&text, c);
    FILE *file = text.failed ? NULL : fopen(path, "w");
    int bad = !file || fputs(text.data, file) < 0;
    bad = (file && fclose(file) != 0) || bad;
    if (bad)
        perror(path);
    lv_text_done(&text);
    return bad;
}

int main(int argc, char **argv)
{
    collection c = {0};
    lv_error err;
    lv_error_clear(&err);
    lv_native_observe(collect, &c);
    lv_status status = LV_OK;
    for (int k = 0; status == LV_OK && k < reference_count(); k++)
        status = use_model(k, &err);
    if (status != LV_OK)
        (void)fprintf(stderr, "livens-kernels: %s\n", err.text);
    if (c.kernels.count > 0)
        qsort(c.kernels.data, (size_t)c.kernels.count, sizeof *c.kernels.data,
              by_signature);
    bool ok = argc == 2 && status == LV_OK && !c.failed && write_file(argv[1], &c) == 0;
    for (int k = 0; k < c.kernels.count; k++)
        kernel_done(&c.kernels.data[k]);
    LV_ARRAY_FREE(c.kernels);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
