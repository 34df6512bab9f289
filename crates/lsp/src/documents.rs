//! The documents that are open in the editor, and how the editor names files. Clients spell URIs in their own ways
//! (`%3A` or `:`, capital letters or not), and a file can be reached by several paths; so documents are identified by
//! their canonical paths, and messages to the client name an open document by the URI that the client used itself.

use gen_lsp_types::Uri;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// What Fathom can do with a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Verify it.
    Program,
    /// Nothing by itself: it is a part of other programs.
    Header,
    /// Nothing.
    Other,
}

/// The open documents.
#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<PathBuf, Uri>,
}

impl Documents {
    /// A document was opened; its path, unless it is no file.
    pub fn open(&mut self, uri: &Uri) -> Option<PathBuf> {
        let path = path_of(uri)?;
        self.open.insert(path.clone(), uri.clone());
        Some(path)
    }

    /// Forgets a document that was closed.
    pub fn close(&mut self, path: &Path) {
        self.open.remove(path);
    }

    /// The paths of all.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.open.keys().cloned().collect()
    }

    /// How the client names this file.
    pub fn uri(&self, path: &Path) -> Uri {
        self.open.get(path).cloned().unwrap_or_else(|| uri_of(path))
    }
}

/// What can be done with a file of this name.
pub fn kind(path: &Path) -> Kind {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "c" | "i" | "cc" | "cpp" | "cxx" | "ii" | "bpl" => Kind::Program,
        "h" | "hh" | "hpp" | "hxx" => Kind::Header,
        _ => Kind::Other,
    }
}

/// The file that a URI names; none for documents that are no files.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let (scheme, rest) = uri.0.split_once("://")?;
    // A file on this machine: without a host, or with the one that stands for it.
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/') && scheme.eq_ignore_ascii_case("file"))?;
    Some(real(Path::new(&OsString::from_vec(percent_decode_str(path).collect()))))
}

/// The URI of a file.
pub fn uri_of(path: &Path) -> Uri {
    Uri(fathom_report::uri(path))
}

/// The path that all links lead to; of a file that does not exist, the path as it is.
pub fn real(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_uris() {
        let uri = "file:///no/such%20dir/%C3%A9%23%25%FF.c";
        let path = path_of(&Uri(uri.into())).unwrap();
        assert_eq!(path.as_os_str().as_encoded_bytes(), b"/no/such dir/\xc3\xa9#%\xff.c");
        assert_eq!(uri_of(&path).0, uri);
        let same = ["FILE:///no/such.c", "file://localhost/no/such.c", "file:///no/such.c#L1", "file:///no/%73uch%2Ec"];
        same.iter().for_each(|uri| assert_eq!(path_of(&Uri((*uri).into())).unwrap(), Path::new("/no/such.c"), "{uri}"));
        for other in ["untitled:Untitled-1", "git:/a.c?x", "https://host/a.c", "file://host/a.c", "file://", "a.c", ""] {
            assert_eq!(path_of(&Uri(other.into())), None, "{other}");
        }
    }

    #[test]
    fn the_client_hears_its_own_uri() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("a.c"), directory.path().join("b.c"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let spelled = Uri(uri_of(&link).0.replace("b.c", "%62.c"));
        let mut documents = Documents::default();
        let path = documents.open(&spelled).unwrap();
        assert_eq!(path, real(&file));
        assert_eq!(documents.uri(&path), spelled);
        documents.close(&path);
        assert_eq!(documents.uri(&path), uri_of(&path));
    }
}
