/* Contracts for functions and loops, for `fathom verify --contracts`. To compilers all of this is nothing.
 *
 *     int sum(const int *a, int n)
 *     fathom_requires(n >= 0 && n < 100 && fathom_readable(a, n * sizeof *a))
 *     fathom_ensures(n > 0 || fathom_result == 0)
 *     fathom_assigns()
 *     {
 *         int s = 0;
 *         for (int i = 0; i < n; i++)
 *         fathom_invariant(0 <= i && i <= n)
 *         fathom_decreases(n - i)
 *             ...
 *
 * Clauses of a function stand behind its parameters, those of a loop behind its head (of `do`: in front of the semicolon). */
#ifndef FATHOM_H
#define FATHOM_H

#ifdef __FATHOM__

/* Of functions: what callers must see to, what the function sees to, and all that it may write. Without `assigns` it writes nothing that was
 * there before. */
#define fathom_requires(...) __CPROVER_requires((__VA_ARGS__))
#define fathom_ensures(...) __CPROVER_ensures((__VA_ARGS__))
#define fathom_assigns(...) __CPROVER_assigns(__VA_ARGS__)

/* Of loops: what holds whenever the loop comes to its condition, and a number that gets smaller and not negative. A loop may write
 * variables that it assigns by name, and what fathom_assigns says. */
#define fathom_invariant(...) __CPROVER_loop_invariant((__VA_ARGS__))
#define fathom_decreases(...) __CPROVER_decreases(__VA_ARGS__)

/* In what is ensured: the result, and what an expression was before the call. In an invariant: what it was before the loop. */
#define fathom_result __CPROVER_return_value
#define fathom_old(...) __CPROVER_old(__VA_ARGS__)

/* The pointer leads to so many bytes that are apart from those of other pointers of the contract. In what is ensured: to
 * memory that the function allocated, which is its caller's then. */
#define fathom_readable(pointer, bytes) __CPROVER_is_fresh(pointer, bytes)
#define fathom_writable(pointer, bytes) __CPROVER_is_fresh(pointer, bytes)
#define fathom_fresh(pointer, bytes) __CPROVER_is_fresh(pointer, bytes)
/* In assigns: so many bytes from there on, or the whole object. */
#define fathom_bytes(pointer, bytes) __CPROVER_object_upto(pointer, bytes)
#define fathom_object(pointer) __CPROVER_object_whole(pointer)

#define fathom_forall(type, variable, ...) __CPROVER_forall { type variable; __VA_ARGS__ }
#define fathom_exists(type, variable, ...) __CPROVER_exists { type variable; __VA_ARGS__ }
#define fathom_implies(left, right) (!(left) || (right))

#else

#define fathom_requires(...)
#define fathom_ensures(...)
#define fathom_assigns(...)
#define fathom_invariant(...)
#define fathom_decreases(...)

#endif
#endif
