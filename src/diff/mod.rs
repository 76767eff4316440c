//! Two sides of a project as classified changes.
//!
//! Owns what counts as a change, how bad each one is, which section and line did it, how many tokens of a cached prefix
//! are kept and written anew, and what that costs. Reads what was compiled on both sides; knows neither git nor formats.
//! Main types: [`Side`], [`Diff`], [`ProfileChange`], [`Class`], [`Cause`].

mod artifact;
mod cause;
mod compare;
mod cost;
mod counts;
mod order;
mod place;
mod prefix;
mod profile;
mod renames;
mod sections;
mod side;
mod written;

pub use cause::{Allowed, Cause, What};
pub use cost::{Cost, DEFAULT_TURNS};
pub use counts::Count;
pub use place::{Line, Whose};
pub use prefix::{FirstChange, Kept, PrefixChange};
pub use sections::{Edit, SectionChange, TextPair};
pub use side::{Side, Sided};

/// How bad a change is, least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Nothing changed.
    None,
    /// Files changed, no byte of output did.
    Meta,
    /// Only what stands behind the boundary is other.
    Tail,
    /// Other bytes in the static prefix, as many variants.
    Rewrite,
    /// Something shared is shared less.
    Demote,
    /// More static prefixes, or one that now depends on a run-time input.
    Fragment,
}

/// What a change does to every profile.
#[derive(Debug)]
pub struct Diff {
    /// One for each profile of either side, by name.
    pub profiles: Vec<ProfileChange>,
}

/// What a change does to one profile.
#[derive(Debug)]
pub struct ProfileChange {
    /// Its name.
    pub profile: String,
    /// The name that it has in the base, when that is another one.
    pub was: Option<String>,
    /// On which sides it is, and compiles.
    pub state: State,
    /// The worst that happened; `None` when a side that does not compile hides it.
    pub class: Option<Class>,
    /// Why it has this class, worst first.
    pub causes: Vec<Cause>,
    /// The target, as the head has it.
    pub target: Option<Aim>,
    /// The static prefix, of the artifact that changed most.
    pub prefix: Option<PrefixChange>,
    /// Static prefixes of that artifact's route, before and after.
    pub variants: Option<(Count, Count)>,
    /// All sections, in the order of the head; what is gone stands where it was.
    pub sections: Vec<SectionChange>,
    /// What it costs, where prices are known.
    pub cost: Option<Cost>,
    /// Each artifact that both sides have, and those that one has.
    pub artifacts: Vec<ArtifactChange>,
    /// Files that the profile is made of and that differ, by path.
    pub files: Vec<String>,
}

/// On which sides a profile is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// On both, and both compile.
    Compared,
    /// On the head alone.
    Added,
    /// On the base alone.
    Removed,
    /// A side does not compile, as a whole or in part.
    Broken {
        /// The base does not.
        base: bool,
        /// The head does not.
        head: bool,
    },
}

/// For what a prompt is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Aim {
    /// The provider's id.
    pub provider: String,
    /// The model.
    pub model: String,
    /// Whether tools are rendered ahead of the prompt.
    pub tools_first: bool,
    /// Whether the provider caches at marks alone.
    pub marks: bool,
    /// Fewest tokens that are cached.
    pub minimum: u64,
    /// Whether token counts are exact.
    pub exact: bool,
    /// How far off they may be, as a share.
    pub band: f64,
}

/// What a change does to one artifact.
#[derive(Clone, Debug)]
pub struct ArtifactChange {
    /// Cell of the matrix, layer, context, for people; empty for a profile that has but one.
    pub name: String,
    /// Whether both sides have it.
    pub state: Presence,
    /// The worst that happened to it.
    pub class: Class,
    /// Tokens of its static prefix that are written anew.
    pub rewritten: u64,
}

/// On which sides an artifact is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// Both.
    Both,
    /// The head.
    Added,
    /// The base.
    Removed,
}

/// Compares two sides.
pub fn compare(base: &Side<'_>, head: &Side<'_>) -> Diff {
    let renamed = renames::of_profiles(base, head);
    let is_elsewhere = |name: &&str| !renamed.values().any(|was| was == name);
    let mut names: Vec<&str> = base.names().filter(is_elsewhere).chain(head.names()).collect();
    names.sort_unstable();
    names.dedup();
    let one = |name: &&str| profile::compare((renamed.get(name).unwrap_or(name), base), (name, head));
    Diff { profiles: names.iter().map(one).collect() }
}

impl Class {
    /// All classes, worst first.
    pub const ALL: [Class; 6] = [Class::Fragment, Class::Demote, Class::Rewrite, Class::Tail, Class::Meta, Class::None];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::None => "none",
            Class::Meta => "meta",
            Class::Tail => "tail",
            Class::Rewrite => "rewrite",
            Class::Demote => "demote",
            Class::Fragment => "fragment",
        }
    }

    /// The class of this name.
    pub fn from_name(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl Diff {
    /// The worst class of all profiles.
    pub fn class(&self) -> Class {
        self.profiles.iter().filter_map(|p| p.class).max().unwrap_or(Class::None)
    }

    /// The worst class that no reason in a manifest allows.
    pub fn unallowed(&self) -> Class {
        self.profiles.iter().filter_map(ProfileChange::unallowed).max().unwrap_or(Class::None)
    }
}

impl ProfileChange {
    /// The class without what a reason in a manifest allows. Only the two classes that fail can be allowed.
    pub fn unallowed(&self) -> Option<Class> {
        let class = self.class?;
        if class < Class::Demote {
            return Some(class);
        }
        let open = self.causes.iter().filter(|cause| cause.allowed.is_none()).map(|cause| cause.class).max();
        Some(open.unwrap_or(Class::Rewrite).min(class))
    }
}

#[cfg(test)]
mod tests;
