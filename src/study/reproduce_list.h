/* One line per paper: LV_X(identifier of its descriptor). */
LV_X(lv_paper_kinon2023)
LV_X(lv_paper_kinon_livens)
LV_X(lv_paper_martin_sato2018)
LV_X(lv_paper_knoll2025)
LV_X(lv_paper_muehlebach2016)
