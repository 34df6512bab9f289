//! The size of the table over time, for long runs: a few hundred points, however long the run takes.

use crate::table::Table;
use std::time::Instant;

/// Makes room in what is kept as a sample.
pub fn keep_every_other<T>(sample: &mut Vec<T>) {
    let mut keep = false;
    sample.retain(|_| {
        keep = !keep;
        keep
    });
}

/// When there are more than `most` points, every other one goes and the distance doubles.
pub struct Series {
    most: usize,
    start: Instant,
    points: Vec<(u128, usize, usize)>,
    /// Milliseconds between two points.
    distance: u128,
}

impl Series {
    /// Keeps at most so many points.
    pub fn new(most: usize) -> Self {
        Series { most, start: Instant::now(), points: Vec::new(), distance: 50 }
    }

    /// Adds the size that the table has now.
    pub fn note(&mut self, table: &Table) {
        let now = self.start.elapsed().as_millis();
        if self.points.last().is_some_and(|(last, ..)| now < last + self.distance) {
            return;
        }
        self.points.push((now, table.bytes(), table.len()));
        if self.points.len() > self.most {
            keep_every_other(&mut self.points);
            self.distance *= 2;
        }
    }

    /// The points, a line each.
    pub fn lines(&self) -> Vec<String> {
        let line = |(time, bytes, entries): &(u128, usize, usize)| {
            format!("table after {:.1} s: {bytes} bytes, {entries} interpolants", *time as f64 / 1000.0)
        };
        self.points.iter().map(line).collect()
    }
}
