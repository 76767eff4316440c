//! Edits that put sections of one manifest into another order.

use crate::diag::{Edit, Fix};
use crate::manifest::edits::{Slot, reorder};
use crate::manifest::{Role, Zone};
use crate::resolve::{Origin, Route, Section};
use crate::workspace::Workspace;

/// Puts sections of a route into this order: they take one another's places in their file, and `dynamic` becomes a
/// dynamic one. `None` where the order is not that of one manifest alone: sections of layers, of several files, a
/// variant with an order of its own, anchors.
pub fn reordered(workspace: &Workspace, order: &[&Section], dynamic: Option<&Section>) -> Option<Fix> {
    let first = order.first()?;
    let Origin::Prompt(name) = &first.origin else { return None };
    let prompt = workspace.prompts.get(name)?;
    let whole = order.iter().all(|s| matches!(s.origin, Origin::Prompt(_)) && s.span.file == prompt.file);
    let fixed = prompt.variants.iter().any(|v| v.order.is_some());
    if !whole || fixed || prompt.sections.iter().any(|s| s.after.is_some() || s.before.is_some()) {
        return None;
    }
    let slot = |section: &&Section| {
        let written = prompt.sections.iter().find(|s| s.id.span == section.span)?;
        let changes = dynamic.is_some_and(|d| d.span == section.span);
        let zone = changes.then(|| Edit { span: written.zone.span, text: "\"dynamic\"".to_owned() });
        Some(Slot { header: written.span, edits: zone.into_iter().collect() })
    };
    let slots: Option<Vec<Slot>> = order.iter().map(slot).collect();
    let edits = reorder(workspace.sources.text(prompt.file), &prompt.headers, &slots?)?;
    (!edits.is_empty()).then(|| Fix::safe(edits))
}

/// Moves a section behind the boundary: behind all static ones, and behind what lives longer than it does.
pub(super) fn behind_boundary(workspace: &Workspace, route: &Route, section: &Section) -> Option<Fix> {
    if section.role != Role::Content || section.declared != Zone::Static {
        return None;
    }
    let rest = route.sections.iter().skip_while(|s| s.span != section.span).skip(1);
    let rest = rest.filter(|s| s.role == Role::Content && s.channel == section.channel);
    let passed = rest.take_while(|s| s.zone == Zone::Static || (!s.is_layer() && s.lifetime() > section.lifetime()));
    let order: Vec<&Section> = passed.chain([section]).collect();
    reordered(workspace, &order, Some(section))
}
