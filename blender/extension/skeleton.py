# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the surface: bones by vertex groups, and objects without an armature."""

import dataclasses

import numpy as np

from .meshes import evaluated
from .subjects import armature_of


@dataclasses.dataclass
class Skeleton:
    """The bones of all armatures, and a bone for each piece without one."""

    names: list
    parents: list
    heads: np.ndarray
    #: A row for each vertex of the surface.
    joints: np.ndarray
    weights: np.ndarray


def read(scene, view_layer, names, all_pieces):
    """Return the skeleton of the surface at the current frame, which is that of the bind pose.

    Weights are those of the groups that have the name of a deforming bone, divided by their sum. A
    vertex without any follows the first bone that has no parent.
    """
    bones, of_armature = _Bones(), {}
    rows = []
    by_key = {piece.key: piece for piece in all_pieces}
    found = {}
    for owner, _, instance, mesh, matrix in evaluated(scene, view_layer, names):
        piece = by_key.get((owner, instance))
        if piece is None:
            continue
        ob = piece.object
        armature = armature_of(ob) if ob is not None else None
        prefix = "" if instance is None else f"{owner}/"
        if armature is None or not any(bone.use_deform for bone in armature.data.bones):
            bone = bones.add(piece.name, -1, matrix[:3, 3])
            found[piece.key] = [[(bone, 1.0)]] * piece.n_vertices
            continue
        key = (prefix, armature.name)
        if key not in of_armature:
            of_armature[key] = bones.add_armature(armature, prefix)
        numbers, root = of_armature[key]
        groups = {group.index: numbers.get(group.name) for group in ob.vertex_groups}
        of_vertices = []
        for vertex in mesh.vertices:
            pairs = [(groups.get(one.group), one.weight) for one in vertex.groups]
            pairs = [(bone, weight) for bone, weight in pairs if bone is not None and weight > 0.0]
            total = sum(weight for _, weight in pairs)
            of_vertices.append([(bone, weight / total) for bone, weight in pairs] or [(root, 1.0)])
        found[piece.key] = of_vertices
    for piece in all_pieces:
        rows.extend(found[piece.key])
    width = max(map(len, rows))
    joints, weights = np.zeros((len(rows), width), np.uint32), np.zeros((len(rows), width))
    for row, pairs in enumerate(rows):
        for column, (bone, weight) in enumerate(pairs):
            joints[row, column], weights[row, column] = bone, weight
    return Skeleton(bones.names, bones.parents, np.array(bones.heads), joints, weights)


class _Bones:
    def __init__(self):
        self.names, self.parents, self.heads = [], [], []

    def add(self, name, parent, head):
        """Add a bone, with another name if there is one of this name already; return its number."""
        unique, n = name, 1
        while unique in self.names:
            n += 1
            unique = f"{name} ({n})"
        self.names.append(unique)
        self.parents.append(parent)
        self.heads.append([float(x) for x in head])
        return len(self.names) - 1

    def add_armature(self, armature, prefix):
        """Add the deforming bones of an armature; return their numbers by name, and the root."""
        deforming = [bone for bone in armature.data.bones if bone.use_deform]
        numbers = {}
        # Parents come first in the list of an armature.
        for bone in deforming:
            parent = bone.parent
            while parent is not None and parent.name not in numbers:
                parent = parent.parent
            name = f"{prefix}{bone.name}"
            if name in self.names:
                name = f"{prefix}{armature.name}/{bone.name}"
            head = armature.matrix_world @ bone.head_local
            number = -1 if parent is None else numbers[parent.name]
            numbers[bone.name] = self.add(name, number, head)
        root = next(numbers[bone.name] for bone in deforming if self.parents[numbers[bone.name]] == -1)
        return numbers, root


def part_of_triangles(triangles, joints, weights):
    """Return the part of each triangle: the bone with the largest total weight on its corners, the
    one with the smallest number on a tie.
    """
    all_joints = joints[triangles].reshape(len(triangles), -1)
    all_weights = weights[triangles].reshape(len(triangles), -1)
    totals = np.zeros_like(all_weights)
    for k in range(all_joints.shape[1]):
        totals += np.where(all_joints == all_joints[:, k : k + 1], all_weights[:, k : k + 1], 0.0)
    # Sums in one order, so that equal totals are equal.
    best = totals.max(axis=1, keepdims=True)
    candidates = np.where(totals == best, all_joints, np.iinfo(np.uint32).max)
    return candidates.min(axis=1).astype(np.int64)
