"""The faces of cracks as a run writes them, for the tests in this folder."""
import numpy as np


def read_faces(path):
    """Corners (faces, 3, 3) of the crack's faces at rest [m], and how much of their strength links have left. path: .pvtu"""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    if grid.GetNumberOfCells() == 0:
        return np.zeros((0, 3, 3)), np.zeros(0)
    offsets, corners = vtk_to_numpy(grid.GetCells().GetOffsetsArray()), vtk_to_numpy(grid.GetCells().GetConnectivityArray())
    triangles = np.flatnonzero(np.diff(offsets) == 3)
    X = vtk_to_numpy(grid.GetPointData().GetArray("MaterialPosition"))
    strength = vtk_to_numpy(grid.GetCellData().GetArray("LinkStrength"))
    return X[corners[offsets[triangles][:, None] + np.arange(3)]], strength[triangles]
