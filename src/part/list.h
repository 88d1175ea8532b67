/* One line per part, LV_X(identifier of its descriptor), in the order of the reference
 * page. */
LV_X(lv_part_gravity)
LV_X(lv_part_particle)
LV_X(lv_part_body)
LV_X(lv_part_joint)
LV_X(lv_part_spring)
LV_X(lv_part_rod)
LV_X(lv_part_motor)
LV_X(lv_part_load)
LV_X(lv_part_rolling)
