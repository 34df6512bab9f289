//! Bitwuzla as a back end of Fathom.
mod ffi;
#[cfg(test)]
mod tests {
    use crate::ffi::*;
    unsafe extern "C" fn never(_: *mut std::ffi::c_void) -> bool { false }
    #[test]
    fn solves_something() {
        unsafe {
            let m = fb_manager_new();
            let s = fb_sort_bv(m, 8);
            let x = fb_constant(m, s, c"x".as_ptr());
            let names = [c"produce-models".as_ptr()];
            let vals = [c"true".as_ptr()];
            let solver = fb_solver_new(m, names.as_ptr(), vals.as_ptr(), 1);
            assert!(!solver.is_null());
            let sq = fb_apply(m, 26, [x as *const Term, x as *const Term].as_ptr(), 2, std::ptr::null(), 0);
            let k = fb_bv_u64(m, s, 49);
            let eq = fb_apply(m, 6, [sq as *const Term, k as *const Term].as_ptr(), 2, std::ptr::null(), 0);
            assert_eq!(fb_assert(solver, eq), 0);
            assert_eq!(fb_check(solver, std::ptr::null(), 0, never, std::ptr::null_mut()), 10);
            let v = fb_value(solver, x);
            println!("{:?}", std::ffi::CStr::from_ptr(fb_value_bits(v)));
            assert!(fb_apply(m, 6, [sq as *const Term, eq as *const Term].as_ptr(), 2, std::ptr::null(), 0).is_null());
            println!("{:?}", std::ffi::CStr::from_ptr(fb_error()));
            fb_solver_delete(solver);
            for t in [x, sq, k, eq, v] { fb_term_delete(t) }
            fb_sort_delete(s);
            fb_manager_delete(m);
        }
    }
}
