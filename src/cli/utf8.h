#ifndef CLI_UTF8_H
#define CLI_UTF8_H

/* Length of the well-formed UTF-8 character at text, 0 if there is none. */
int cli_utf8_length(const char *text);

#endif
