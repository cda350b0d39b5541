# Flags every target of ours shares. Reproducible floating point: no -ffast-math, and contraction into FMA only where a
# file asks for it (the vector kernel), so that an expression has the same bits wherever it is inlined.
add_library(sunder_flags INTERFACE)
target_include_directories(sunder_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
target_compile_options(sunder_flags INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-qual)
# GCC notes that vectors wider than the machine's are passed otherwise than on machines that have them: no file of ours is linked to
# one that was compiled for another machine.
target_compile_options(sunder_flags INTERFACE -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(sunder_flags INTERFACE -Wno-restrict)  # false alarms on std::string's operator+ (GCC 105651)
  # The same on its own intrinsics in Eigen's larger matrices, where vectors are 512 bits wide (GCC 105593).
  target_compile_options(sunder_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)
  if(SUNDER_PRECOMPILE)  # the same in assignments of literals (GCC 105329), where headers do not count as the system's
    target_compile_options(sunder_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
target_compile_definitions(sunder_flags INTERFACE OMPI_SKIP_MPICXX)
if(SUNDER_UNITY)
  target_compile_options(sunder_flags INTERFACE -Wno-shadow)  # names of the files that are compiled together
endif()
# The hash by which the nodes of a job know that they run the same program (core/fingerprint.hpp).
target_link_options(sunder_flags INTERFACE LINKER:--build-id=sha1)
if(SUNDER_NATIVE)
  target_compile_options(sunder_flags INTERFACE -march=native)
endif()
if(SUNDER_WERROR)
  target_compile_options(sunder_flags INTERFACE -Werror)
endif()
if(SUNDER_SANITIZE)
  # A null reference ends in the address sanitizer, a misaligned vector in the processor: checks of each would only cost.
  target_compile_options(sunder_flags INTERFACE -fsanitize=address,undefined -fno-sanitize=null,alignment -fno-omit-frame-pointer
    -fno-sanitize-recover=undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(sunder_flags INTERFACE -Wno-maybe-uninitialized)  # false alarms beside sanitizers (GCC manual)
    # Checks of memory are calls in large functions: the force loops compile in a third of the time.
    target_compile_options(sunder_flags INTERFACE --param=asan-instrumentation-with-call-threshold=100)
  endif()
  target_link_options(sunder_flags INTERFACE -fsanitize=address,undefined)
endif()

# Debug builds look twice: SUNDER_ASSERT, the audit after each round of cracking, and the bounds of the standard library.
target_compile_definitions(sunder_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

# Headers of the standard library and of others, which are most of what a file compiles. None of ours are among them, and
# each file still includes what it uses: builds with a compiler cache, and those of `clang`, have none of this.
set(SUNDER_PRECOMPILED <Eigen/Core> <Eigen/Geometry> <Eigen/LU> <fmt/format.h> <mpi.h> <algorithm> <array> <cmath> <filesystem>
  <functional> <map> <memory> <numeric> <optional> <set> <span> <string> <unordered_map> <vector>)
function(sunder_precompile name)  # ... headers: of a target that others of the same flags may share
  if(NOT SUNDER_PRECOMPILE)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE sunder_flags Eigen3::Eigen fmt::fmt MPI::MPI_CXX)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()
function(sunder_use_precompiled target name)
  if(SUNDER_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
sunder_precompile(sunder_headers ${SUNDER_PRECOMPILED})

# sunder_room(NAME SOURCES ... KNOWS rooms ... USES libraries seen by includers ... PRIVATE_USES libraries kept inside)
# OBJECT: no library of its own, for a program that is all of it.
function(sunder_room name)
  cmake_parse_arguments(ROOM "OBJECT" "" "SOURCES;KNOWS;USES;PRIVATE_USES" ${ARGN})
  set(kind STATIC)
  if(ROOM_OBJECT)
    set(kind OBJECT)
  endif()
  list(TRANSFORM ROOM_KNOWS PREPEND sunder_)
  if(ROOM_SOURCES)
    add_library(sunder_${name} ${kind} ${ROOM_SOURCES})
    target_link_libraries(sunder_${name} PUBLIC sunder_flags ${ROOM_KNOWS} ${ROOM_USES} PRIVATE ${ROOM_PRIVATE_USES})
    sunder_use_precompiled(sunder_${name} sunder_headers)
    set_target_properties(sunder_${name} PROPERTIES UNITY_BUILD ${SUNDER_UNITY})
  else()
    add_library(sunder_${name} INTERFACE)
    target_link_libraries(sunder_${name} INTERFACE sunder_flags ${ROOM_KNOWS} ${ROOM_USES})
  endif()
endfunction()
