//! How long the files and functions of the workspace are. A function is everything from `fn` to its closing brace, read with
//! `syn`, so neither macros nor comments confuse the count.

use crate::workspace::Workspace;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::Visit;

/// A file or a function, and its number of lines.
pub struct Length {
    pub lines: usize,
    /// `file` or `file: function`.
    pub what: String,
}

/// All lengths, the longest first.
#[derive(Default)]
pub struct Lengths {
    pub files: Vec<Length>,
    pub functions: Vec<Length>,
}

impl Lengths {
    /// Reads every Rust file of every crate.
    pub fn of(workspace: &Workspace) -> Result<Self, String> {
        let mut all = Self::default();
        for member in workspace.members.values() {
            let mut paths = Vec::new();
            rust_files(&member.path, &mut paths).map_err(|error| format!("{}: {error}", member.path.display()))?;
            for path in paths {
                all.add(&workspace.root, &path)?;
            }
        }
        for lengths in [&mut all.files, &mut all.functions] {
            lengths.sort_by(|a, b| b.lines.cmp(&a.lines).then(a.what.cmp(&b.what)));
        }
        Ok(all)
    }

    fn add(&mut self, root: &Path, path: &Path) -> Result<(), String> {
        let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        let syntax = syn::parse_file(&text).map_err(|error| format!("{name}: {error}"))?;
        let mut functions = Functions { file: &name, found: &mut self.functions };
        functions.visit_file(&syntax);
        self.files.push(Length { lines: text.lines().count(), what: name });
        Ok(())
    }
}

/// The length that 99 of 100 do not exceed.
pub fn percentile_99(longest_first: &[Length]) -> usize {
    longest_first.get(longest_first.len() / 100).map_or(0, |length| length.lines)
}

/// The files of Rust below a directory.
pub fn rust_files(directory: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            rust_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

struct Functions<'a> {
    file: &'a str,
    found: &'a mut Vec<Length>,
}

impl Functions<'_> {
    fn note(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let lines = body.span().end().line + 1 - signature.span().start().line;
        self.found.push(Length { lines, what: format!("{}: {}", self.file, signature.ident) });
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.note(&item.sig, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.note(&item.sig, &item.block);
        syn::visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.note(&item.sig, body);
        }
        syn::visit::visit_trait_item_fn(self, item);
    }
}
