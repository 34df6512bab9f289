//! The scalar types of generated programs, their literals, and struct types.

use crate::rng::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Int { bits: u32, signed: bool },
    Float,
    Double,
}

pub const U8: Ty = Ty::Int { bits: 8, signed: false };
pub const U16: Ty = Ty::Int { bits: 16, signed: false };
pub const U32: Ty = Ty::Int { bits: 32, signed: false };
pub const U64: Ty = Ty::Int { bits: 64, signed: false };
pub const I8: Ty = Ty::Int { bits: 8, signed: true };
pub const I16: Ty = Ty::Int { bits: 16, signed: true };
pub const I32: Ty = Ty::Int { bits: 32, signed: true };
pub const I64: Ty = Ty::Int { bits: 64, signed: true };

pub const INTEGERS: [Ty; 8] = [U8, U16, U32, U64, I8, I16, I32, I64];

/// What every program starts with.
pub const TYPEDEFS: &str = "\
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
";

impl Ty {
    pub fn name(self) -> &'static str {
        match self {
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Int { bits: 8, signed: false } => "u8",
            Ty::Int { bits: 16, signed: false } => "u16",
            Ty::Int { bits: 32, signed: false } => "u32",
            Ty::Int { signed: false, .. } => "u64",
            Ty::Int { bits: 8, .. } => "i8",
            Ty::Int { bits: 16, .. } => "i16",
            Ty::Int { bits: 32, .. } => "i32",
            Ty::Int { .. } => "i64",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Ty::Float | Ty::Double)
    }

    pub fn bits(self) -> u32 {
        match self {
            Ty::Int { bits, .. } => bits,
            Ty::Float => 32,
            Ty::Double => 64,
        }
    }

    pub fn signed(self) -> bool {
        matches!(self, Ty::Int { signed: true, .. })
    }

    /// The unsigned type in which wrap-around arithmetic on this type is done: not subject to promotion.
    pub fn wide(self) -> Ty {
        if self.bits() <= 32 { U32 } else { U64 }
    }

    pub fn random(rng: &mut Rng, floats: bool) -> Ty {
        if floats && rng.chance(12) {
            return if rng.chance(50) { Ty::Float } else { Ty::Double };
        }
        *rng.pick(&INTEGERS)
    }

    /// A value of this integer type: often small or at a limit.
    pub fn random_value(self, rng: &mut Rng) -> i128 {
        let raw: i128 = match rng.below(6) {
            0 | 1 => rng.below(10) as i128,
            2 => -(rng.below(20) as i128),
            3 => (1i128 << rng.below(self.bits() as usize)) + rng.below(3) as i128 - 1,
            4 => -(1i128 << (self.bits() - 1)) + rng.below(2) as i128,
            _ => rng.next_u64() as i128,
        };
        self.wrap(raw)
    }

    /// The value cut to this integer type.
    pub fn wrap(self, value: i128) -> i128 {
        let size = 1i128 << self.bits();
        let low = value.rem_euclid(size);
        if self.signed() && low >= size / 2 { low - size } else { low }
    }

    /// `value`, which fits, as an expression of exactly this type.
    pub fn literal(self, value: i128) -> String {
        let name = self.name();
        match self {
            Ty::Int { bits: 64, signed: false } => format!("{value}ull"),
            Ty::Int { bits: 32, signed: false } => format!("{value}u"),
            Ty::Int { bits: 64, .. } if value == i64::MIN as i128 => {
                format!("(-{}ll - 1)", i64::MAX)
            }
            Ty::Int { bits: 64, .. } => format!("({value}ll)"),
            Ty::Int { bits: 32, .. } if value == i32::MIN as i128 => format!("(-{} - 1)", i32::MAX),
            Ty::Int { bits: 32, .. } => format!("({value})"),
            _ => format!("(({name})({value}))"),
        }
    }

    /// A literal of this type with a random value; floats get values with few bits.
    pub fn random_literal(self, rng: &mut Rng) -> String {
        match self {
            Ty::Float => format!("({}.{}f)", rng.below(40) as i64 - 20, rng.pick(&["0", "5", "25", "1"])),
            Ty::Double => format!("({}.{})", rng.below(4000) as i64 - 2000, rng.pick(&["0", "5", "125", "3"])),
            _ => {
                let value = self.random_value(rng);
                self.literal(value)
            }
        }
    }
}

#[derive(Clone)]
pub struct Field {
    pub name: String,
    pub ty: Ty,
    pub shape: Shape,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Plain,
    Bits(u32),
    Array(usize),
}

#[derive(Clone)]
pub struct StructTy {
    pub name: String,
    pub fields: Vec<Field>,
    pub packed: bool,
}

impl StructTy {
    pub fn random(rng: &mut Rng, index: usize, floats: bool) -> StructTy {
        let fields = (0..rng.between(2, 6)).map(|i| Field::random(rng, i, floats)).collect();
        StructTy { name: format!("s{index}"), fields, packed: rng.chance(20) }
    }

    pub fn definition(&self) -> String {
        let packed = if self.packed { "__attribute__((packed)) " } else { "" };
        let mut text = format!("struct {packed}{} {{\n", self.name);
        for field in &self.fields {
            let (ty, name) = (field.ty.name(), &field.name);
            text += &match field.shape {
                Shape::Plain => format!("  {ty} {name};\n"),
                Shape::Bits(width) => format!("  {ty} {name} : {width};\n"),
                Shape::Array(length) => format!("  {ty} {name}[{length}];\n"),
            };
        }
        text + "};\n"
    }
}

impl Field {
    fn random(rng: &mut Rng, index: usize, floats: bool) -> Field {
        let name = format!("f{index}");
        if rng.chance(35) {
            let ty = *rng.pick(&[U8, U16, U32, I32, U32, I32]);
            let width = rng.between(1, ty.bits() as usize - 1) as u32;
            return Field { name, ty, shape: Shape::Bits(width) };
        }
        let shape = if rng.chance(20) { Shape::Array(1 << rng.between(1, 2)) } else { Shape::Plain };
        Field { name, ty: Ty::random(rng, floats), shape }
    }
}
