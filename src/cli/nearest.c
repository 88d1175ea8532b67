/* Edit distance with insertions, deletions, replacements and exchanges of neighbours. */
#include "cli/nearest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 }; /* longer words are not typing mistakes */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Row i holds the distances between the first i letters of a and the beginnings of b.
 * Three rows are kept, one more than usual, because of the exchanges. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST)
        return n + m;
    for (int j = 0; j <= m; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = rows[i % 3];
        const int *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            now[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = smaller(now[j], 1 + smaller(last[j], now[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void cli_nearest_offer(cli_nearest *nearest, const char *candidate)
{
    int distance = edit_distance(nearest->word, candidate);
    if (!nearest->best || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

const char *cli_nearest_result(const cli_nearest *nearest)
{
    /* One mistake in three letters, and at least one, is allowed. */
    int allowed = (int)strlen(nearest->word) / 3;
    if (allowed < 1)
        allowed = 1;
    return nearest->best && nearest->distance <= allowed ? nearest->best : NULL;
}
