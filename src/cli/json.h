/* Writes JSON: the caller opens, writes keys and values, and closes in order; commas and
 * line breaks are added automatically. Numbers have 17 digits, so that they read back as
 * the same bits. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdio.h>

/* Start with {.out = ...}. */
typedef struct cli_json {
    FILE *out;
    int depth;
    bool follows; /* the next item needs a comma before it */
    bool keyed;   /* the next item is the value of a key */
} cli_json;

/* '{' or '[', and the bracket that closes it. The outermost bracket is followed by a
 * newline. */
void cli_json_open(cli_json *json, char bracket);
void cli_json_close(cli_json *json, char bracket);

void cli_json_key(cli_json *json, const char *key);

void cli_json_text(cli_json *json, const char *text); /* NULL: null */
void cli_json_number(cli_json *json, double value);   /* null if it is not finite */
void cli_json_whole(cli_json *json, long long value);
void cli_json_bool(cli_json *json, bool value);
void cli_json_null(cli_json *json);

/* The name of a momentum map as in columns: "J.spin". */
void cli_json_momentum(cli_json *json, const char *name);

/* These functions write a key and its value. */
void cli_json_put_text(cli_json *json, const char *key, const char *text);
void cli_json_put_number(cli_json *json, const char *key, double value);
void cli_json_put_whole(cli_json *json, const char *key, long long value);
void cli_json_put_bool(cli_json *json, const char *key, bool value);

/* A number if length is 0, else an array of `length` numbers. */
void cli_json_numbers(cli_json *json, const double *values, int length);

#endif
