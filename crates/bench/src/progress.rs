//! Who is told how far the work is.

/// Follows work that many threads do.
pub trait Progress: Sync {
    /// One more run is made, or one more formula tried.
    fn advance(&self);

    /// The work is alive; this is said several times a second.
    fn tick(&self);
}

/// Nobody is told.
impl Progress for () {
    fn advance(&self) {}

    fn tick(&self) {}
}
