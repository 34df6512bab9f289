//! Source names of functions: C++ symbols are demangled before they are shown.

/// Names of instances of templates may be too long to read.
const LONGEST: usize = 200;

/// The name as it is written in the source, with the types that belong to it.
pub fn name_in_source(symbol: &str) -> String {
    // `f` alone would be the type float.
    let mangled = Some(symbol).filter(|symbol| symbol.starts_with("_Z"));
    let plain =
        mangled.and_then(|symbol| cpp_demangle::Symbol::new(symbol).ok()).and_then(|symbol| symbol.demangle(&Default::default()).ok());
    plain.filter(|plain| plain.len() <= LONGEST).unwrap_or_else(|| symbol.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_cpp_are_shown_as_written() {
        assert_eq!(name_in_source("_ZN3Vec4pushEi"), "Vec::push(int)");
        ["main", "f", "g", "_Z", "_Zebra"].iter().for_each(|name| assert_eq!(name_in_source(name), *name));
    }
}
