//! What a section reads, as written, and with it its lifetime.

use std::collections::BTreeSet;

use super::section::{How, Reading};
use super::view::View;
use super::{Reads, Section, Source, Values};
use crate::diag::{Diagnostic, Severity, Sink};
use crate::expr::Condition;
use crate::limits::Limits;
use crate::manifest::Layout;
use crate::source::{Located, Spanned};
use crate::template::{self, Library};

/// What a section reads. What is wrong in its body goes to the sink.
pub(super) fn read(
    section: &Section,
    layout: &Layout,
    library: &dyn Library,
    agents: &[&Located],
    view: &View<'_>,
    limits: &Limits,
    sink: &mut Sink,
) -> Reads {
    let mut reads = Reads::default();
    let mut places = Vec::new();
    if let Some(when) = &section.when {
        condition(when, How::When, &mut places);
    }
    let after_when = places.len();
    let mut choice = |name: &Spanned<String>| {
        places.push(Reading { input: (*name.value).into(), span: name.span, how: How::Choice });
    };
    let mut bodies: Vec<&Located> = Vec::new();
    match &section.source {
        Source::Text(body) => bodies.push(body),
        Source::Choice { by, files, otherwise } => {
            choice(by);
            bodies.extend(files.iter().map(|(_, (_, body))| body));
            bodies.extend(otherwise.iter().map(|(_, body)| body));
        }
        Source::Input(name) => choice(name),
        Source::Agent(name) => {
            choice(name);
            bodies.extend(agents);
        }
        Source::Broken => {}
    }
    for replace in section.replacements(layout) {
        if let Some(when) = &replace.when {
            condition(when, How::Replace, &mut places);
        }
    }
    let mut body_reads = BTreeSet::new();
    if !section.verbatim {
        for body in bodies {
            let analysis = template::analyse(body, layout.syntax(), library, view, limits);
            let facts = &analysis.facts;
            reads.faulty |= analysis.found.iter().any(|d| d.severity() == Severity::Error);
            sink.extend(analysis.found.iter().cloned().map(|d| match d.rule == &template::RAW_VALUE_PRINTED {
                true => section.finding(d),
                false => d,
            }));
            reads.files.extend(facts.files.iter().cloned());
            reads.asked.extend(facts.asked.iter().cloned());
            reads.unguarded.extend(facts.unguarded.iter().cloned());
            reads.prints.extend(facts.prints.iter().cloned());
            reads.conditionals.extend(facts.conditionals.iter().cloned());
            for mention in &facts.mentions {
                body_reads.insert(mention.input.clone());
                let how = How::Body(mention.role);
                places.push(Reading { input: mention.input.clone(), span: mention.span, how });
            }
        }
    }
    reads.body = body_reads;
    reads.text = places[after_when..].iter().map(|p| p.input.clone()).collect();
    reads.all = places.iter().map(|p| p.input.clone()).collect();
    reads.lifetime = Some(view.inputs.lifetime(reads.all.iter().map(|name| &**name)));
    reads.places = places;
    reads
}

fn condition(when: &Condition, how: How, places: &mut Vec<Reading>) {
    let mentions: Vec<_> = when.mentions().into_iter().cloned().collect();
    // A condition that is one name alone is shown whole.
    let alone = mentions.len() == 1 && when.text.text.trim() == mentions[0].value;
    for name in mentions {
        let span = if alone { when.text.outer_span() } else { name.span };
        places.push(Reading { input: name.value.into(), span, how });
    }
}

/// What is wrong with the names of a template that arrives as a value.
pub fn check_value_template(
    source: &Located,
    layout: &Layout,
    library: &dyn Library,
    values: &Values,
    limits: &Limits,
) -> Vec<Diagnostic> {
    let view = View::new(values.inputs(), values);
    template::analyse(source, layout.syntax(), library, &view, limits).found.clone()
}
