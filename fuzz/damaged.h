/* Result files with damage: the input of a fuzzer says which bytes of a file that livens wrote become what, and how
 * much of its end is missing. Checksums are 0 in the builds of the fuzzers (out/hdf5_format.c): the reader has
 * to survive what a checksum would tell it. */
#ifndef LV_FUZZ_DAMAGED_H
#define LV_FUZZ_DAMAGED_H

#include "scratch.h"

#include <livens/livens.h>

static unsigned char *whole_file;
static size_t whole_size;

/* A short run of a shipped model whose last step is still to come, in the file "whole.h5". */
static inline void damaged_begin(void)
{
    lv_error err;
    lv_model *model = NULL;
    lv_run_summary *summary = NULL;
    scratch_enter();
    scratch_check(lv_model_read(&model, "pendulum3d", NULL, 0, &err) == LV_OK);
    lv_run_request request = lv_run_request_default(model);
    request.until = 0.2;
    request.hdf5 = "whole.h5";
    scratch_check(lv_run(&summary, model, &request, &err) == LV_OK);
    lv_run_summary_free(summary);
    lv_model_free(model);
    whole_file = scratch_read("whole.h5", &whole_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    damaged_begin();
    return 0;
}

/* Two bytes: how much is missing (0: nothing). Then groups of four: three for the place, one for the byte. */
static inline void damaged_write(const char *name, const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(whole_size);
    scratch_check(bytes != NULL);
    memcpy(bytes, whole_file, whole_size);
    size_t length = whole_size;
    if (size >= 2)
        length -= ((size_t)data[0] << 8 | data[1]) % whole_size;
    for (size_t k = 2; k + 4 <= size; k += 4) {
        const size_t at = (size_t)data[k] << 16 | (size_t)data[k + 1] << 8 | data[k + 2];
        bytes[at % whole_size] = data[k + 3];
    }
    scratch_write(name, bytes, length);
    free(bytes);
}

#endif
