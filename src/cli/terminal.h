/* What is written for eyes: styles on terminals, widths, wrapped text. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdio.h>

/* Columns of output. On a terminal they follow its width, within limits in which tables and sentences
 * can be read; files and pipes get the usual width. */
enum { CLI_WIDTH = 79, CLI_WIDTH_LEAST = 60, CLI_WIDTH_MOST = 120 };

/* Columns of the lines that go to this stream. */
int cli_width(FILE *stream);

typedef enum cli_look { CLI_NORMAL, CLI_STRONG, CLI_ALARM } cli_look;

/* The sequence that switches to a look; "" unless the stream is a terminal that may be coloured
 * (no NO_COLOR, TERM other than dumb). */
const char *cli_style(FILE *stream, cli_look look);

/* Prints a text; control characters, which a model may hold and a terminal would obey, and bytes
 * that are not UTF-8 become \x1b and the like; in the second function, lines stay lines. */
void cli_put(FILE *out, const char *text);
void cli_put_lines(FILE *out, const char *text);

/* Columns that a text takes, and how many of its bytes take at most so many columns. */
int cli_columns(const char *text);
size_t cli_prefix(const char *text, int most);

/* Prints a text and then blanks up to a width. */
void cli_put_padded(FILE *out, const char *text, int width);

/* Prints words so that no line is longer than the stream's width. The first line begins at column `at`, where the
 * caller stands; the following ones are indented by `indent`. Ends with a newline. */
void cli_put_wrapped(FILE *out, const char *text, int at, int indent);

/* A line on stderr that is drawn over again, as long as the terminal is wide; NULL clears it. */
void cli_put_over(const char *line);

#endif
