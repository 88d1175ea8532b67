/* The library as a page in a browser calls it: a few functions that take and return
 * texts. Results are JSON, the same objects as those of the program's --json and those
 * inside of pages.
 *
 * The page writes a request into lab_room and calls lab_open; then lab_run, lab_check and
 * lab_verify answer questions about the open model. Each of these returns 0, or the code
 * of a failure, and leaves a text, lab_result, of lab_result_size bytes, which is valid
 * until the next call. A failure is an object with status, message, line, column, length,
 * note and hint. */
#ifndef LV_LAB_LAB_H
#define LV_LAB_LAB_H

#include <stddef.h>

/* Space for a request of `size` bytes; NULL: memory is short. The request is a list of
 * words, each ended by a zero byte: the name of the model in messages, options as for
 * `livens run`, and the text of the model. */
char *lab_room(size_t size);

/* Reads the model. The result has its title, its parameters and its [run] section. */
int lab_open(size_t size);

/* The data of a page about the run; if the run failed, with the key failure. */
int lab_run(void);

/* The object of `livens check --json`; `refused` has the schemes that do not take the
 * model, and why. */
int lab_check(void);

/* The certificate, as on pages of `livens verify`; it replaces the one of a run. */
int lab_verify(void);

const char *lab_result(void);
size_t lab_result_size(void);

/* Closes the model and frees everything. */
void lab_close(void);

/* Provided by the page: called now and then with the fraction that is done, from 0 to
 * 1. */
#ifdef __wasm__
__attribute__((import_module("lab"), import_name("progress")))
#endif
void lab_progress(double share);

#endif
