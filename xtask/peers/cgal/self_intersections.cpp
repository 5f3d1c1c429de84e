// Times the self-intersections of CGAL on a mesh, on request.
//
// usage: self_intersections THREADS FOLDER
//
// Reads `positions.f64` (rows of x0 y0 z0 x1 y1 z1, of which the last three count) and `faces.u32`
// (rows of three vertices) in FOLDER, little-endian, says that it is ready, and then answers the
// lines of standard input as `engine.py` does: `crossings`, `once` and `pairs`. It decides with
// exact predicates.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>
#include <tbb/global_control.h>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
using Pairs = std::vector<std::pair<Surface::Face_index, Surface::Face_index>>;

template <typename T> std::vector<T> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw std::runtime_error(path + " cannot be read");
    std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(values.data()), values.size() * sizeof(T));
    return values;
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The mesh at the end of the step; face k is triangle k.
Surface build(const std::vector<double> &positions, const std::vector<std::uint32_t> &faces) {
    Surface surface;
    const std::size_t n_vertices = positions.size() / 6, n_faces = faces.size() / 3;
    surface.reserve(n_vertices, n_vertices + n_faces, n_faces);
    for (std::size_t v = 0; v < n_vertices; ++v) {
        const double *at = &positions[6 * v + 3];
        surface.add_vertex(Kernel::Point_3(at[0], at[1], at[2]));
    }
    for (std::size_t f = 0; f < n_faces; ++f) {
        const std::uint32_t *v = &faces[3 * f];
        const auto corner = [&](int k) { return Surface::Vertex_index(v[k]); };
        if (surface.add_face(corner(0), corner(1), corner(2)) == Surface::null_face()) {
            throw std::runtime_error("triangle " + std::to_string(f) + " does not fit into a surface mesh");
        }
    }
    return surface;
}

Pairs search(const Surface &surface, int threads) {
    namespace PMP = CGAL::Polygon_mesh_processing;
    Pairs pairs;
    if (threads == 1) {
        PMP::self_intersections<CGAL::Sequential_tag>(surface, std::back_inserter(pairs));
    } else {
        PMP::self_intersections<CGAL::Parallel_tag>(surface, std::back_inserter(pairs));
    }
    return pairs;
}

int serve(int threads, const std::string &folder) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    const auto positions = read<double>(folder + "/positions.f64");
    const auto faces = read<std::uint32_t>(folder + "/faces.u32");
    const double start = now();
    Surface surface = build(positions, faces);
    std::printf("{\"version\": \"%s\", \"prepare_seconds\": %.9f}\n", CGAL_VERSION_STR, now() - start);
    std::fflush(stdout);
    Pairs found;
    for (std::string line; std::getline(std::cin, line);) {
        const double start = now();
        if (line == "once") surface = build(positions, faces);
        if (line == "once" || line == "crossings") {
            found = search(surface, threads);
            const double seconds = now() - start;
            std::printf("{\"seconds\": %.9f, \"any\": %s}\n", seconds, found.empty() ? "false" : "true");
        } else if (line == "pairs") {
            std::vector<std::uint32_t> rows;
            for (const auto &[a, b] : found) rows.insert(rows.end(), {std::uint32_t(a), std::uint32_t(b)});
            std::ofstream file(folder + "/crossings-cgal.u32", std::ios::binary);
            file.write(reinterpret_cast<const char *>(rows.data()), rows.size() * sizeof(std::uint32_t));
            file.close();
            if (!file) throw std::runtime_error("the pairs cannot be written");
            std::printf("{\"pairs\": %zu}\n", found.size());
        } else {
            throw std::runtime_error("unknown command: " + line);
        }
        std::fflush(stdout);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: self_intersections THREADS FOLDER\n");
        return EXIT_FAILURE;
    }
    try {
        return serve(std::atoi(argv[1]), argv[2]);
    } catch (const std::exception &error) {
        std::printf("{\"error\": \"%s\"}\n", error.what());
        return EXIT_FAILURE;
    }
}
