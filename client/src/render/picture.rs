//! A screen that is drawn when its width is known, and again when it changes.

use std::fmt;
use std::sync::Arc;

use crate::render::look::Look;

/// A text for any look.
#[derive(Clone)]
pub(crate) struct Picture(Arc<dyn Fn(&Look) -> String + Send + Sync>);

impl Picture {
    pub(crate) fn new(draw: impl Fn(&Look) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(draw))
    }

    pub(crate) fn draw(&self, look: &Look) -> String {
        (self.0)(look)
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Picture")
    }
}
