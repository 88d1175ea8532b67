/* Reads damaged result files: they are read or refused with a message. */
#include "damaged.h"

#include "out/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lv_error err;
    lv_hdf5_run run = {0};
    lv_hdf5_reader *reader = NULL;
    damaged_write("damaged.h5", data, size);
    lv_status status = lv_hdf5_read_run(&run, "damaged.h5", &err);
    scratch_check(status == LV_OK || (err.code == status && err.text[0]));
    if (status == LV_OK) {
        for (int k = 0; k < run.text_count; k++)
            scratch_check(lv_hdf5_run_text(&run, run.names[k]) != NULL);
        lv_hdf5_run_done(&run);
    }
    status = lv_hdf5_open(&reader, "damaged.h5", &err);
    scratch_check(status == LV_OK || (err.code == status && err.text[0]));
    if (status == LV_OK)
        lv_hdf5_close(reader);
    return 0;
}
