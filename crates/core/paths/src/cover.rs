//! Checks that parts cover the whole: every part that was handed on exists, begins where it was handed on, and has
//! nothing left to explore. Since each tree has all sides of each of its decisions, the combined parts are then one
//! tree whose leaves were all explored to their ends, so no path is missing; and since each part is below a node of its
//! own, no path counts twice.

use crate::decision::Prefix;
use crate::hash::PathHash;
use crate::tree::Tree;

/// All paths of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// How many parts there are.
    pub parts: usize,
    /// How many paths came to their ends.
    pub paths: u64,
    /// Which ones: the same as of an exploration that nobody split.
    pub hash: PathHash,
}

/// Why the parts do not cover the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap<M> {
    /// A part is not there.
    Missing(M),
    /// A part's tree does not fit.
    Broken {
        /// Where the part begins.
        prefix: Prefix,
        /// Why.
        why: String,
    },
}

/// Puts the parts together. `part` gives the tree of the part with a beginning, or what is missing.
pub fn cover<'a, M>(mut part: impl FnMut(&Prefix) -> Result<&'a Tree, M>) -> Result<Covered, Gap<M>> {
    let mut covered = Covered::default();
    let mut todo = vec![Prefix::new()];
    while let Some(prefix) = todo.pop() {
        let tree = part(&prefix).map_err(Gap::Missing)?;
        let broken = |why: String| Gap::Broken { prefix: prefix.clone(), why };
        let seen = tree.part(&prefix).map_err(broken)?;
        if !seen.open.is_empty() {
            return Err(broken(format!("{} places were not explored", seen.open.len())));
        }
        // A part that hands on all of itself would be asked for again, for ever.
        if seen.handed_on.contains(&prefix) {
            return Err(broken("it was handed on to itself".into()));
        }
        covered.parts += 1;
        covered.paths = covered.paths.checked_add(seen.paths).ok_or_else(|| broken("too many paths".into()))?;
        covered.hash = covered.hash.plus(seen.hash);
        todo.extend(seen.handed_on);
    }
    Ok(covered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Decision;
    use crate::tree::Node;
    use std::collections::BTreeMap;

    /// A random tree of decisions; `None` where a side is impossible.
    enum Whole {
        Ends,
        Impossible,
        Forks(u64, Vec<Whole>),
    }

    fn whole(random: &mut fastrand::Rng, depth: u32) -> Whole {
        match random.u32(0..8) {
            0 => Whole::Ends,
            1 if depth > 0 => Whole::Impossible,
            _ if depth > 4 => Whole::Ends,
            _ => Whole::Forks(random.u64(..), (0..random.u32(2..4)).map(|_| whole(random, depth + 1)).collect()),
        }
    }

    fn paths(tree: &Whole, hash: PathHash) -> (u64, PathHash) {
        match tree {
            Whole::Ends => (1, hash),
            Whole::Impossible => (0, PathHash::default()),
            Whole::Forks(what, sides) => {
                let below = |(side, below): (usize, &Whole)| {
                    paths(below, hash.then(Decision { what: *what, sides: sides.len() as u32, side: side as u32 }))
                };
                sides.iter().enumerate().map(below).fold((0, PathHash::default()), |sum, one| (sum.0 + one.0, sum.1.plus(one.1)))
            }
        }
    }

    /// Divides it at random into parts.
    fn divide(
        tree: &Whole,
        at: &Prefix,
        hash: PathHash,
        nodes: &mut Vec<Node>,
        parts: &mut BTreeMap<String, Tree>,
        random: &mut fastrand::Rng,
    ) {
        if !at.is_empty() && random.u32(0..4) == 0 {
            nodes.push(Node::HandedOn);
            return part(tree, at, hash, parts, random);
        }
        match tree {
            Whole::Forks(what, sides) => {
                nodes.push(Node::Fork { what: *what, sides: sides.len() as u32 });
                for (side, below) in sides.iter().enumerate() {
                    let decision = Decision { what: *what, sides: sides.len() as u32, side: side as u32 };
                    let at: Prefix = at.iter().copied().chain([decision]).collect();
                    divide(below, &at, hash.then(decision), nodes, parts, random);
                }
            }
            leaf => {
                let (paths, hash) = paths(leaf, hash);
                nodes.push(Node::Closed { paths, hash });
            }
        }
    }

    fn key(prefix: &Prefix) -> String {
        serde_json::to_string(prefix).unwrap()
    }

    /// The part below this beginning.
    fn part(tree: &Whole, at: &Prefix, hash: PathHash, parts: &mut BTreeMap<String, Tree>, random: &mut fastrand::Rng) {
        let mut own = Vec::new();
        match tree {
            Whole::Forks(what, sides) => {
                own.push(Node::Fork { what: *what, sides: sides.len() as u32 });
                for (side, below) in sides.iter().enumerate() {
                    let decision = Decision { what: *what, sides: sides.len() as u32, side: side as u32 };
                    let at: Prefix = at.iter().copied().chain([decision]).collect();
                    divide(below, &at, hash.then(decision), &mut own, parts, random);
                }
            }
            leaf => {
                let (paths, hash) = paths(leaf, hash);
                own.push(Node::Closed { paths, hash });
            }
        }
        let Tree(mut nodes) = Tree::below(at);
        let open = nodes.iter().position(|node| *node == Node::Open).unwrap();
        nodes.splice(open..=open, own);
        parts.insert(key(at), Tree(nodes));
    }

    fn covered(parts: &BTreeMap<String, Tree>) -> Result<Covered, Gap<String>> {
        cover(|prefix| parts.get(&key(prefix)).ok_or(key(prefix)))
    }

    #[test]
    fn parts_cover_the_whole_and_nothing_less_does() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut tried = 0;
        for _ in 0..300 {
            let tree = whole(&mut random, 0);
            let mut parts = BTreeMap::new();
            part(&tree, &Prefix::new(), PathHash::start(), &mut parts, &mut random);
            let (count, hash) = paths(&tree, PathHash::start());
            assert_eq!(covered(&parts), Ok(Covered { parts: parts.len(), paths: count, hash }));
            if parts.len() < 2 {
                continue;
            }
            tried += 1;
            let names: Vec<String> = parts.keys().cloned().collect();
            let victim = names[random.usize(..names.len())].clone();
            let taken = parts.remove(&victim).unwrap();
            assert_eq!(covered(&parts), Err(Gap::Missing(victim.clone())));
            // Another part in its place, and one with a node less or more.
            let other = names.iter().find(|name| **name != victim).unwrap();
            for wrong in [parts[other].clone(), Tree(taken.0[1..].to_vec()), Tree([taken.0.clone(), vec![Node::Elsewhere]].concat())] {
                parts.insert(victim.clone(), wrong);
                assert!(covered(&parts).is_err());
            }
            for at in 0..taken.0.len() {
                for node in [Node::Open, Node::HandedOn, Node::Elsewhere, Node::Fork { what: 1, sides: 1 }] {
                    let mut wrong = taken.clone();
                    if wrong.0[at] != node {
                        wrong.0[at] = node;
                        parts.insert(victim.clone(), wrong);
                        assert!(covered(&parts).is_err(), "{taken:?} at {at}");
                    }
                }
            }
        }
        assert!(tried > 50, "{tried}");
    }

    #[test]
    fn a_part_that_hands_on_itself() {
        let tree = Tree(vec![Node::HandedOn]);
        assert!(matches!(cover::<()>(|_| Ok(&tree)), Err(Gap::Broken { .. })));
    }

    #[test]
    fn trees_come_back() {
        let prefix = vec![Decision { what: u64::MAX, sides: 3, side: 1 }, Decision { what: 2, sides: 2, side: 0 }];
        let tree = Tree::below(&prefix);
        assert_eq!(tree.part(&prefix).unwrap().open, std::slice::from_ref(&prefix));
        assert!(tree.part(&prefix[..1]).is_err() && tree.part(&[]).is_err());
        let text = serde_json::to_string(&(&prefix, &tree, PathHash::start())).unwrap();
        assert_eq!(serde_json::from_str::<(Prefix, Tree, PathHash)>(&text).unwrap(), (prefix, tree, PathHash::start()));
    }
}
