#include "base/wide.h"

#if defined(__x86_64__) && defined(__GNUC__)
bool lv_wide_forbidden;

void lv_wide_forbid(bool forbidden)
{
    lv_wide_forbidden = forbidden;
}
#else
void lv_wide_forbid(bool forbidden)
{
    (void)forbidden;
}
#endif
