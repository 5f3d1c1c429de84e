//! The tests of the library from outside, as one program: it is linked once, and what tests share
//! is compiled once.

mod auto;
mod common;
mod distance;
mod rasters;
mod referee;
mod skins;
mod tri_referee;

mod bands;
mod bounded_normals;
mod chromatic;
mod cleared_patches;
mod coloring;
mod closeness;
mod contact_point;
mod deformers;
mod exact_stage;
mod front;
mod magnitudes;
mod mesh;
mod methods;
mod narrow_vs_referee;
mod normal_cone;
mod radial;
mod radial_contour;
mod radial_scenes;
mod registry;
mod resting;
mod separation;
mod set_stages;
mod sets;
mod sink;
mod skinned;
mod stats;
mod surface;
mod operations;
mod threads;
mod triangle_triangle;
mod world;
