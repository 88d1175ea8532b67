# test.part.kernels runs the models that kernels are compiled for.
target_sources(test.part.kernels PRIVATE ${PROJECT_SOURCE_DIR}/kernels/reference.c)
target_include_directories(test.part.kernels PRIVATE ${PROJECT_SOURCE_DIR}/kernels)
