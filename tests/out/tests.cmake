# out.crash stands between the library and the system calls that change a file.
target_link_options(test.out.crash PRIVATE
    -Wl,--wrap=pwrite -Wl,--wrap=ftruncate -Wl,--wrap=rename)
