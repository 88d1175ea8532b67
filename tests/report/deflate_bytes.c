/* Deflates standard input to standard output, for deflate.py. */
#include "base/memory.h"
#include "report/deflate.h"

#include <stdio.h>

int main(void)
{
    lv_text in = {0}, out = {0};
    char buffer[1 << 16];
    size_t n = 0;
    while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        lv_text_bytes(&in, buffer, (int)n);
    lv_deflate(&out, (const unsigned char *)(in.data ? in.data : ""), (size_t)in.count);
    const bool fine = !in.failed && !out.failed &&
                      fwrite(out.data, 1, (size_t)out.count, stdout) == (size_t)out.count;
    lv_text_done(&in);
    lv_text_done(&out);
    return fine ? 0 : 1;
}
