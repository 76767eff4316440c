//! Numbers that look random, and are the same in every run and on every machine (SplitMix64).

/// A generator, made of its seed.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    /// One of several things.
    pub fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// `many` different numbers below `end`.
    pub fn some(&mut self, end: usize, many: usize) -> Vec<usize> {
        let mut out = Vec::new();
        while out.len() < many {
            let n = self.below(end);
            if !out.contains(&n) {
                out.push(n);
            }
        }
        out
    }
}
