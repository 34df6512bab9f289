//! What a statement can name: variables, arrays, structs, pointers, and how to read or write a part of them.

use crate::rng::Rng;
use crate::types::{Shape, StructTy, Ty, U8, U16, U32};

/// Something that holds values: a variable of one of these kinds.
#[derive(Clone)]
pub enum Kind {
    Scalar(Ty),
    /// The length is a power of two.
    Array(Ty, usize),
    /// Rows and columns are powers of two.
    Matrix(Ty, usize, usize),
    Struct(StructTy),
    StructArray(StructTy, usize),
    /// `union view`: a word, its halves and its bytes.
    View,
    /// Points to a scalar of this type, always.
    Pointer(Ty),
    /// Points to a struct, always.
    StructPointer(StructTy),
}

#[derive(Clone)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Loop counters and inputs are read, never written.
    pub writable: bool,
}

/// A part of a variable that can be read or written: an lvalue, with its type.
pub struct Lvalue {
    pub text: String,
    pub ty: Ty,
    /// Bit-fields and members of packed structs have no address that a plain pointer can hold; members of unions
    /// must be accessed through the union, or compilers may assume that they don't overlap.
    pub addressable: bool,
    pub bitfield: bool,
}

impl Lvalue {
    fn plain(text: String, ty: Ty) -> Lvalue {
        Lvalue { text, ty, addressable: true, bitfield: false }
    }
}

impl Variable {
    pub fn new(name: String, kind: Kind) -> Variable {
        Variable { name, kind, writable: true }
    }

    /// A random part; `index` makes the text of an index below the power of two that it is given.
    pub fn lvalue(&self, rng: &mut Rng, index: &mut dyn FnMut(&mut Rng, usize) -> String) -> Lvalue {
        let name = &self.name;
        match &self.kind {
            Kind::Scalar(ty) => Lvalue::plain(name.clone(), *ty),
            Kind::Pointer(ty) => Lvalue::plain(format!("(*{name})"), *ty),
            Kind::Array(ty, n) => Lvalue::plain(format!("{name}[{}]", index(rng, *n)), *ty),
            Kind::Matrix(ty, n, m) => {
                let (row, column) = (index(rng, *n), index(rng, *m));
                Lvalue::plain(format!("{name}[{row}][{column}]"), *ty)
            }
            Kind::Struct(ty) => member(name.clone() + ".", ty, rng, index),
            Kind::StructPointer(ty) => member(name.clone() + "->", ty, rng, index),
            Kind::StructArray(ty, n) => {
                let at = index(rng, *n);
                member(format!("{name}[{at}]."), ty, rng, index)
            }
            Kind::View => {
                let (text, ty) = match rng.below(3) {
                    0 => (format!("{name}.word"), U32),
                    1 => (format!("{name}.half[{}]", index(rng, 2)), U16),
                    _ => (format!("{name}.byte[{}]", index(rng, 4)), U8),
                };
                Lvalue { text, ty, addressable: false, bitfield: false }
            }
        }
    }
}

fn member(prefix: String, ty: &StructTy, rng: &mut Rng, index: &mut dyn FnMut(&mut Rng, usize) -> String) -> Lvalue {
    let field = rng.pick(&ty.fields).clone();
    let mut text = prefix + &field.name;
    if let Shape::Array(n) = field.shape {
        text += &format!("[{}]", index(rng, n));
    }
    let bitfield = matches!(field.shape, Shape::Bits(_));
    Lvalue { text, ty: field.ty, addressable: !bitfield && !ty.packed, bitfield }
}
