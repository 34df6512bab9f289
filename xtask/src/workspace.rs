//! The crates of the workspace with their folders and what they use of each other, from `cargo metadata`.

use cargo_metadata::{Dependency, DependencyKind, MetadataCommand, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One crate of the workspace.
pub struct Member {
    /// The name of its package, without `fathom-` in front.
    pub name: String,
    /// Where it lies: `engines` for crates/engines/explore, `machine` for crates/machine, `xtask` for xtask.
    pub folder: String,
    /// Its directory.
    pub path: PathBuf,
    /// The crates of the workspace that it needs to be built. What only its tests need is not counted.
    pub uses: BTreeSet<String>,
    /// All libraries that its manifest names, as code spells them.
    pub dependencies: BTreeSet<String>,
}

/// The crates by name.
pub struct Workspace {
    pub root: PathBuf,
    pub members: BTreeMap<String, Member>,
}

impl Workspace {
    /// Asks cargo.
    pub fn load() -> Result<Self, String> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
        let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().map_err(|error| error.to_string())?;
        let root = metadata.workspace_root.clone().into_std_path_buf();
        let packages = metadata.workspace_packages();
        let names: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        let member = |package: &&Package| {
            let path = package.manifest_path.parent().map(|path| path.as_std_path().to_path_buf()).unwrap_or_default();
            let needed = package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development);
            let uses =
                needed.filter(|dependency| names.contains(dependency.name.as_str())).map(|dependency| short(&dependency.name)).collect();
            let in_code = |dependency: &Dependency| dependency.rename.as_ref().unwrap_or(&dependency.name).replace('-', "_");
            let dependencies = package.dependencies.iter().map(in_code).collect();
            Member { name: short(package.name.as_str()), folder: folder(&root, &path), path, uses, dependencies }
        };
        let members = packages.iter().map(member).map(|member| (member.name.clone(), member)).collect();
        Ok(Self { root, members })
    }

    /// Every crate that this one needs, directly or not.
    pub fn needs<'a>(&'a self, name: &'a str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut open = vec![name];
        while let Some(next) = open.pop() {
            let uses = self.members[next].uses.iter().map(String::as_str);
            open.extend(uses.filter(|used| found.insert(*used)));
        }
        found
    }
}

fn short(name: &str) -> String {
    name.strip_prefix("fathom-").unwrap_or(name).to_string()
}

fn folder(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let inside = inside.strip_prefix("crates").unwrap_or(inside);
    inside.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default()
}
