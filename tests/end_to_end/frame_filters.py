"""What filters make of frames: run by ParaView's pvpython or, without ParaView, by python3-vtk9. Prints JSON, one object a frame.

    frame_filters.py FOLDER/NAME.pvd

`cells`, `volume`, `surface_triangles`, `surface_area`, `slice_area`, `warped_cells`; `regions` that Connectivity finds; `fragments`, the
number of cells that Threshold finds for each; with ParaView also `clean_cells`, of Clean to Grid.
"""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree


def with_paraview(pvd):
    from paraview import servermanager, simple

    source = simple.PVDReader(FileName=pvd)
    source.UpdatePipelineInformation()
    times = list(source.TimestepValues)

    def integral(of, time, name):
        found = simple.IntegrateVariables(Input=of)
        found.UpdatePipeline(time)
        array = servermanager.Fetch(found).GetCellData().GetArray(name)
        return array.GetValue(0) if array else 0.0

    def cells(of, time):
        of.UpdatePipeline(time)
        return of.GetDataInformation().GetNumberOfCells()

    for time in times:
        source.UpdatePipeline(time)
        first, last = (int(bound) for bound in source.CellData["Fragment"].GetRange())
        fragments = {}
        for k in range(first, last + 1):
            part = simple.Threshold(Input=source, Scalars=["CELLS", "Fragment"], LowerThreshold=k - 0.5, UpperThreshold=k + 0.5,
                                    ThresholdMethod="Between")
            fragments[k] = cells(part, time)
            simple.Delete(part)
        connected = simple.Connectivity(Input=source)
        connected.UpdatePipeline(time)
        surface, cut = simple.ExtractSurface(Input=source), simple.Slice(Input=source)
        yield {"cells": cells(source, time), "volume": integral(source, time, "Volume"),
               "regions": int(connected.PointData["RegionId"].GetRange()[1]) + 1, "fragments": fragments,
               "surface_triangles": cells(surface, time), "surface_area": integral(surface, time, "Area"),
               "slice_area": integral(cut, time, "Area"),
               "warped_cells": cells(simple.WarpByVector(Input=source, Vectors=["POINTS", "Displacement"]), time),
               "clean_cells": cells(simple.CleantoGrid(Input=source), time)}


def with_vtk(pvd):
    from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPlane
    from vtkmodules.vtkFiltersCore import vtkConnectivityFilter, vtkCutter, vtkMassProperties, vtkThreshold
    from vtkmodules.vtkFiltersGeneral import vtkWarpVector
    from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
    from vtkmodules.vtkFiltersParallel import vtkIntegrateAttributes
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader

    def made(filter_, source):
        filter_.SetInputData(source)
        filter_.Update()
        return filter_.GetOutput()

    def integral(of, name):
        array = made(vtkIntegrateAttributes(), of).GetCellData().GetArray(name)
        return array.GetValue(0) if array else 0.0

    for entry in ElementTree.parse(pvd).getroot().iter("DataSet"):
        file = os.path.join(os.path.dirname(pvd), entry.get("file"))
        reader = vtkXMLUnstructuredGridReader() if file.endswith(".vtu") else vtkXMLPUnstructuredGridReader()
        reader.SetFileName(file)
        reader.Update()
        grid = reader.GetOutput()
        first, last = (int(bound) for bound in grid.GetCellData().GetArray("Fragment").GetRange())
        fragments = {}
        for k in range(first, last + 1):
            threshold = vtkThreshold()
            threshold.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, "Fragment")
            threshold.SetLowerThreshold(k)
            threshold.SetUpperThreshold(k)
            threshold.SetThresholdFunction(vtkThreshold.THRESHOLD_BETWEEN)
            fragments[k] = made(threshold, grid).GetNumberOfCells()
        connected = vtkConnectivityFilter()
        connected.SetExtractionModeToAllRegions()
        made(connected, grid)
        surface = made(vtkGeometryFilter(), grid)
        plane, cutter = vtkPlane(), vtkCutter()
        plane.SetOrigin(grid.GetCenter())
        plane.SetNormal(1, 0, 0)
        cutter.SetCutFunction(plane)
        warp = vtkWarpVector()
        warp.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_POINTS, "Displacement")
        yield {"cells": grid.GetNumberOfCells(), "volume": integral(grid, "Volume"),
               "regions": connected.GetNumberOfExtractedRegions(), "fragments": fragments,
               "surface_triangles": surface.GetNumberOfCells(), "surface_area": integral(surface, "Area"),
               "slice_area": integral(made(cutter, grid), "Area"), "warped_cells": made(warp, grid).GetNumberOfCells()}


def main():
    try:
        import paraview  # noqa: F401
        frames = with_paraview
    except ImportError:
        frames = with_vtk
    for frame in frames(sys.argv[1]):
        print(json.dumps(frame), flush=True)


if __name__ == "__main__":
    main()
