"""What the triangles of a series NAME_surface.pvd are, whatever their order in the files: run by /usr/bin/python3, which has python3-vtk9.
Prints JSON, one object a frame.

    surface_digest.py FOLDER/NAME_surface.pvd

`digest` of all points, fields but Rank, and triangles; `open_edges`: that do not have as many triangles on one side as on the other;
`unmatched`: crack faces that have none on the other side with the same corners in the material; `volume` of all.
"""
import collections
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


def rows_of(fields):
    """The bytes of each row, of all fields together."""
    parts = [np.ascontiguousarray(values).reshape(len(values), -1).view(np.uint8) for _, values in sorted(fields.items())]
    return [row.tobytes() for row in np.concatenate(parts, axis=1)]


def oriented(triangle):
    """Its corners ascending, and whether they turn the same way so."""
    a, b, c = triangle
    ascending = tuple(sorted(triangle))
    return ascending, 1 if ascending in ((a, b, c), (b, c, a), (c, a, b)) else -1


def measured(grid):
    node, cell = arrays(grid.GetPointData()), arrays(grid.GetCellData())
    points = vtk_to_numpy(grid.GetPoints().GetData())
    triangles = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 3)
    node_rows = rows_of({**node, "Points": points})
    cell_rows = rows_of({name: values for name, values in cell.items() if name != "Rank"})
    corner_rows = [sorted(node_rows[n] for n in triangle) for triangle in triangles]
    contents = sorted(b"".join([row, *corners]) for row, corners in zip(cell_rows, corner_rows))
    ids = node["GlobalNodeId"]
    edges, sides = collections.Counter(), collections.Counter()
    places = [row.tobytes() for row in np.ascontiguousarray(node["MaterialPosition"])]
    for k, triangle in enumerate(triangles):
        for a, b in zip(triangle, np.roll(triangle, -1)):
            i, j = int(ids[a]), int(ids[b])
            edges[min(i, j), max(i, j)] += 1 if i < j else -1
        if "CrackFace" in cell and cell["CrackFace"][k]:
            corners, sign = oriented([places[n] for n in triangle])
            sides[corners] += sign
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return {"digest": hashlib.sha256(b"".join(contents)).hexdigest(), "triangles": len(triangles),
            "open_edges": sum(count != 0 for count in edges.values()), "unmatched": sum(count != 0 for count in sides.values()),
            "crack_triangles": int(cell["CrackFace"].sum()) if "CrackFace" in cell else 0,
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
