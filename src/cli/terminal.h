/* Output for readers: styles on terminals, widths, wrapped text. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdio.h>

/* Columns of output. On a terminal they follow its width, within limits in which tables
 * and sentences are readable; files and pipes get CLI_WIDTH. */
enum { CLI_WIDTH = 79, CLI_WIDTH_LEAST = 60, CLI_WIDTH_MOST = 120 };

/* The width of the lines of this stream. */
int cli_width(FILE *stream);

typedef enum cli_look { CLI_NORMAL, CLI_STRONG, CLI_ALARM } cli_look;

/* The sequence that switches to a style; "" unless the stream is a terminal that may be
 * coloured (no NO_COLOR, TERM other than dumb). */
const char *cli_style(FILE *stream, cli_look look);

/* Prints a text. Control characters, which a model may contain and a terminal would obey,
 * and bytes that are not UTF-8 are written as \x1b and the like. cli_put_lines keeps line
 * breaks. */
void cli_put(FILE *out, const char *text);
void cli_put_lines(FILE *out, const char *text);

/* The width of a text, and the number of its bytes that fit into `most` columns. */
int cli_columns(const char *text);
size_t cli_prefix(const char *text, int most);

/* Prints a text and then blanks up to a width. */
void cli_put_padded(FILE *out, const char *text, int width);

/* Prints words so that no line is longer than the stream's width. The output is at column
 * `at`; further lines are indented by `indent`. Ends with a newline. */
void cli_put_wrapped(FILE *out, const char *text, int at, int indent);

/* Writes a line on stderr over the last one, cut to the width of the terminal; NULL
 * clears it. */
void cli_put_over(const char *line);

#endif
