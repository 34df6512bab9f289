//! The waiting states in depth-first order, independent of which ones are picked in between (TracerX, section 4, the
//! third step of its random strategy): the last one is that whose subtree can be completed soonest. When a state forks,
//! its successors take its position, so that picking states from the middle does not change the order of the others.

/// A line of ids as a doubly linked list.
#[derive(Default)]
pub struct TreeOrder {
    links: Vec<Link>,
    free: Vec<u32>,
    last: Option<u32>,
    /// Where the state stood that runs now: new ones come right before it.
    gap: Option<u32>,
}

struct Link {
    /// None: the place of the state that runs now.
    id: Option<u64>,
    before: Option<u32>,
    behind: Option<u32>,
}

impl TreeOrder {
    /// The newest comes last, within the place of the state that runs.
    pub fn add(&mut self, id: u64) -> u32 {
        let at = self.free.pop().unwrap_or(self.links.len() as u32);
        let behind = self.gap;
        let before = match behind {
            Some(gap) => self.links[gap as usize].before.replace(at),
            None => self.last.replace(at),
        };
        if let Some(before) = before {
            self.links[before as usize].behind = Some(at);
        }
        let link = Link { id: Some(id), before, behind };
        match self.links.get_mut(at as usize) {
            Some(free) => *free = link,
            None => self.links.push(link),
        }
        at
    }

    /// The id at the end of the line.
    pub fn last(&mut self) -> Option<u64> {
        self.close_gap();
        self.links[self.last? as usize].id
    }

    /// The state at this place runs from now on.
    pub fn take(&mut self, at: u32) {
        self.close_gap();
        if self.links[at as usize].id.take().is_some() {
            self.gap = Some(at);
        }
    }

    fn close_gap(&mut self) {
        let Some(gap) = self.gap.take() else { return };
        let Link { before, behind, .. } = self.links[gap as usize];
        if let Some(before) = before {
            self.links[before as usize].behind = behind;
        }
        match behind {
            Some(behind) => self.links[behind as usize].before = before,
            None => self.last = before,
        }
        self.free.push(gap);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_take_the_place_of_their_parent() {
        let mut order = TreeOrder::default();
        let places: Vec<u32> = (0..4).map(|id| order.add(id)).collect();
        // 1 is picked from the middle and forks into 10 and 11.
        order.take(places[1]);
        let children = [order.add(10), order.add(11)];
        let mut taken = Vec::new();
        let place = |id: u64| match id {
            10 | 11 => children[id as usize - 10],
            id => places[id as usize],
        };
        while let Some(id) = order.last() {
            taken.push(id);
            order.take(place(id));
        }
        assert_eq!(taken, [3, 2, 11, 10, 0]);
        assert_eq!(order.free.len(), order.links.len());
    }
}
