# test.run.sim counts what steps allocate, also behind the library's own allocator.
target_link_options(test.run.sim PRIVATE
    -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc)
