//! The error type of the library: what was found, where, and what is allowed.

use crate::{BodyId, MeshFaults};

/// Why an input was rejected. Every variant names the faulty element.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a non-finite {axis} coordinate ({value}) at t = {t}", axis = ["x", "y", "z"][*axis])]
    NonFinite {
        /// Index of the vertex: in the poses of a step; among the four points of a query; or among
        /// the six corners of two triangles.
        vertex: usize,
        /// Axis of the coordinate: 0, 1 or 2.
        axis: usize,
        /// End of the step at which it was found: 0 or 1.
        t: u8,
        /// The value found.
        value: f64,
    },
    /// The two poses of a step have different numbers of vertices.
    #[error("the step starts with {t0} vertices and ends with {t1}; both poses need the same number")]
    PoseLengths {
        /// Number of vertices at t = 0.
        t0: usize,
        /// Number of vertices at t = 1.
        t1: usize,
    },
    /// A batched query names a vertex that the step does not have.
    #[error("query {query} names vertex {vertex}, but the step has {vertices} vertices")]
    VertexOutOfRange {
        /// Index of the query in the batch.
        query: usize,
        /// The vertex index found.
        vertex: u32,
        /// Number of vertices of the step.
        vertices: usize,
    },
    /// A mesh or a pose has faults.
    #[error(transparent)]
    Mesh(#[from] MeshFaults),
    /// A pose does not fit its body.
    #[error("pose of body {}: {faults}", body.index())]
    Pose {
        /// The body.
        body: BodyId,
        /// What is wrong with the pose.
        faults: MeshFaults,
    },
    /// The bodies of a world have more vertices than can be numbered.
    #[error("the bodies of the world would have {vertices} vertices; at most {allowed} can be numbered")]
    TooManyVertices {
        /// Number of vertices of all bodies, with the new one.
        vertices: usize,
        /// The largest number allowed.
        allowed: usize,
    },
    /// A signed distance was asked of a body whose surface has no inside.
    #[error(
        "body {} is not closed: {open} of its edges do not have two triangles with opposite directions",
        body.index()
    )]
    NotClosed {
        /// The body.
        body: BodyId,
        /// Number of these edges.
        open: usize,
    },
    /// A point, or an end of a ray, has a coordinate that is NaN or infinite.
    #[error("the point ({}, {}, {}) is not finite", point[0], point[1], point[2])]
    Point {
        /// The point.
        point: [f64; 3],
    },
    /// There is no such body in the world.
    #[error("there is no body {}; the world has {bodies}", body.index())]
    NoSuchBody {
        /// The body that was named.
        body: BodyId,
        /// Number of bodies.
        bodies: usize,
    },
    /// A triangle is in a cluster that has no observer.
    #[error("triangle {triangle} is in cluster {cluster}, but there are {clusters} observers")]
    NoSuchCluster {
        /// The triangle.
        triangle: usize,
        /// Its cluster.
        cluster: u32,
        /// Number of observers.
        clusters: usize,
    },
    /// An observer is at a joint that does not exist.
    #[error("the observer of cluster {cluster} is at joint {joint}, but there are {joints} joints")]
    NoSuchJoint {
        /// The cluster.
        cluster: usize,
        /// The joint that was named.
        joint: u32,
        /// Number of joints.
        joints: usize,
    },
    /// A coordinate of a joint is NaN or infinite.
    #[error("joint {joint} has a non-finite {axis} coordinate ({value})", axis = ["x", "y", "z"][*axis])]
    JointNotFinite {
        /// The joint.
        joint: usize,
        /// Axis of the coordinate: 0, 1 or 2.
        axis: usize,
        /// The value found.
        value: f64,
    },
    /// The clusters were made for a different mesh.
    #[error("the clusters were made for {clusters} triangles, but the mesh has {triangles}")]
    OtherClusters {
        /// Number of triangles of the clusters.
        clusters: usize,
        /// Number of triangles of the mesh.
        triangles: usize,
    },
    /// The number of joints given for a body differs from that of its clusters.
    #[error("{given} joints were given, but the clusters of the body have {joints}")]
    JointCount {
        /// Number of joints given.
        given: usize,
        /// Number of joints of the clusters.
        joints: usize,
    },
    /// A vertex follows a bone that does not exist.
    #[error("vertex {vertex} follows bone {bone}, but there are {bones} bones")]
    NoSuchBone {
        /// The vertex.
        vertex: usize,
        /// The bone that was named.
        bone: u32,
        /// Number of bones.
        bones: usize,
    },
    /// A weight of a skin is negative or not finite.
    #[error(
        "vertex {vertex} follows bone {bone} with weight {weight}; weights must be finite and not negative"
    )]
    SkinWeight {
        /// The vertex.
        vertex: usize,
        /// The bone.
        bone: u32,
        /// The weight found.
        weight: f64,
    },
    /// The weights of a vertex do not sum to one.
    #[error("the weights of vertex {vertex} sum to {sum}; they must sum to 1, within 1/128")]
    SkinWeightSum {
        /// The vertex.
        vertex: usize,
        /// The sum found.
        sum: f64,
    },
    /// A skin was made for a different vertex count.
    #[error("the skin was made for {skin} vertices, but there are {vertices}")]
    OtherSkin {
        /// Number of vertices of the skin.
        skin: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A pose was given by parameters, but the model has no deformer.
    #[error("body {} was posed by bones or other parameters, but its model has no skin or other deformer", body.index())]
    NoDeformer {
        /// The body.
        body: BodyId,
    },
    /// A model has no skin.
    #[error("the model has no skin")]
    ModelWithoutSkin,
    /// A pose has too few or too many bones.
    #[error("{given} bones were given, but the skin has {bones}")]
    BoneCount {
        /// Number of bones given.
        given: usize,
        /// Number of bones of the skin.
        bones: usize,
    },
    /// A pose has too few or too many parameters.
    #[error("{given} parameters were given, but the deformer has {parameters}")]
    ParameterCount {
        /// Number of parameters given.
        given: usize,
        /// Number of parameters of the deformer.
        parameters: usize,
    },
    /// A bone has an entry that is not finite, or so large that positions may not be.
    #[error("the map of bone {bone} is not finite, or too large for finite positions")]
    BoneRange {
        /// The bone.
        bone: usize,
    },
    /// A deformer was made for a different vertex count.
    #[error("the deformer was made for {deformer} vertices, but there are {vertices}")]
    OtherDeformer {
        /// Number of vertices of the deformer.
        deformer: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A part of a deformer has a vertex that does not exist.
    #[error("the part has vertex {vertex}, but the deformer has {vertices} vertices")]
    PartVertex {
        /// The vertex that was named.
        vertex: u32,
        /// Number of vertices of the deformer.
        vertices: usize,
    },
    /// An edge of a control mesh has more than two triangles.
    #[error("the edge of control points {} and {} has {triangles} triangles; there may be two", edge[0], edge[1])]
    ControlEdge {
        /// The ends of the edge.
        edge: [u32; 2],
        /// Number of triangles.
        triangles: usize,
    },
    /// The triangles around a control point are not one fan.
    #[error("the triangles around control point {vertex} are more than one fan")]
    ControlVertex {
        /// The control point.
        vertex: u32,
    },
    /// Two triangles of a control mesh have the same corners.
    #[error("triangles {} and {} of the control mesh have the same corners", triangles[0], triangles[1])]
    ControlTwins {
        /// The triangles.
        triangles: [usize; 2],
    },
    /// A control point is not finite, or so large that positions may not be.
    #[error("control point {point} is not finite, or too large for finite positions")]
    ControlRange {
        /// The control point.
        point: usize,
    },
    /// A subdivision surface would be too large.
    #[error("level {level} of the subdivision would have {weights} weights; at most {allowed} are allowed")]
    LoopSize {
        /// The level.
        level: usize,
        /// Number of weights of all of its vertices.
        weights: usize,
        /// The largest number allowed.
        allowed: usize,
    },
    /// The position of a particle is NaN or infinite.
    #[error("particle {particle} has a non-finite {axis} coordinate ({value})", axis = ["x", "y", "z"][*axis])]
    ParticleNotFinite {
        /// The particle.
        particle: usize,
        /// Axis of the coordinate: 0, 1 or 2.
        axis: usize,
        /// The value found.
        value: f64,
    },
    /// The radius of a particle is not finite and positive.
    #[error("particle {particle} has radius {radius}; radii must be finite and positive")]
    ParticleRadius {
        /// The particle.
        particle: usize,
        /// The radius found.
        radius: f64,
    },
    /// A vertex is not within the radius of any particle.
    #[error("no particle reaches vertex {vertex}")]
    VertexWithoutParticle {
        /// The vertex.
        vertex: usize,
    },
    /// No vertex is within the radius of a particle.
    #[error("particle {particle} reaches no vertex")]
    IdleParticle {
        /// The particle.
        particle: usize,
    },
    /// A particle has an entry that is not finite, or so large that positions may not be.
    #[error("the pose of particle {particle} is not finite, or too large for finite positions")]
    ParticleRange {
        /// The particle.
        particle: usize,
    },
    /// An amplitude of a mode is not finite, or so large that positions may not be.
    #[error("the amplitude of mode {mode} is {amplitude}: not finite, or too large for finite positions")]
    AmplitudeRange {
        /// The mode.
        mode: usize,
        /// The amplitude found.
        amplitude: f64,
    },
    /// A mode has too few or too many displacements.
    #[error("mode {mode} has {given} displacements, but there are {vertices} vertices")]
    ModeLength {
        /// The mode.
        mode: usize,
        /// Number of its displacements.
        given: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A displacement of a mode is NaN or infinite.
    #[error("mode {mode} displaces vertex {vertex} by a non-finite {axis} coordinate ({value})", axis = ["x", "y", "z"][*axis])]
    ModeNotFinite {
        /// The mode.
        mode: usize,
        /// The vertex.
        vertex: usize,
        /// Axis of the coordinate: 0, 1 or 2.
        axis: usize,
        /// The value found.
        value: f64,
    },
    /// The two ends of a step were given in different ways.
    #[error("body {} starts the step posed by {}, and ends it posed by {}", body.index(), if *parameters { "parameters" } else { "vertices" }, if *parameters { "vertices" } else { "parameters" })]
    PoseKinds {
        /// The body.
        body: BodyId,
        /// Whether it starts posed by parameters.
        parameters: bool,
    },
    /// A time budget was given, but the query has no clock.
    #[error("a time budget needs a clock; see Query::clock")]
    NoClock,
    /// A budget was given to a method that does not support one.
    #[error("only the sphere tree takes a budget")]
    NoBudget,
    /// The bytes are not valid saved clusters of this mesh.
    #[error("saved clusters: {0}")]
    SavedClusters(String),
    /// A method for crossings was asked for the contacts of a step.
    #[error("the method {method} is for crossings at an instant, not for contacts of a step")]
    NotForSteps {
        /// Name of the method.
        method: &'static str,
    },
    /// The query was ended early by its flag.
    #[error("the query was stopped before its end")]
    Stopped,
    /// There is no method of that name.
    #[error("there is no method `{name}`; there are {names}")]
    NoSuchMethod {
        /// The name.
        name: String,
        /// The names of all methods.
        names: String,
    },
    /// A method has no option of that name.
    #[error("the method {method} has no option `{option}`; its options: {}", if options.is_empty() { "none" } else { options })]
    NoSuchMethodOption {
        /// The method.
        method: &'static str,
        /// The name of the option.
        option: String,
        /// The names of all options of the method.
        options: String,
    },
    /// A setting is out of range.
    #[error("{name} is {value}; it must be {allowed}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The value found.
        value: f64,
        /// What is allowed, as text.
        allowed: &'static str,
    },
}
