"""What the triangles of a series NAME_surface.pvd are, whatever their order in the files: run by /usr/bin/python3, which has python3-vtk9.
Prints JSON, one object a frame.

    surface_digest.py FOLDER/NAME_surface.pvd

`digest` of all points, fields but Rank, and triangles; `open_edges`: that do not have as many triangles on one side as on the other;
`unmatched`: crack faces that have none on the other side with the same corners in the material; `volume` of all.
"""
import hashlib
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader


def arrays(data):
    return {data.GetArray(k).GetName(): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}


def ranked(fields):
    """The different rows of all fields together, as bytes in their order, and which of them each row is."""
    parts = [np.ascontiguousarray(values).reshape(len(values), -1).view(np.uint8) for _, values in sorted(fields.items())]
    rows = [row.tobytes() for row in np.concatenate(parts, axis=1)]
    different = sorted(set(rows))
    numbers = {row: k for k, row in enumerate(different)}
    return b"".join(different), np.array([numbers[row] for row in rows], dtype=np.int64)


def unbalanced(keys, signs):
    """Of how many keys the signs do not add up to 0."""
    _, which = np.unique(keys, return_inverse=True)
    return int(np.count_nonzero(np.bincount(which, weights=signs)))


def open_edges(ids, triangles):
    count = len(ids)
    _, number = np.unique(ids, return_inverse=True)
    begin = number[triangles].ravel()
    end = number[np.roll(triangles, -1, axis=1)].ravel()
    return unbalanced(np.minimum(begin, end) * count + np.maximum(begin, end), np.where(begin < end, 1, -1))


def unmatched(places, triangles):
    """A triangle's corners in ascending order say where it is; whether they turn the same way so, which side it is of."""
    count = len(places)
    a, b, c = ranked({"MaterialPosition": places})[1][triangles].T
    ascending = np.sort([a, b, c], axis=0)
    signs = np.where(((a > b).astype(int) + (a > c) + (b > c)) % 2 == 0, 1, -1)
    return unbalanced((ascending[0] * count + ascending[1]) * count + ascending[2], signs)


def measured(grid):
    node, cell = arrays(grid.GetPointData()), arrays(grid.GetCellData())
    points = vtk_to_numpy(grid.GetPoints().GetData())
    triangles = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 3)
    node_rows, of_node = ranked({**node, "Points": points})
    cell_rows, of_cell = ranked({name: values for name, values in cell.items() if name != "Rank"})
    contents = np.column_stack([of_cell, np.sort(of_node[triangles], axis=1)])
    contents = contents[np.lexsort(contents.T)]
    on_crack = cell["CrackFace"] != 0 if "CrackFace" in cell else np.zeros(len(triangles), dtype=bool)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return {"digest": hashlib.sha256(node_rows + cell_rows + contents.tobytes()).hexdigest(), "triangles": len(triangles),
            "open_edges": open_edges(node["GlobalNodeId"], triangles),
            "unmatched": unmatched(node["MaterialPosition"], triangles[on_crack]), "crack_triangles": int(on_crack.sum()),
            "volume": float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)}


def main():
    for entry in ElementTree.parse(sys.argv[1]).getroot().iter("DataSet"):
        file = os.path.join(os.path.dirname(sys.argv[1]), entry.get("file"))
        reader = vtkXMLUnstructuredGridReader() if file.endswith(".vtu") else vtkXMLPUnstructuredGridReader()
        reader.SetFileName(file)
        reader.Update()
        print(json.dumps(measured(reader.GetOutput())), flush=True)


if __name__ == "__main__":
    main()
