//! Types of instances, and the components of values.

use super::{Component, MAX_DEPTH, Mono, Unsupported, note};
use crate::source::Span;
use crate::typed::*;
use std::rc::Rc;

impl Mono<'_> {
    /// The ordinary types that a type becomes.
    pub(super) fn components(&mut self, ty: TypeId, span: Span) -> Result<Rc<Vec<Component>>, Unsupported> {
        if let Some(known) = self.components.get(&ty) {
            return Ok(known.clone());
        }
        let all = Rc::new(crate::deep(|| self.compute_components(ty, span))?);
        self.components.insert(ty, all.clone());
        Ok(all)
    }

    fn compute_components(&mut self, ty: TypeId, span: Span) -> Result<Vec<Component>, Unsupported> {
        let one = |ty| vec![Component { suffix: "".into(), ty }];
        Ok(match self.types.get(ty).clone() {
            Type::Ctor { ctor, args } if self.is_record(ctor) => self.record(ty, ctor, &args, span)?,
            Type::Ctor { ctor, args } => {
                let ctor = self.ctor(ctor, &args, span)?;
                one(self.out.types.intern(Type::Ctor { ctor, args: Vec::new() }))
            }
            Type::Map { type_params: 0, args, result } => self.map_components(&args, result, "", span)?,
            Type::Map { .. } => self.family(ty, span)?,
            Type::BitVec(0) => Vec::new(),
            Type::Var(_) | Type::Bound { .. } | Type::Infer(_) => {
                return Err(Unsupported { what: "type variable without an instance".to_string(), span });
            }
            basic => one(self.out.types.intern(basic)),
        })
    }

    /// A map whose values are lists is a list of maps; keys that are lists are more keys.
    fn map_components(&mut self, args: &[TypeId], result: TypeId, suffix: &str, span: Span) -> Result<Vec<Component>, Unsupported> {
        let mut keys = Vec::new();
        for arg in args {
            keys.extend(self.components(*arg, span)?.iter().map(|component| component.ty));
        }
        let values = self.components(result, span)?;
        let make = |component: &Component| {
            let ty = self.out.types.map(keys.clone(), component.ty);
            Component { suffix: format!("{suffix}{}", component.suffix).into(), ty }
        };
        Ok(values.iter().map(make).collect())
    }

    /// The components of a polymorphic map: its known instances, then the rest.
    fn family(&mut self, ty: TypeId, span: Span) -> Result<Vec<Component>, Unsupported> {
        if self.in_progress.contains(&ty) {
            return Err(Unsupported { what: "polymorphic map that contains itself".to_string(), span });
        }
        self.in_progress.push(ty);
        let mut all = Vec::new();
        let mut ranges = Vec::new();
        for instance in self.known.maps.get(&ty).cloned().unwrap_or_default() {
            let start = all.len();
            all.extend(self.instance_components(ty, &instance, span)?);
            ranges.push((instance, start..all.len()));
        }
        self.ranges.insert(ty, ranges);
        self.in_progress.pop();
        let name = format!("rest of {}", self.show(ty));
        let rest = self.opaque_ctor(&name, span);
        let rest = self.out.types.intern(Type::Ctor { ctor: rest, args: Vec::new() });
        all.push(Component { suffix: "<...>".into(), ty: rest });
        Ok(all)
    }

    fn instance_components(&mut self, ty: TypeId, instance: &[TypeId], span: Span) -> Result<Vec<Component>, Unsupported> {
        let Type::Map { args, result, .. } = self.types.get(ty).clone() else { return Ok(Vec::new()) };
        let args: Vec<TypeId> = args.into_iter().map(|arg| self.types.open(arg, instance)).collect();
        let result = self.types.open(result, instance);
        let suffix = self.instance_name("", instance);
        self.map_components(&args, result, &suffix, span)
    }

    /// Where the components of an instance of a polymorphic map lie; None if this round doesn't know the instance yet.
    pub(super) fn instance_range(
        &mut self,
        ty: TypeId,
        instance: &[TypeId],
        span: Span,
    ) -> Result<Option<std::ops::Range<usize>>, Unsupported> {
        self.check_depth(instance, span)?;
        note(&mut self.found.maps, ty, instance);
        self.components(ty, span)?;
        let known = self.ranges.get(&ty).and_then(|ranges| ranges.iter().find(|(known, _)| known == instance));
        Ok(known.map(|(_, range)| range.clone()))
    }

    pub(super) fn check_depth(&self, types: &[TypeId], span: Span) -> Result<(), Unsupported> {
        if types.iter().any(|ty| self.depth(*ty, 0) > MAX_DEPTH) {
            return Err(Unsupported { what: "polymorphism whose instances have no end".to_string(), span });
        }
        Ok(())
    }

    fn depth(&self, ty: TypeId, around: u32) -> u32 {
        if around > MAX_DEPTH {
            return around;
        }
        match self.types.get(ty) {
            Type::Ctor { args, .. } => args.iter().map(|arg| self.depth(*arg, around + 1)).max().unwrap_or(around),
            Type::Map { args, result, .. } => args.iter().chain([result]).map(|part| self.depth(*part, around)).max().unwrap_or(around),
            _ => around,
        }
    }

    /// The instance of a type constructor.
    pub(super) fn ctor(&mut self, ctor: CtorId, args: &[TypeId], span: Span) -> Result<CtorId, Unsupported> {
        let key = (ctor, args.to_vec());
        if let Some(known) = self.ctors.get(&key) {
            return Ok(*known);
        }
        self.check_depth(args, span)?;
        // Opaque types have no declaration in the source program.
        let Some(source) = self.src.ctors.get(ctor.index()).cloned() else {
            let name = self.show_opaque(ctor);
            let new = self.opaque_ctor(&name, span);
            self.ctors.insert(key, new);
            return Ok(new);
        };
        if !args.is_empty() {
            note(&mut self.found.ctors, ctor, args);
        }
        let name = self.instance_name(&source.name, args);
        let new = CtorId(self.out.ctors.len() as u32);
        self.out.ctors.push(TypeCtor {
            name,
            arity: 0,
            attributes: Vec::new(),
            constructors: Vec::new(),
            type_params: Vec::new(),
            ..source.clone()
        });
        // Entered before its fields are looked at: they may have the same type.
        self.ctors.insert(key, new);
        self.out.ctors[new.index()].attributes = self.attributes(&source.attributes);
        if source.attributes.iter().any(|attribute| &*attribute.name == "builtin") {
            for &arg in args {
                let components = self.components(arg, span)?;
                let [component] = components.as_slice() else {
                    return Err(Unsupported { what: format!("{} of records", source.name), span });
                };
                self.out.ctors[new.index()].instance_of.push(component.ty);
            }
        }
        if !source.constructors.is_empty() {
            self.encode(new, ctor, args, span)?;
        }
        Ok(new)
    }

    /// An uninterpreted type of this round's program.
    fn opaque_ctor(&mut self, name: &str, span: Span) -> CtorId {
        if let Some(known) = self.out.ctors.iter().position(|ctor| &*ctor.name == name && ctor.constructors.is_empty()) {
            return CtorId(known as u32);
        }
        self.out.ctors.push(opaque_declaration(name, span));
        CtorId(self.out.ctors.len() as u32 - 1)
    }

    /// A type that stands for any type which doesn't occur; as a source type it is a constructor beyond the declared ones.
    pub(super) fn opaque(&mut self, name: &str) -> TypeId {
        if let Some((_, ty)) = self.opaque.iter().find(|(known, _)| &**known == name) {
            return *ty;
        }
        let ctor = CtorId((self.src.ctors.len() + self.opaque.len()) as u32);
        let ty = self.types.intern(Type::Ctor { ctor, args: Vec::new() });
        self.opaque.push((name.into(), ty));
        self.named.push(opaque_declaration(name, NOWHERE));
        ty
    }

    fn show_opaque(&self, ctor: CtorId) -> String {
        self.opaque.get(ctor.index() - self.src.ctors.len()).map(|(name, _)| name.to_string()).unwrap_or_default()
    }

    pub(super) fn instance_name(&self, name: &str, args: &[TypeId]) -> Rc<str> {
        if args.is_empty() {
            return name.into();
        }
        let args: Vec<String> = args.iter().map(|arg| self.show(*arg)).collect();
        format!("{name}<{}>", args.join(",")).into()
    }

    pub(super) fn show(&self, ty: TypeId) -> String {
        crate::types::show(&self.types, &self.named, &self.src.type_vars, ty)
    }
}

pub(super) const NOWHERE: Span = Span { file: 0, start: 0, end: 0 };

pub(super) fn opaque_declaration(name: &str, span: Span) -> TypeCtor {
    TypeCtor {
        name: name.into(),
        arity: 0,
        finite: false,
        attributes: Vec::new(),
        span,
        constructors: Vec::new(),
        type_params: Vec::new(),
        instance_of: Vec::new(),
    }
}
