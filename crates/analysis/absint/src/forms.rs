//! How linear forms follow the program: assignments move them, copies pass them on, conditions sharpen them, and they
//! sharpen the variables they relate.

use crate::context::Context;
use crate::linear::{Form, Linear, add_abs, constant_abs, scale_abs};
use crate::memory::How;
use crate::refine::{Refined, Unreachable};
use crate::state::{Lvalue, State};
use crate::value::{Abs, AllThresholds};
use fathom_term::{Term, VarId};
use std::rc::Rc;

/// More forms are not followed at once.
const MAX_FORMS: usize = 48;

impl Context {
    /// The least state that contains both.
    pub fn join(&self, a: &State, b: &State) -> State {
        a.combine(b, self, &How::Join, |state, form| self.form_value(state, form))
    }

    /// A state that contains both, and that a rising chain of states reaches in finitely many steps.
    pub fn widen(&self, old: &State, new: &State, thresholds: &AllThresholds) -> State {
        old.combine(new, self, &How::Widen(thresholds), |state, form| self.form_value(state, form))
    }

    /// Whether the second state contains the first.
    pub fn is_within(&self, a: &State, b: &State) -> bool {
        a.is_within(b, self, |form| self.form_value(a, form))
    }

    /// Starts to follow these forms.
    pub fn watch_forms(&self, state: &mut State, forms: &[Form]) {
        for form in forms {
            if state.forms.get(form).is_none() {
                let plain = self.form_value(state, form);
                let defined = self.linear_value(state, &self.through_equalities(state, form.linear()));
                let value = plain.meet(&defined).unwrap_or(plain);
                state.forms.set(form.clone(), value);
            }
        }
    }

    /// The sum with variables replaced by what they are known to equal: where `x` is a copy of `i`, `x - i` is 0.
    fn through_equalities(&self, state: &State, mut linear: Linear) -> Linear {
        for known in state.equalities.iter().rev() {
            let Lvalue::Var(var) = known.lvalue else { continue };
            let Some(&coefficient) = linear.coefficients.get(&var) else { continue };
            let Some(image) = Linear::of(&self.store, known.term).filter(|image| image.sort == linear.sort) else { continue };
            let mut rest = linear.clone();
            rest.coefficients.remove(&var);
            if let Some(replaced) = rest.plus(&image, coefficient) {
                linear = replaced;
            }
        }
        linear
    }

    /// The forms after all targets were assigned at once; called before the variables change.
    pub fn move_forms(&self, state: &mut State, pairs: &[(VarId, Term)]) {
        if state.forms.is_empty() {
            return;
        }
        let images: Vec<(VarId, Option<Linear>)> = pairs.iter().map(|&(target, term)| (target, Linear::of(&self.store, term))).collect();
        let changes = |var: VarId| images.iter().find(|(target, _)| *target == var);
        let mut moved = crate::linear::Forms::default();
        for (form, value) in state.forms.iter() {
            if !form.vars().any(|var| changes(var).is_some()) {
                moved.set(form.clone(), value.clone());
                continue;
            }
            // The new value of the form is the old value of its image.
            let mut image = Some(Linear { sort: form.sort, coefficients: Default::default(), constant: 0 });
            for &(var, coefficient) in &form.parts {
                let part = match changes(var) {
                    Some((_, linear)) => linear.clone(),
                    None => Some(Linear { sort: form.sort, coefficients: [(var, 1)].into(), constant: 0 }),
                };
                image = image.zip(part).and_then(|(sum, part)| sum.plus(&part, coefficient));
            }
            if let Some(image) = image {
                moved.set(form.clone(), self.linear_value(state, &image));
            }
        }
        self.copy_forms(state, &images, &mut moved);
        state.forms = moved;
    }

    /// `v := u + c` passes what is known of `u` on to `v`.
    fn copy_forms(&self, state: &State, images: &[(VarId, Option<Linear>)], moved: &mut crate::linear::Forms) {
        let changed = |var: VarId| images.iter().any(|(target, _)| *target == var);
        for (target, linear) in images {
            let Some(linear) = linear else { continue };
            let mut parts = linear.coefficients.iter();
            let (Some((&source, &1)), None) = (parts.next(), parts.next()) else { continue };
            if source == *target {
                continue;
            }
            for (form, value) in state.forms.iter() {
                let Some(&(_, coefficient)) = form.parts.iter().find(|(var, _)| *var == source) else { continue };
                let others_stay = form.vars().all(|var| var == source || !changed(var));
                if !others_stay || form.vars().any(|var| var == *target) || moved.iter().count() >= MAX_FORMS {
                    continue;
                }
                // With v = u + c the form over v is the one over u plus coefficient * c.
                let mut image = form.linear();
                image.coefficients.remove(&source);
                image.coefficients.insert(*target, coefficient);
                let Some((copy, negated)) = image.form() else { continue };
                let shift = coefficient.checked_mul(linear.constant);
                let Some(shift) = shift else { continue };
                let value = add_abs(form.sort, value, &constant_abs(form.sort, shift));
                moved.set(copy, scale_abs(form.sort, &value, if negated { -1 } else { 1 }));
            }
        }
    }

    fn linear_value(&self, state: &State, linear: &Linear) -> Abs {
        let plain = self.eval_linear(state, linear);
        match self.recorded(state, linear) {
            Some(known) => plain.meet(&known).unwrap_or(known),
            None => plain,
        }
    }

    /// Variables are about to become arbitrary.
    pub fn drop_forms(&self, state: &mut State, vars: &[VarId]) {
        if !state.forms.is_empty() {
            state.forms.retain(|form| !form.vars().any(|var| vars.contains(&var)));
        }
    }

    /// The recorded form that `a - b` is, whether it is its negation, and the constant beside it.
    pub(crate) fn compared_form(&self, state: &State, a: Term, b: Term) -> Option<(Form, bool, i128)> {
        if state.forms.is_empty() {
            return None;
        }
        let linear = self.difference(a, b)?;
        let (form, negated) = linear.form()?;
        state.forms.get(&form)?;
        Some((form, negated, linear.constant))
    }

    pub(crate) fn meet_form(&self, state: &mut State, form: Form, value: &Abs) -> Refined {
        let Some(known) = state.forms.get(&form) else { return Ok(()) };
        let met = known.meet(value).ok_or(Unreachable)?;
        state.forms.set(form, met);
        Ok(())
    }

    /// Variables as sharp as forms make them: `x = (form - others) / coefficient` where the coefficient is 1 or -1.
    pub fn settle_forms(&self, state: &mut State) -> Refined {
        if state.forms.is_empty() {
            return Ok(());
        }
        let forms: Vec<(Form, Abs)> = state.forms.iter().map(|(form, value)| (form.clone(), value.clone())).collect();
        for (form, value) in forms {
            for &(var, coefficient) in &form.parts {
                if coefficient.abs() != 1 {
                    continue;
                }
                let mut others = form.linear();
                others.coefficients.remove(&var);
                let rest = scale_abs(form.sort, &self.eval_linear(state, &others), -1);
                let own = scale_abs(form.sort, &add_abs(form.sort, &value, &rest), coefficient);
                let current = self.var_value(state, var);
                let met = current.meet(&own).ok_or(Unreachable)?;
                if met != *current && state.vars.contains_key(&var) {
                    state.set_var(var, Rc::new(met));
                }
            }
        }
        Ok(())
    }
}
