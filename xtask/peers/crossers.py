"""The peers that find triangles of a mesh that cross each other, each as a class.

`prepare()` makes the peer's mesh from arrays, `crossings()` finds the triangles that cross, and `pairs()` returns
those last found: rows of two triangles, or a list of triangles from a peer that lists no pairs. A hierarchy is built
within `crossings()`, and its time is part of the answer. `threads` is the number of threads of a peer that always
uses the same.
"""

import importlib.metadata

import numpy as np

from common import Clock, fail, hold

ALL = 10**9


class Crosser:
    def __init__(self, package, t1, faces):
        self.version, self.t1, self.faces = importlib.metadata.version(package), t1, faces
        clock = Clock()
        self.prepare()
        self.prepare_seconds = clock.seconds()

    def prepare(self):
        """Makes the peer's mesh; nothing for peers that take arrays."""

    def crossings(self):
        clock = Clock()
        n_found = self.search()
        return {"seconds": clock.seconds(), "cpu_seconds": clock.cpu_seconds(), "any": n_found > 0}

    def once(self):
        """The same for a mesh that has not been seen before."""
        clock = Clock()
        self.prepare()
        self.crossings()
        return {"seconds": clock.seconds()}

    def pairs(self):
        return self.found


class Meshlib(Crosser):
    """MeshLib: in float32; runs on the processors that the process may use."""

    def __init__(self, threads, t1, faces):
        hold(threads)
        import meshlib.mrmeshnumpy
        import meshlib.mrmeshpy

        self.meshlib, self.numpy = meshlib.mrmeshpy, meshlib.mrmeshnumpy
        super().__init__("meshlib", t1.astype(np.float32), faces)
        # Building its topology may drop or reorder triangles that it does not like.
        if not np.array_equal(self.numpy.getNumpyFaces(self.mesh.topology), faces):
            fail("MeshLib changed the triangles of the mesh")

    def prepare(self):
        self.mesh = self.numpy.meshFromFacesVerts(self.faces, self.t1)

    def search(self):
        self.mesh.invalidateCaches()
        self.found = self.meshlib.findSelfCollidingTriangles(self.meshlib.MeshPart(self.mesh))
        return len(self.found)

    def pairs(self):
        return [(int(pair.aFace), int(pair.bFace)) for pair in self.found]


class Blender(Crosser):
    """Blender's BVHTree: in float32, from lists; runs on the processors that the process may use."""

    def __init__(self, threads, t1, faces):
        hold(threads)
        import bpy
        from mathutils.bvhtree import BVHTree

        self.tree = BVHTree
        super().__init__("bpy", t1.tolist(), faces.tolist())
        self.version = bpy.app.version_string

    def search(self):
        tree = self.tree.FromPolygons(self.t1, self.faces, all_triangles=True)
        self.found = tree.overlap(tree)
        return len(self.found)


class Libigl(Crosser):
    """libigl: a hierarchy of boxes and exact predicates."""

    threads = 1

    def __init__(self, threads, t1, faces):
        hold(threads)
        import igl.predicates

        self.igl = igl.predicates
        super().__init__("libigl", np.ascontiguousarray(t1), faces.astype(np.int64))

    def search(self):
        _, self.found, _ = self.igl.find_self_intersections(self.t1, self.faces)
        return len(self.found)


class LibiglCgal(Crosser):
    """libigl's own use of CGAL: sweeping boxes, and exact numbers."""

    def __init__(self, threads, t1, faces):
        hold(threads)
        import igl.copyleft.cgal

        self.igl = igl.copyleft.cgal
        super().__init__("libigl", np.ascontiguousarray(t1), faces.astype(np.int64))

    def search(self):
        self.found = self.igl.remesh_self_intersections(self.t1, self.faces, detect_only=True)[2]
        return len(self.found)


class Pymeshlab(Crosser):
    """MeshLab's filter from Python: which triangles cross others, not which they cross."""

    threads = 1

    def __init__(self, threads, t1, faces):
        hold(threads)
        import pymeshlab

        self.pymeshlab = pymeshlab
        super().__init__("pymeshlab", t1, faces)

    def prepare(self):
        self.set = self.pymeshlab.MeshSet()
        self.set.add_mesh(self.pymeshlab.Mesh(self.t1, self.faces))

    def search(self):
        self.set.compute_selection_by_self_intersections_per_face()
        return self.set.current_mesh().selected_face_number()

    def pairs(self):
        return np.flatnonzero(self.set.current_mesh().face_selection_array())


class Coal(Crosser):
    """coal: the mesh against itself, so that each triangle is also in contact with itself and with its neighbors."""

    threads = 1

    def __init__(self, threads, t1, faces):
        hold(threads)
        import coal

        self.coal, self.stay = coal, coal.Transform3s()
        self.request = coal.CollisionRequest()
        self.request.enable_contact, self.request.num_max_contacts = False, ALL
        super().__init__("coal", np.ascontiguousarray(t1), faces.astype(np.int64))

    def search(self):
        model = self.coal.BVHModelOBBRSS()
        model.beginModel(len(self.faces), len(self.t1))
        model.addVertices(self.t1)
        model.addTriangles(self.faces)
        model.endModel()
        self.result = self.coal.CollisionResult()
        self.coal.collide(model, self.stay, model, self.stay, self.request, self.result)
        return self.result.numContacts()

    def pairs(self):
        contacts = np.array([(contact.b1, contact.b2) for contact in self.result.getContacts()])
        return contacts[contacts[:, 0] != contacts[:, 1]]


class Newton(Crosser):
    """Newton on the processor: in float32, one thread. Its buffers hold 8 partners of a triangle by default, which
    drops half of the pairs; here they hold all."""

    threads = 1
    PARTNERS = 256

    def __init__(self, threads, t1, faces):
        hold(threads)
        import warp

        warp.init()
        import newton
        from newton._src.solvers.vbd import tri_mesh_collision

        self.warp, self.newton, self.detector = warp, newton, tri_mesh_collision.TriMeshCollisionDetector
        super().__init__("newton", t1.tolist(), faces.reshape(-1).tolist())
        # Kernels are compiled when they are first used.
        self.search()

    def prepare(self):
        builder = self.newton.ModelBuilder()
        origin, identity = self.warp.vec3(0.0, 0.0, 0.0), self.warp.quat_identity()
        builder.add_cloth_mesh(
            pos=origin, rot=identity, scale=1.0, vel=origin, vertices=self.t1, indices=self.faces, density=1.0
        )
        self.model = builder.finalize(device="cpu")

    def search(self):
        self.state = self.detector(
            self.model,
            triangle_triangle_collision_buffer_pre_alloc=self.PARTNERS,
            triangle_triangle_collision_buffer_max_alloc=self.PARTNERS,
        )
        self.state.triangle_triangle_intersection_detection()
        self.counts = self.state.triangle_intersecting_triangles_count.numpy()
        if self.counts.max() > self.PARTNERS:
            fail(f"Newton's buffers hold {self.PARTNERS} partners, and a triangle has {self.counts.max()}")
        return int(self.counts.sum())

    def pairs(self):
        rows = self.state.triangle_intersecting_triangles.numpy().reshape(-1, self.PARTNERS)
        held = np.arange(self.PARTNERS) < self.counts[:, None]
        return np.stack([np.nonzero(held)[0], rows[held]], axis=1)
