find_package(MPI REQUIRED COMPONENTS C CXX)
find_package(Eigen3 3.4 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel IOCore IOXML ParallelCore ParallelMPI IOParallelXML)

find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
add_library(METIS::METIS UNKNOWN IMPORTED)
set_target_properties(METIS::METIS PROPERTIES IMPORTED_LOCATION ${METIS_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})

find_path(PTSCOTCH_INCLUDE_DIR ptscotch.h PATH_SUFFIXES scotch REQUIRED)
find_library(PTSCOTCH_LIBRARY ptscotch REQUIRED)
find_library(SCOTCH_LIBRARY scotch REQUIRED)
find_library(PTSCOTCH_ERROR_LIBRARY ptscotcherr REQUIRED)
add_library(PTSCOTCH::PTSCOTCH UNKNOWN IMPORTED)
set_target_properties(PTSCOTCH::PTSCOTCH PROPERTIES IMPORTED_LOCATION ${PTSCOTCH_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${PTSCOTCH_INCLUDE_DIR}
  INTERFACE_LINK_LIBRARIES "${SCOTCH_LIBRARY};${PTSCOTCH_ERROR_LIBRARY};MPI::MPI_C")

find_package(PkgConfig REQUIRED)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET PETSc>=3.18)
# Debian's PETSc hands on the flags that Debian compiled it with, and a precompiled header without them is refused.
set_target_properties(PkgConfig::PETSC PROPERTIES INTERFACE_COMPILE_OPTIONS "")
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-openmpi hdf5-mpich hdf5)

find_path(NGLIB_INCLUDE_DIR nglib.h PATH_SUFFIXES netgen REQUIRED)
find_library(NGLIB_LIBRARY nglib PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/netgen REQUIRED)
get_filename_component(NGLIB_DIRECTORY ${NGLIB_LIBRARY} DIRECTORY)
add_library(NETGEN::nglib UNKNOWN IMPORTED)
set_target_properties(NETGEN::nglib PROPERTIES IMPORTED_LOCATION ${NGLIB_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${NGLIB_INCLUDE_DIR})
