//! Z3 as a back end of Fathom.
mod api;
mod library;

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn solves_something() {
        let z3 = library::api().unwrap();
        unsafe {
            println!("{:?}", std::ffi::CStr::from_ptr((z3.Z3_get_full_version)()));
            let cfg = (z3.Z3_mk_config)();
            let c = (z3.Z3_mk_context_rc)(cfg);
            (z3.Z3_del_config)(cfg);
            (z3.Z3_set_error_handler)(c, None);
            let int = (z3.Z3_mk_int_sort)(c);
            let x = (z3.Z3_mk_const)(c, (z3.Z3_mk_string_symbol)(c, c"x".as_ptr()), int);
            (z3.Z3_inc_ref)(c, x);
            let s = (z3.Z3_mk_simple_solver)(c);
            (z3.Z3_solver_inc_ref)(c, s);
            let two = (z3.Z3_mk_int64)(c, 2, int);
            (z3.Z3_inc_ref)(c, two);
            (z3.Z3_solver_assert)(c, s, (z3.Z3_mk_gt)(c, x, two));
            assert_eq!((z3.Z3_solver_check)(c, s), 1);
            (z3.Z3_solver_assert)(c, s, (z3.Z3_mk_lt)(c, x, two));
            assert_eq!((z3.Z3_solver_check)(c, s), -1);
        }
    }
}
