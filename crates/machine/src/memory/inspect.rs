//! Queries about the object that a pointer points into, without an access or a possible violation, for verifiers'
//! intrinsics such as `__CPROVER_r_ok`. An arbitrary number may point anywhere, so there is no right answer, and the
//! path is cut.

use crate::exec::machine::{Machine, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::objects::ObjectKind;
use crate::memory::resolve::Located;
use fathom_ir::{Aspect, Family};
use fathom_term::Sort;

impl Machine {
    /// Answers a question of the program about an object; see [`Aspect`].
    pub(crate) fn inspect(&mut self, state: &mut State, pointer: Val, aspect: Aspect) -> Step<Val> {
        let pointer = self.determinate(state, pointer, Sort::Bv(self.book.pointer_bits()), "the pointer")?;
        let Some(object) = self.inspected_object(state, pointer)? else { return Ok(Val::Bits(0)) };
        self.looked_at(state, object);
        if self.is_retracing() && !self.is_alive(state, object) {
            return Err(self.unsupported(state, "a question about an object that has ended"));
        }
        let Some(found) = state.memory.get(object) else {
            return Ok(match aspect {
                Aspect::Base => Val::Pointer { object, offset: 0 },
                Aspect::Number => Val::Bits(number_of(object)),
                Aspect::Size | Aspect::Traits => Val::Bits(0),
            });
        };
        Ok(match aspect {
            Aspect::Base => Val::Pointer { object, offset: 0 },
            Aspect::Number => Val::Bits(number_of(object)),
            _ if found.kind == ObjectKind::Code => Val::Bits(0),
            Aspect::Size => found.size,
            Aspect::Traits => {
                let mut traits = Aspect::ALIVE;
                if !found.read_only {
                    traits |= Aspect::WRITABLE;
                }
                if found.kind == ObjectKind::Heap && self.is_of_program(object) {
                    traits |= Aspect::HEAP;
                }
                Val::Bits(traits)
            }
        })
    }

    /// Whether the program allocated the heap object: the arguments of an entry are others.
    fn is_of_program(&self, object: ObjectKey) -> bool {
        let site = self.book.origin(object).site as usize;
        let names = [Family::C, Family::New, Family::NewArray].map(Family::object_name);
        self.code.site_names.get(site).is_some_and(|name| names.contains(&name.as_str()))
    }

    /// The object that a pointer points into, living or not; None for null and numbers that are no address.
    fn inspected_object(&mut self, state: &mut State, pointer: Val) -> Step<Option<ObjectKey>> {
        let mut pointer = if self.is_retracing() { self.retraced_pointer(state, pointer)? } else { pointer };
        loop {
            match pointer {
                Val::Pointer { object, .. } => return Ok(Some(object)),
                Val::Bits(address) => {
                    return match self.locate_number(state, address) {
                        Located::At { object, .. } => Ok(Some(object)),
                        _ => Ok(None),
                    };
                }
                Val::Term(term) => {
                    let summands = self.summands(term);
                    if let Some((_, object)) = self.base_among(&summands) {
                        return Ok(Some(object));
                    }
                    match self.followed_choice(state, &summands)? {
                        Some(chosen) => pointer = chosen,
                        None => return Err(self.unsupported(state, "a question about the object of an arbitrary pointer")),
                    }
                }
            }
        }
    }
}

fn number_of(object: ObjectKey) -> u64 {
    u64::from(object.0) + 1
}
