//! Marks: where the provider is told to cache, within its number and its minimum.

use super::{BlockPlan, Capabilities, Fitted, Kind};

/// Places marks. One at the end of each block that has a scope, except where it would be of no use: ahead of a static
/// block, on text that changes every turn, or below the provider's minimum. When there are too few marks, the longest
/// prefixes that everyone shares come first.
pub fn fit(plan: BlockPlan, target: &Capabilities) -> Fitted {
    let has_static = plan.blocks.iter().any(|b| b.kind == Kind::Static);
    let budget = target.max_marks.saturating_sub(target.marks_for_messages);
    let mut tokens = 0;
    let mut open = false;
    let mut marks: Vec<Option<String>> = Vec::with_capacity(plan.blocks.len());
    for block in &plan.blocks {
        if block.kind != Kind::Attribution {
            tokens += block.text.as_ref().map_or(0, |t| t.tokens);
        }
        // How long an open block gets is known at run time: its mark stays.
        open |= block.text.is_none();
        let wanted = block.scope.is_some()
            && !(block.kind == Kind::Prefix && has_static)
            && !block.sections.last().is_some_and(|s| s.dangerous)
            && (open || tokens >= target.min_tokens);
        marks.push(wanted.then(|| target.ttl(block.kind)));
    }
    let mut left = budget;
    let mut unplaced = Vec::new();
    for (mark, block) in marks.iter_mut().zip(&plan.blocks) {
        if mark.is_some() && left == 0 {
            *mark = None;
            unplaced.push(block.kind);
        }
        left -= u64::from(mark.is_some());
    }
    let used = marks.iter().flatten().count() as u64;
    Fitted { plan, marks, unplaced, marks_left: target.max_marks.saturating_sub(used) }
}
