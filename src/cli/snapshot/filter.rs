//! Which artifacts a command on snapshots is about.

use super::Loaded;
use crate::diag::nearest;
use crate::host::Error;
use crate::snapshot::{Accepted, Combination, Review};

/// Which artifacts are meant. What is left out stays as it is stored.
#[derive(clap::Args, Default, Debug)]
pub(super) struct Filter {
    /// Profiles; all, if none is named
    pub(super) profiles: Vec<String>,
    /// Only this fixture; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) fixture: Vec<String>,
}

impl Filter {
    pub(super) fn takes(&self, profile: &str, combination: &Combination) -> bool {
        let is_named = |name: &String| combination.fixture.as_ref() == Some(name);
        (self.profiles.is_empty() || self.profiles.iter().any(|p| p == profile))
            && (self.fixture.is_empty() || self.fixture.iter().any(is_named))
    }

    pub(super) fn accept(&self, review: &Review<'_>) -> Result<Accepted, Error> {
        review.accept(&|profile, combination| self.takes(profile, combination))
    }

    /// The words of the command line that say the same.
    pub(super) fn words(&self) -> String {
        let profiles = self.profiles.iter().map(|p| format!(" {p}"));
        profiles.chain(self.fixture.iter().map(|f| format!(" --fixture {f}"))).collect()
    }
}

/// A word of a filter that nothing has would silently take nothing.
pub(super) fn check(filter: &Filter, loaded: &Loaded) -> Result<(), Error> {
    let profiles = &loaded.workspace.profiles;
    let known: Vec<&str> = profiles.keys().chain(loaded.stored.profiles()).map(String::as_str).collect();
    if let Some(name) = filter.profiles.iter().find(|name| !known.contains(&name.as_str())) {
        let error = Error::new(format!("there is no profile `{name}`"));
        return Err(near(error, name, &known, "profiles"));
    }
    let is_meant = |name: &str| filter.profiles.is_empty() || filter.profiles.iter().any(|p| p == name);
    let mut fixtures: Vec<&str> = profiles
        .iter()
        .filter(|(name, _)| is_meant(name))
        .flat_map(|(_, p)| p.fixtures.iter().map(|f| f.name.value.as_str()))
        .collect();
    fixtures.extend(loaded.stored.fixtures(&is_meant));
    fixtures.sort_unstable();
    fixtures.dedup();
    match filter.fixture.iter().find(|name| !fixtures.contains(&name.as_str())) {
        Some(name) => {
            let error = Error::new(format!("no profile that is meant has a fixture `{name}`"));
            Err(near(error, name, &fixtures, "fixtures"))
        }
        None => Ok(()),
    }
}

fn near(error: Error, name: &str, known: &[&str], what: &str) -> Error {
    match nearest(name, known.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => error,
        None => error.help(format!("{what}: {}", known.join(", "))),
    }
}
