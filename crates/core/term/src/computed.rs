//! Functions of the C library that terms apply like uninterpreted ones, and whose values at constants are computed: those of
//! <math.h> that IEEE arithmetic has no operation for. They are what the C library of this machine computes, because a
//! program that is run here gets the same. Of other arguments a solver knows nothing but what the program assumes
//! about the result, and that equal arguments give equal results.

use crate::float;
use crate::sort::{FloatFormat, Sort};
use crate::store::{FnId, TermStore};
use crate::value::Value;

/// Starts the names of these functions; C's name follows, with its suffix for `float`.
const PREFIX: &str = "libm.";

impl TermStore {
    /// One of these functions by its name in C without a suffix; None if there is none for the sort.
    pub fn computed_function(&self, name: &str, arity: usize, sort: Sort) -> Option<FnId> {
        let suffix = match sort {
            Sort::Float(FloatFormat::DOUBLE) => "",
            Sort::Float(FloatFormat::SINGLE) => "f",
            _ => return None,
        };
        // A function that has no value at 1 is unknown: all known ones do.
        double(name, &[1.0; 2][..arity.min(2)])?;
        Some(self.function(&format!("{PREFIX}{name}{suffix}"), &vec![sort; arity], sort))
    }

    /// Whether this is one of these functions.
    pub fn is_computed(&self, function: FnId) -> bool {
        self.function_name(function).starts_with(PREFIX)
            && matches!(self.function_sorts(function).1, Sort::Float(FloatFormat::DOUBLE | FloatFormat::SINGLE))
    }

    /// The value of such a function at a point.
    pub(crate) fn computed_value(&self, function: FnId, args: &[Value]) -> Option<Value> {
        if !self.is_computed(function) {
            return None;
        }
        let name = self.function_name(function);
        let name = name.strip_prefix(PREFIX)?;
        let bits: Option<Vec<u64>> = args.iter().map(Value::to_u64).collect();
        let bits = bits?;
        let Sort::Float(format) = self.function_sorts(function).1 else { return None };
        let result = if format == FloatFormat::DOUBLE {
            let args: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
            double(name, &args)?.to_bits()
        } else {
            let args: Vec<f32> = bits.iter().map(|&bits| f32::from_bits(bits as u32)).collect();
            single(name.strip_suffix('f')?, &args)?.to_bits() as u64
        };
        Some(Value::Bits(float::canonical(format, result as u128) as u64))
    }
}

unsafe extern "C" {
    // Rust brings a cube root of its own, which rounds better than that of most versions of the C library (there the root of 27 is a
    // little more than 3), and takes its name; these are other names of the library's.
    safe fn cbrtf64(x: f64) -> f64;
    safe fn cbrtf32(x: f32) -> f32;
}

/// Rust's methods call the C library's functions of these names; what it computes by formulas of its own is not here.
macro_rules! by_the_library {
    ($name:ident, $type:ty, $cube_root:ident) => {
        fn $name(name: &str, args: &[$type]) -> Option<$type> {
            Some(match (name, args) {
                ("sin", [x]) => x.sin(),
                ("cos", [x]) => x.cos(),
                ("tan", [x]) => x.tan(),
                ("asin", [x]) => x.asin(),
                ("acos", [x]) => x.acos(),
                ("atan", [x]) => x.atan(),
                ("sinh", [x]) => x.sinh(),
                ("cosh", [x]) => x.cosh(),
                ("tanh", [x]) => x.tanh(),
                ("exp", [x]) => x.exp(),
                ("exp2", [x]) => x.exp2(),
                ("expm1", [x]) => x.exp_m1(),
                ("log", [x]) => x.ln(),
                ("log2", [x]) => x.log2(),
                ("log10", [x]) => x.log10(),
                ("log1p", [x]) => x.ln_1p(),
                ("cbrt", [x]) => $cube_root(*x),
                ("atan2", [y, x]) => y.atan2(*x),
                ("hypot", [x, y]) => x.hypot(*y),
                ("pow", [x, y]) => x.powf(*y),
                _ => return None,
            })
        }
    };
}
by_the_library!(double, f64, cbrtf64);
by_the_library!(single, f32, cbrtf32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_computed_and_nothing_else() {
        let store = TermStore::new();
        let sort = Sort::Float(FloatFormat::DOUBLE);
        let pow = store.computed_function("pow", 2, sort).unwrap();
        let number = |x: f64| store.constant(&Value::Bits(x.to_bits()), sort);
        assert_eq!(store.apply(pow, &[number(2.0), number(10.0)]), number(1024.0));
        let x = store.var("x", sort);
        let open = store.apply(pow, &[x, number(10.0)]);
        assert_eq!(store.const_value(open), None);
        let mut model = crate::Model::default();
        model.values.insert(store.as_var(x).unwrap(), Value::Bits(3f64.to_bits()));
        assert_eq!(crate::Evaluator::new(model).eval(&store, open), Some(Value::Bits(59049f64.to_bits())));
        assert_eq!(store.computed_function("tgamma", 1, sort), None);
        assert_eq!(store.computed_function("sin", 1, Sort::Float(FloatFormat::X87)), None);
        let plain = store.function("f", &[sort], sort);
        assert!(!store.is_computed(plain));
        assert_eq!(store.const_value(store.apply(plain, &[number(1.0)])), None);
    }
}
