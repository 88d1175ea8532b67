/* The commands of the program, in the order of the help text. */
CLI_X(run)
CLI_X(resume)
CLI_X(check)
CLI_X(reproduce)
CLI_X(list)
CLI_X(explain)
CLI_X(show)
CLI_X(help)
