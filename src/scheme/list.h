/* One line per scheme: LV_X(identifier of its descriptor). */
LV_X(lv_scheme_rattle)
LV_X(lv_scheme_verlet)
LV_X(lv_scheme_lobatto)
LV_X(lv_scheme_gauss)
LV_X(lv_scheme_radau)
LV_X(lv_scheme_livens)
LV_X(lv_scheme_em_g)
