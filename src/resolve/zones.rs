//! Channels in order, and which sections stand before the boundary: by declared order alone.

use super::Section;
use crate::manifest::{Channel, Role, Zone};

/// Puts channels in order and demotes static sections behind a dynamic one. Role sections do not count.
pub(super) fn settle(mut sections: Vec<Section>) -> Vec<Section> {
    sections.sort_by_key(|s| s.channel);
    let mut behind = false;
    for section in &mut sections {
        if section.role == Role::Content && section.channel == Channel::System {
            behind |= section.declared == Zone::Dynamic;
            section.zone = if behind { Zone::Dynamic } else { Zone::Static };
        }
    }
    sections
}
