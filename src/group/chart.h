/* A chart: the map from tangents to elements of a group near the identity, either the
 * exponential map or the Cayley map (1 - hat(x)/2)^-1 (1 + hat(x)/2). */
#ifndef LV_GROUP_CHART_H
#define LV_GROUP_CHART_H

typedef enum lv_chart { LV_CHART_EXP, LV_CHART_CAY, LV_CHARTS } lv_chart;

/* "exp", "cay" */
const char *lv_chart_name(lv_chart chart);

#endif
