/* One line per paper: CLI_X(identifier of its descriptor). */
CLI_X(cli_paper_kinon2023)
CLI_X(cli_paper_kinon_livens)
CLI_X(cli_paper_martin_sato2018)
CLI_X(cli_paper_knoll2025)
CLI_X(cli_paper_muehlebach2016)
