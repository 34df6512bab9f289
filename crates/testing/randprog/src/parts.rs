//! What the body of a function consists of besides statements: declarations at its start, and the folding of all that
//! it can see into the checksum at its end.

use crate::rng::Rng;
use crate::scope::{Kind, Variable};
use crate::stmt::Stmts;
use crate::types::{Shape, StructTy, Ty, U32};

impl Stmts<'_> {
    pub fn declare(&mut self, name: String, kind: Kind) {
        let initial = match &kind {
            Kind::Scalar(ty) => self.expr(*ty, 1),
            Kind::Pointer(_) | Kind::StructPointer(_) => match self.address_for(&kind) {
                Some(address) => address,
                None => return,
            },
            _ => initialiser(self.rng, &kind),
        };
        self.line(&format!("{} = {initial};", declaration(&name, &kind)));
        self.scope.push(Variable::new(name, kind));
    }

    /// Scalars, an array, pointers, sometimes a block of the heap. Pointers come last: they may point to the others.
    pub fn locals(&mut self, heap: bool) {
        for index in 0..self.rng.between(1, 3) {
            let ty = Ty::random(self.rng, self.floats);
            self.declare(format!("v{index}"), Kind::Scalar(ty));
        }
        if self.rng.chance(50) {
            let ty = Ty::random(self.rng, self.floats);
            self.declare("local".into(), Kind::Array(ty, 4));
        }
        if self.rng.chance(40) {
            let ty = self.rng.pick(self.structs).clone();
            self.declare("record".into(), Kind::Struct(ty));
        }
        if heap {
            self.line("u32 *heap = malloc(4 * sizeof *heap);");
            self.line("if (!heap) abort();");
            self.line("for (u32 i = 0; i < 4; i++) heap[i] = i * 17u;");
            self.scope.push(Variable::new("heap".into(), Kind::Array(U32, 4)));
        }
        let scalars: Vec<Ty> = self.scope.iter().filter_map(|v| if let Kind::Scalar(ty) = v.kind { Some(ty) } else { None }).collect();
        for index in 0..self.rng.below(3) {
            let ty = *self.rng.pick(&scalars);
            self.declare(format!("ptr{index}"), Kind::Pointer(ty));
        }
        let structs: Vec<StructTy> =
            self.scope.iter().filter_map(|v| if let Kind::Struct(ty) = &v.kind { Some(ty.clone()) } else { None }).collect();
        if !structs.is_empty() && self.rng.chance(50) {
            let ty = self.rng.pick(&structs).clone();
            self.declare("link".into(), Kind::StructPointer(ty));
        }
    }

    pub fn block_of_function(&mut self) {
        let (statements, depth) = self.size;
        let count = self.rng.between(statements / 2, statements);
        self.block(count, depth);
    }

    pub fn free(&mut self, heap: bool) {
        if heap {
            self.line("free(heap);");
        }
    }

    /// Folds every part of a variable into the checksum.
    pub fn mix_all(&mut self, variable: &Variable) {
        let name = &variable.name;
        match &variable.kind {
            Kind::Scalar(ty) => self.mix_value(name, *ty),
            Kind::Pointer(ty) => self.mix_value(&format!("*{name}"), *ty),
            Kind::Array(ty, n) => {
                self.line(&format!("for (u32 i = 0; i < {n}; i++)"));
                self.indent += 1;
                self.mix_value(&format!("{name}[i]"), *ty);
                self.indent -= 1;
            }
            Kind::Matrix(ty, n, m) => {
                self.line(&format!("for (u32 i = 0; i < {}; i++)", n * m));
                self.indent += 1;
                self.mix_value(&format!("{name}[i / {m}][i % {m}]"), *ty);
                self.indent -= 1;
            }
            Kind::View => self.mix_value(&format!("{name}.word"), U32),
            Kind::Struct(ty) => self.mix_struct(name, ty),
            Kind::StructPointer(ty) => self.mix_struct(&format!("(*{name})"), ty),
            Kind::StructArray(ty, n) => (0..*n).for_each(|i| self.mix_struct(&format!("{name}[{i}]"), ty)),
        }
    }

    fn mix_struct(&mut self, name: &str, ty: &StructTy) {
        for field in &ty.fields {
            let suffix = if matches!(field.shape, Shape::Array(_)) { "[1]" } else { "" };
            self.mix_value(&format!("{name}.{}{suffix}", field.name), field.ty);
        }
    }

    fn mix_value(&mut self, text: &str, ty: Ty) {
        let line = match ty {
            t if t.is_float() => format!("mix((u32)to_int({text}));"),
            t if t.bits() == 64 => format!("mix((u32){text} ^ (u32)({text} >> 32));"),
            _ => format!("mix((u32){text});"),
        };
        self.line(&line);
    }
}

pub fn declaration(name: &str, kind: &Kind) -> String {
    match kind {
        Kind::Scalar(ty) => format!("{} {name}", ty.name()),
        Kind::Array(ty, n) => format!("{} {name}[{n}]", ty.name()),
        Kind::Matrix(ty, n, m) => format!("{} {name}[{n}][{m}]", ty.name()),
        Kind::Struct(ty) => format!("struct {} {name}", ty.name),
        Kind::StructArray(ty, n) => format!("struct {} {name}[{n}]", ty.name),
        Kind::View => format!("union view {name}"),
        Kind::Pointer(ty) => format!("{} *{name}", ty.name()),
        Kind::StructPointer(ty) => format!("struct {} *{name}", ty.name),
    }
}

/// An initialiser made of literals.
pub fn initialiser(rng: &mut Rng, kind: &Kind) -> String {
    let mut list = |ty: Ty, n: usize| {
        let items: Vec<String> = (0..n).map(|_| ty.random_literal(rng)).collect();
        format!("{{ {} }}", items.join(", "))
    };
    match kind {
        Kind::Scalar(ty) => ty.random_literal(rng),
        Kind::Array(ty, n) => list(*ty, *n),
        Kind::Matrix(ty, n, m) => {
            let rows: Vec<String> = (0..*n).map(|_| list(*ty, *m)).collect();
            format!("{{ {} }}", rows.join(", "))
        }
        Kind::View => format!("{{ {} }}", U32.random_literal(rng)),
        Kind::Struct(ty) | Kind::StructArray(ty, _) => {
            let fields: Vec<String> = ty
                .fields
                .iter()
                .map(|field| match field.shape {
                    Shape::Plain => format!(".{} = {}", field.name, field.ty.random_literal(rng)),
                    Shape::Bits(_) => format!(".{} = 1", field.name),
                    Shape::Array(_) => {
                        format!(".{}[0] = {}", field.name, field.ty.random_literal(rng))
                    }
                })
                .collect();
            let one = format!("{{ {} }}", fields.join(", "));
            if matches!(kind, Kind::StructArray(..)) { format!("{{ [1] = {one} }}") } else { one }
        }
        Kind::Pointer(_) | Kind::StructPointer(_) => {
            unreachable!("pointers are initialised with addresses")
        }
    }
}
