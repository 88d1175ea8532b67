# WebAssembly with the clang, lld and wasi-libc of the distribution (tools/install-deps --lab).
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# Options of optimisation are for the compiler alone: with -O the driver runs any wasm-opt that it finds after the linker.
set(CMAKE_C_FLAGS_RELEASE "" CACHE STRING "")
