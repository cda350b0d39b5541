"""What filters make of a series of surfaces, NAME_cracks.pvd or NAME_surface.pvd: run by ParaView's pvpython or, without ParaView, by
python3-vtk9. Prints JSON, one object a frame.

    surface_filters.py FOLDER/NAME_cracks.pvd

`triangles`, `lines` and the `area` of the triangles in the undeformed material.
"""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree


def with_paraview(pvd):
    from paraview import servermanager, simple

    source = simple.PVDReader(FileName=pvd)
    source.UpdatePipelineInformation()
    for time in list(source.TimestepValues):
        surface = simple.ExtractSurface(Input=simple.WarpByVector(Input=source, Vectors=["POINTS", "Displacement"], ScaleFactor=-1))
        surface.UpdatePipeline(time)
        found = servermanager.Fetch(surface)
        yield measured(found)


def with_vtk(pvd):
    from vtkmodules.vtkCommonDataModel import vtkDataObject
    from vtkmodules.vtkFiltersGeneral import vtkWarpVector
    from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader

    for entry in ElementTree.parse(pvd).getroot().iter("DataSet"):
        file = os.path.join(os.path.dirname(pvd), entry.get("file"))
        reader = vtkXMLUnstructuredGridReader() if file.endswith(".vtu") else vtkXMLPUnstructuredGridReader()
        reader.SetFileName(file)
        warp, surface = vtkWarpVector(), vtkGeometryFilter()
        warp.SetInputConnection(reader.GetOutputPort())
        warp.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_POINTS, "Displacement")
        warp.SetScaleFactor(-1)
        surface.SetInputConnection(warp.GetOutputPort())
        surface.Update()
        yield measured(surface.GetOutput())


def measured(surface):
    area, cells = 0.0, {2: 0, 3: 0}
    for k in range(surface.GetNumberOfCells()):
        cell = surface.GetCell(k)
        cells[cell.GetNumberOfPoints()] += 1
        if cell.GetNumberOfPoints() == 3:
            area += cell.ComputeArea()
    return {"triangles": cells[3], "lines": cells[2], "area": area}


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
