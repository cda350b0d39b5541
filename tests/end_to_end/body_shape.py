"""How far a body has been deformed, from the first and the last frame of a run; whether it goes through itself; what moves."""
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader


class Shape:
    """A frame of a run. x: (nodes) places, each node once; tets: (elements) its four; fragment: (elements); speed: (nodes)."""

    def __init__(self, path):
        reader = vtkXMLPUnstructuredGridReader()
        reader.SetFileName(str(path))
        reader.Update()
        grid = reader.GetOutput()
        nodes = {name: vtk_to_numpy(grid.GetPointData().GetArray(name)) for name in ("GlobalNodeId", "Velocity")}
        _, first, number = np.unique(nodes["GlobalNodeId"], return_index=True, return_inverse=True)
        self.x = vtk_to_numpy(grid.GetPoints().GetData()).astype(float)[first]
        self.speed = np.linalg.norm(nodes["Velocity"][first], axis=1)
        self.tets = number[vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)]
        self.fragment = vtk_to_numpy(grid.GetCellData().GetArray("Fragment"))
        order = np.lexsort(self.tets.T)  # ranks write elements in their order
        self.tets, self.fragment = self.tets[order], self.fragment[order]

    def volumes(self):
        a, b, c, d = (self.x[self.tets[:, k]] for k in range(4))
        return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6

    def share_that_moves(self):
        """Of fragments."""
        moving = np.unique(self.fragment[self.speed[self.tets].max(1) > 0])
        return len(moving) / len(np.unique(self.fragment))


def first_and_last(out, scene):
    frames = sorted((out / "frames").glob(f"{scene}_[0-9]*.pvtu"))
    return Shape(frames[0]), Shape(frames[-1])


def deviations(before, after):
    """(nodes) displacement beside the rigid motion that leaves least of it at the nodes that have moved least [m]. A dent would
    turn and shift the motion of least squares over all nodes."""
    weight = np.ones(len(before))
    for _ in range(50):
        weight /= weight.sum()
        centre_before, centre_after = weight @ before, weight @ after
        u, _, v = np.linalg.svd((before - centre_before).T @ (weight[:, None] * (after - centre_after)))
        turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ v))]) @ v
        off = np.linalg.norm(after - centre_after - (before - centre_before) @ turn, axis=1)
        weight = 1 / (off + 1e-4)
    return off


def nodes_in_elements(x, tets, margin=1e-3):
    """Nodes that lie in elements of which they are no corner, by more than a share of the element."""
    inside = set()
    for tet in tets:
        corners = x[tet]
        near = np.flatnonzero(((x > corners.min(0)) & (x < corners.max(0))).all(1))
        near = near[~np.isin(near, tet)]
        if len(near):
            shares = np.linalg.solve((corners[1:] - corners[0]).T, (x[near] - corners[0]).T)
            inside.update(near[(shares.min(0) > margin) & (shares.sum(0) < 1 - margin)])
    return len(inside)
