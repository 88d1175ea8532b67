# UMFPACK brings a BLAS, whose number of threads must not change a bit.
if(LIVENS_UMFPACK)
    add_executable(test.num.linear_bits num/linear_bits.c)
    target_link_libraries(test.num.linear_bits PRIVATE livens_static livens_flags)
    add_test(NAME num.blas_threads COMMAND sh -c
        "one=$(OPENBLAS_NUM_THREADS=1 \"$0\") && two=$(OPENBLAS_NUM_THREADS=2 \"$0\") &&
         echo \"$one\" && test \"$one\" = \"$two\"" $<TARGET_FILE:test.num.linear_bits>)
endif()
