//! Which optional inputs certainly have a value where an expression has come out one way.

use std::collections::BTreeSet;

type Names = BTreeSet<String>;

/// The optional inputs that have a value when an expression is true, and when it is false. Whatever it touches has one, or
/// it would have failed; tests such as `is defined`, and `default`, do not touch a name.
#[derive(Clone, Default, Debug)]
pub(super) struct Guards {
    pub(super) yes: Names,
    pub(super) no: Names,
}

impl Guards {
    /// What has a value whichever way it comes out.
    pub(super) fn touched(&self) -> Names {
        common(&self.yes, &self.no)
    }

    /// A name that is touched.
    pub(super) fn name(name: Option<&str>) -> Guards {
        let yes: Names = name.map(str::to_owned).into_iter().collect();
        Guards { no: yes.clone(), yes }
    }

    /// A test of a name: `is defined`, `is undefined`, `is none`, `is string`.
    pub(super) fn test(test: &str, name: Option<&str>) -> Guards {
        let names = Guards::name(name).yes;
        match test {
            "undefined" => Guards { yes: Names::new(), no: names },
            "none" => Guards::default(),
            _ => Guards { yes: names, no: Names::new() },
        }
    }

    pub(super) fn not(self) -> Guards {
        Guards { yes: self.no, no: self.yes }
    }

    /// `a and b`: the right is reached when the left is true.
    pub(super) fn and(self, right: Guards) -> Guards {
        if self.is_empty() && right.is_empty() {
            return self;
        }
        let no = common(&self.no, &union(self.yes.clone(), &right.no));
        Guards { yes: union(self.yes, &right.yes), no }
    }

    /// `a or b`: the right is reached when the left is false.
    pub(super) fn or(self, right: Guards) -> Guards {
        self.not().and(right.not()).not()
    }

    /// All parts are reached, and which way it comes out says nothing.
    pub(super) fn all(self, part: Guards) -> Guards {
        if self.is_empty() && part.is_empty() {
            return self;
        }
        let yes = union(self.touched(), &part.touched());
        Guards { no: yes.clone(), yes }
    }

    fn is_empty(&self) -> bool {
        self.yes.is_empty() && self.no.is_empty()
    }
}

fn union(mut a: Names, b: &Names) -> Names {
    a.extend(b.iter().cloned());
    a
}

fn common(a: &Names, b: &Names) -> Names {
    a.intersection(b).cloned().collect()
}
