//! What `build` prints instead of writing: one artifact, one channel, one section.

use super::Stop;
use crate::emit::{self, Emitter, Subject};
use crate::host::Error;
use crate::manifest::Channel;

/// A part of an artifact that is printed alone.
#[derive(clap::Args, Debug)]
pub(super) struct Part {
    /// Only this channel's text: system, system_context or user_context
    #[arg(long, value_name = "NAME", value_parser = channel, conflicts_with = "section")]
    channel: Option<Channel>,
    /// Only this section's text
    #[arg(long, value_name = "ID")]
    section: Option<String>,
}

fn channel(word: &str) -> Result<Channel, String> {
    match word {
        "system" => Ok(Channel::System),
        "system_context" => Ok(Channel::SystemContext),
        "user_context" => Ok(Channel::UserContext),
        _ => Err("one of system, system_context, user_context".to_owned()),
    }
}

impl Part {
    /// Whether a part is asked for.
    pub(super) fn is_asked_for(&self) -> bool {
        self.channel.is_some() || self.section.is_some()
    }
}

/// What goes to stdout.
pub(super) fn text(part: &Part, emitters: &[Emitter], subject: &Subject<'_>) -> Result<String, Stop> {
    if let Some(channel) = part.channel {
        if !subject.is_closed() {
            return Err(open_error("--channel", subject));
        }
        return Ok(emit::channel_text(subject, channel));
    }
    if let Some(id) = &part.section {
        return match emit::section_text(subject, id) {
            Some(Some(text)) => Ok(text.to_owned()),
            Some(None) => Err(open_error("--section", subject)),
            None => {
                let ids: Vec<&str> = emit::section_ids(subject).collect();
                let error = Error::new(format!("the artifact has no section `{id}`"));
                Err(error.help(format!("sections: {}", ids.join(", "))).into())
            }
        };
    }
    let emitter = match emitters {
        [] => Emitter::Blocks,
        [emitter] => *emitter,
        _ => return Err(Error::new("stdout takes one form, and `--emit` names several").into()),
    };
    require_closed(emitter, subject)?;
    Ok(emitter.emit(subject))
}

/// Refuses an artifact with open sections for a form that cannot say so.
pub(super) fn require_closed(emitter: Emitter, subject: &Subject<'_>) -> Result<(), Stop> {
    match emitter.takes_open_blocks() || subject.is_closed() {
        true => Ok(()),
        false => Err(open_error(emitter.name(), subject)),
    }
}

fn open_error(form: &str, subject: &Subject<'_>) -> Stop {
    let awaited: Vec<String> = emit::awaited(subject).into_iter().map(|name| format!("`{name}`")).collect();
    let profile = &subject.resolved.profile;
    Error::new(format!("`{form}` needs every value, and `{profile}` waits for {}", awaited.join(", ")))
        .help("give a fixture or a file: `--context NAME`")
        .into()
}
