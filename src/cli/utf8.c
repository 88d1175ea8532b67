#include "cli/utf8.h"

#include <stdbool.h>

int cli_utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
    if (c[0] > 0xF4)
        n = 0;
    if (n < 2)
        return n;
    unsigned code = c[0] & (0xFFU >> (n + 1));
    for (int k = 1; k < n; k++) {
        if ((c[k] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (c[k] & 0x3FU);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code >= least[n] && code <= 0x10FFFF && !surrogate ? n : 0;
}
