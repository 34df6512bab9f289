mod operations;
mod refinement;
