/* The library as a page in a browser calls it: a handful of functions that take and give texts. Results are JSON, the
 * same objects as those of the program's --json and as those inside of pages.
 *
 * The page writes a request into lab_room and calls lab_open; then lab_run, lab_check and lab_verify ask about the model
 * that is open. Each of these returns 0, or the code of a failure, and leaves a text, lab_result, of lab_result_size bytes
 * until the next call. A failure is an object with status, message, line, column, length, note and hint. */
#ifndef LV_LAB_LAB_H
#define LV_LAB_LAB_H

#include <stddef.h>

/* Room for a request of so many bytes; NULL without memory. The request is a list of words, each ended by a zero byte: what
 * messages call the model, options as `livens run` has them, the text of the model. */
char *lab_room(size_t size);

/* Reads the model: its title, parameters, and what it wishes for a run. */
int lab_open(size_t size);

/* The data of a page about the run, also of a run that failed: it then has the key failure. */
int lab_run(void);

/* The object of `livens check --json`; `refused` has the schemes that do not take the model, and why. */
int lab_check(void);

/* The certificate, as pages of `livens verify` have it: what replaces that of a run. */
int lab_verify(void);

const char *lab_result(void);
size_t lab_result_size(void);

/* Closes the model, frees all. */
void lab_close(void);

/* The page's: told now and then how much is done, from 0 to 1. */
#ifdef __wasm__
__attribute__((import_module("lab"), import_name("progress")))
#endif
void lab_progress(double share);

#endif
