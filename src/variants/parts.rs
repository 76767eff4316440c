//! A section explored part by part, so that what is independent costs a sum and not a product.

use std::sync::Arc;

use super::explore::{Explored, explore};
use super::kernel::{Node, Stop};
use super::model::{Model, Outcomes, Part, Text};
use super::pieces::Piece;
use crate::manifest::Trim;
use crate::render::{Probe, trim};
use crate::resolve::{Resolved, Section};
use crate::template;

/// A body with no more run-time conditionals than these is explored whole.
const FEW: usize = 6;

/// Assignments under which the parts are compared with the whole body.
const COMPARED: u32 = 4;

/// Whether a section may have so many ways that its parts are better gone through one by one.
pub(super) fn is_worth_cutting(section: &Section, resolved: &Resolved) -> bool {
    let is_open = |name: &Arc<str>| resolved.inputs.lifetime([&**name]).is_run_time();
    section.reads.conditionals.iter().filter(|names| names.iter().any(is_open)).count() > FEW
}

impl Model {
    /// Explores the parts of a section's body. False when it cannot be cut; then nothing has changed.
    pub(super) fn in_parts(
        &mut self,
        section: &Section,
        when: Node,
        care: Node,
        probe: &Probe<'_>,
        part: &mut Part,
    ) -> Result<bool, Stop> {
        let sample = self.space.values(&vec![0; self.m.axis_count()]);
        let Some(body) = probe.body(section, &sample) else { return Ok(false) };
        let Some(parts) = body.parts() else { return Ok(false) };
        let place = self.parts.len();
        let (before, allowed) = (self.renders, self.renders_left());
        let mut pieces: Vec<Piece> = Vec::new();
        let mut explored: Vec<(Outcomes, Node)> = Vec::new();
        let mut raw = String::new();
        for one in &parts {
            if let template::Part::Raw(text) = one {
                raw.push_str(text);
                continue;
            }
            let mut outcomes = Outcomes::default();
            let mut left = allowed.saturating_sub(self.renders - before);
            let all = left;
            let found = explore(&mut self.m, &self.space, care, &mut left, &mut |values| {
                outcomes.class(probe.part(section, one, values).map(Some))
            })?;
            self.renders += all - left;
            let Explored::Whole(function) = found else {
                self.renders = before;
                return Ok(false);
            };
            // Text that is always there goes with what follows it.
            let ahead = std::mem::take(&mut raw);
            pieces.push(Piece::of_pair(&mut self.m, Node::TRUE, function, place, &mut |_, class| {
                let said = outcomes.text(class).map_or("", |t| &**t);
                if ahead.is_empty() { said.into() } else { [&*ahead, said].concat().into() }
            })?);
            explored.push((outcomes, function));
        }
        pieces.push(Piece::fixed(&raw, place));
        // What may join to one line end across parts is for the whole body.
        if pieces.iter().any(|p| p.texts.iter().any(|t| t.contains('\r'))) {
            self.renders = before;
            return Ok(false);
        }
        let pieces = trimmed(self, pieces, probe.trims(section))?;
        let mut safe = care;
        for (outcomes, function) in &explored {
            let says = self.m.map(*function, &mut |class| u32::from(outcomes.text(class).is_some()))?;
            safe = self.m.and(safe, says)?;
        }
        if safe != Node::FALSE && !self.is_as_whole(section, &pieces, safe, probe)? {
            self.renders = before;
            return Ok(false);
        }
        for (outcomes, function) in &explored {
            self.exclude_failures(outcomes, *function, when, care, part.index)?;
        }
        self.settle(section, when, pieces, probe, part)?;
        Ok(true)
    }

    /// Where the section lives, and what it says there.
    fn settle(
        &mut self,
        section: &Section,
        when: Node,
        pieces: Vec<Piece>,
        probe: &Probe<'_>,
        part: &mut Part,
    ) -> Result<(), Stop> {
        let mut says = Node::FALSE;
        for piece in &pieces {
            let own = self.m.map(piece.function, &mut |class| u32::from(!piece.texts[class as usize].is_empty()))?;
            says = self.m.or(says, own)?;
        }
        part.live = if probe.keeps_empty(section) { when } else { self.m.and(when, says)? };
        let mut list = Vec::with_capacity(pieces.len());
        for piece in pieces {
            list.push(Piece::of_pair(&mut self.m, when, piece.function, piece.part, &mut |holds, class| {
                if holds == 1 { piece.texts[class as usize].clone() } else { "".into() }
            })?);
        }
        part.text = Text::Pieces(list);
        Ok(())
    }

    /// Whether the parts say what the whole body says, under some assignments.
    fn is_as_whole(
        &mut self,
        section: &Section,
        pieces: &[Piece],
        care: Node,
        probe: &Probe<'_>,
    ) -> Result<bool, Stop> {
        for number in 0..COMPARED {
            let wanted = scattered(self, number);
            let assignment = super::walk::nearest(&mut self.m, care, &wanted)?;
            let joined: String =
                pieces.iter().map(|p| &*p.texts[self.m.class_at(p.function, &assignment) as usize]).collect();
            self.renders += 1;
            let whole = probe.text(section, &self.space.values(&assignment));
            if whole.as_ref().map(|text| text.as_deref().unwrap_or_default()) != Ok(joined.as_str()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Values that differ from one number to the next, and are the same on every run.
fn scattered(model: &Model, number: u32) -> Vec<u32> {
    let mut state = u64::from(number) << 32 | 1;
    let axes = 0..model.m.axis_count();
    axes.map(|axis| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(model.m.size(axis as u16))) as u32
    })
    .collect()
}

/// Trims the text that the pieces join to: the start of a piece goes where all pieces ahead of it are blank, its end where
/// all pieces behind it are.
fn trimmed(model: &mut Model, pieces: Vec<Piece>, which: Trim) -> Result<Vec<Piece>, Stop> {
    let m = &mut model.m;
    let mut blank = Vec::with_capacity(pieces.len());
    for piece in &pieces {
        let is_blank = |class: u32| u32::from(trim(&piece.texts[class as usize], Trim::Both).is_empty());
        blank.push(m.map(piece.function, &mut |class| is_blank(class))?);
    }
    let mut list = pieces;
    for (side, is_wanted) in
        [(Trim::Start, matches!(which, Trim::Start | Trim::Both)), (Trim::End, matches!(which, Trim::End | Trim::Both))]
    {
        let mut all_blank = if is_wanted { Node::TRUE } else { Node::FALSE };
        for step in 0..list.len() {
            let n = if side == Trim::Start { step } else { list.len() - 1 - step };
            if all_blank == Node::FALSE {
                break;
            }
            let piece = &list[n];
            let made = Piece::of_pair(m, all_blank, piece.function, piece.part, &mut |outer, class| {
                let text = &piece.texts[class as usize];
                if outer == 1 { trim(text, side).into() } else { text.clone() }
            })?;
            list[n] = made;
            all_blank = m.and(all_blank, blank[n])?;
        }
    }
    Ok(list)
}
