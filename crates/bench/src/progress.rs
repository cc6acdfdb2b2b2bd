//! The interface for progress of long work.

/// Follows work that many threads do.
pub trait Progress: Sync {
    /// One more run is made, or one more formula tried.
    fn advance(&self);

    /// Called several times a second while the work goes on.
    fn tick(&self);
}

/// Ignores progress.
impl Progress for () {
    fn advance(&self) {}

    fn tick(&self) {}
}
