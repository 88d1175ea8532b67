# test.run.sim_memory counts what steps allocate, also behind the library's own allocator.
target_link_options(test.run.sim_memory PRIVATE
    -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc)
