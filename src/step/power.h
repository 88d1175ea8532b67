/* Powers of step sizes. */
#ifndef LV_STEP_POWER_H
#define LV_STEP_POWER_H

/* h^power; powers are small integers. */
static inline double lv_step_power(double h, int power)
{
    double result = 1;
    for (int k = 0; k < (power < 0 ? -power : power); k++)
        result *= h;
    return power < 0 ? 1 / result : result;
}

#endif
