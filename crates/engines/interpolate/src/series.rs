//! The size of the table over time, for people who run long: a few hundred points, however long it takes.

use crate::table::Table;
use std::time::Instant;

/// Points that are kept; when there are more, every other one goes and the distance doubles.
const MOST: usize = 256;

/// Makes room in what is kept as a sample.
pub fn keep_every_other<T>(sample: &mut Vec<T>) {
    let mut keep = false;
    sample.retain(|_| {
        keep = !keep;
        keep
    });
}

pub struct Series {
    start: Instant,
    points: Vec<(u128, usize, usize)>,
    /// Milliseconds between two points.
    distance: u128,
}

impl Default for Series {
    fn default() -> Self {
        Series { start: Instant::now(), points: Vec::new(), distance: 50 }
    }
}

impl Series {
    pub fn note(&mut self, table: &Table) {
        let now = self.start.elapsed().as_millis();
        if self.points.last().is_some_and(|(last, ..)| now < last + self.distance) {
            return;
        }
        self.points.push((now, table.bytes(), table.len()));
        if self.points.len() > MOST {
            keep_every_other(&mut self.points);
            self.distance *= 2;
        }
    }

    pub fn lines(&self) -> Vec<String> {
        let line = |(time, bytes, entries): &(u128, usize, usize)| {
            format!("table after {:.1} s: {bytes} bytes, {entries} interpolants", *time as f64 / 1000.0)
        };
        self.points.iter().map(line).collect()
    }
}
