//! A deformer of some of the vertices of another one.

use super::{Affine, Deformer, Governors, Line};
use crate::Error;
use std::borrow::Cow;
use std::sync::Arc;

/// Some vertices of a deformer, which have the same parameters and positions.
#[derive(Debug)]
pub(super) struct Part {
    whole: Arc<dyn Deformer>,
    /// For each vertex, its number in the whole.
    vertices: Vec<u32>,
    governors: Option<Governors>,
}

impl Part {
    /// Returns the given vertices of a deformer, in the given order. Fails with the first one that
    /// does not exist.
    pub(super) fn new(whole: Arc<dyn Deformer>, vertices: &[u32]) -> Result<Part, Error> {
        let n = whole.n_vertices();
        if let Some(&vertex) = vertices.iter().find(|&&vertex| n <= vertex as usize) {
            return Err(Error::PartVertex { vertex, vertices: n });
        }
        let governors = whole.governors().map(|governors| governors.part(vertices)).transpose()?;
        Ok(Part { whole, vertices: vertices.to_vec(), governors })
    }
}

impl Deformer for Part {
    fn n_vertices(&self) -> usize {
        self.vertices.len()
    }

    fn check(&self, parameters: &[f64]) -> Result<f64, Error> {
        self.whole.check(parameters)
    }

    fn position_at(&self, vertex: usize, parameters: &[f64]) -> [f64; 3] {
        self.whole.position_at(self.vertices[vertex] as usize, parameters)
    }

    fn place(&self, start: &[f64], end: Option<&[f64]>, vertices: &[u32], placed: &mut [Line]) {
        let of_whole: Vec<u32> = vertices.iter().map(|&vertex| self.vertices[vertex as usize]).collect();
        self.whole.place(start, end, &of_whole, placed);
    }

    fn governors(&self) -> Option<&Governors> {
        self.governors.as_ref()
    }

    fn maps<'a>(&self, parameters: &'a [f64]) -> Cow<'a, [Affine]> {
        self.whole.maps(parameters)
    }

    fn amplitudes<'a>(&self, parameters: &'a [f64]) -> &'a [f64] {
        self.whole.amplitudes(parameters)
    }

    fn memory_bytes(&self) -> usize {
        self.whole.memory_bytes()
            + size_of_val(self.vertices.as_slice())
            + self.governors.as_ref().map_or(0, Governors::memory_bytes)
    }
}
