// The layer between Bitwuzla's C++ interface and Rust: every function catches every exception and every fault and
// hands back a null pointer or a negative number, with the message kept for fb_error(). Bitwuzla's own C interface is
// not used, because on misuse it calls a callback and then carries on with a null pointer.
//
// After a fault fb_take_fault() tells of it, and nothing of the term manager in question may be used or deleted.
//
// Handles are plain owned objects: whoever gets a Term or Sort from here deletes it with fb_term_delete or
// fb_sort_delete, before the term manager it came from.

#include <bitwuzla/cpp/bitwuzla.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

extern "C" int fathom_survive(void (*work)(void *), void *data);

using bitwuzla::Bitwuzla;
using bitwuzla::Kind;
using bitwuzla::Option;
using bitwuzla::Options;
using bitwuzla::Result;
using bitwuzla::RoundingMode;
using bitwuzla::Sort;
using bitwuzla::Term;
using bitwuzla::TermManager;

namespace {

thread_local std::string last_error;
thread_local std::string last_string;

thread_local int last_fault = 0;

template <typename F, typename R>
R without_exceptions(R on_error, F &work) noexcept
{
  try
  {
    return work();
  }
  catch (const std::exception &e)
  {
    try { last_error = e.what(); } catch (...) { }
  }
  catch (...)
  {
    try { last_error = "unknown C++ exception"; } catch (...) { }
  }
  return on_error;
}

template <typename F, typename R>
R guarded(R on_error, F &&work) noexcept
{
  struct Job
  {
    R result;
    std::remove_reference_t<F> &work;
  } job{on_error, work};
  auto run = [](void *data) noexcept {
    Job &job = *static_cast<Job *>(data);
    job.result = without_exceptions(job.result, job.work);
  };
  if (int signal = fathom_survive(run, &job))
  {
    last_fault = signal;
    last_error = "it crashed";
    return on_error;
  }
  return job.result;
}

template <typename F>
Term *term(F &&work) noexcept
{
  return guarded(static_cast<Term *>(nullptr), [&] { return new Term(work()); });
}

template <typename F>
Sort *sort(F &&work) noexcept
{
  return guarded(static_cast<Sort *>(nullptr), [&] { return new Sort(work()); });
}

template <typename F>
int status(F &&work) noexcept
{
  return guarded(-1, [&] { work(); return 0; });
}

std::vector<Term> terms(const Term *const *args, size_t count)
{
  std::vector<Term> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) result.push_back(*args[i]);
  return result;
}

class Callback : public bitwuzla::Terminator
{
 public:
  Callback(bool (*should_stop)(void *), void *state) : d_should_stop(should_stop), d_state(state) {}
  bool terminate() override { return d_should_stop(d_state); }

 private:
  bool (*d_should_stop)(void *);
  void *d_state;
};

}  // namespace

extern "C" {

const char *fb_error() { return last_error.c_str(); }
const char *fb_version() { return bitwuzla::version(); }

// The signal of a fault since the last time somebody asked on this thread, or 0.
int fb_take_fault()
{
  int signal = last_fault;
  last_fault = 0;
  return signal;
}

TermManager *fb_manager_new()
{
  return guarded(static_cast<TermManager *>(nullptr), [] { return new TermManager(); });
}
void fb_manager_delete(TermManager *tm) { status([&] { delete tm; }); }

// Sorts.

void fb_sort_delete(Sort *s) { status([&] { delete s; }); }
Sort *fb_sort_bool(TermManager *tm) { return sort([&] { return tm->mk_bool_sort(); }); }
Sort *fb_sort_bv(TermManager *tm, uint64_t width) { return sort([&] { return tm->mk_bv_sort(width); }); }
Sort *fb_sort_fp(TermManager *tm, uint64_t exponent, uint64_t significand)
{
  return sort([&] { return tm->mk_fp_sort(exponent, significand); });
}
Sort *fb_sort_rm(TermManager *tm) { return sort([&] { return tm->mk_rm_sort(); }); }
Sort *fb_sort_array(TermManager *tm, const Sort *index, const Sort *element)
{
  return sort([&] { return tm->mk_array_sort(*index, *element); });
}
Sort *fb_sort_function(TermManager *tm, const Sort *const *domain, size_t arity, const Sort *codomain)
{
  return sort([&] {
    std::vector<Sort> sorts;
    for (size_t i = 0; i < arity; ++i) sorts.push_back(*domain[i]);
    return tm->mk_fun_sort(sorts, *codomain);
  });
}

// Terms.

void fb_term_delete(Term *t) { status([&] { delete t; }); }
Term *fb_bool(TermManager *tm, bool value)
{
  return term([&] { return value ? tm->mk_true() : tm->mk_false(); });
}
Term *fb_bv_u64(TermManager *tm, const Sort *s, uint64_t value)
{
  return term([&] { return tm->mk_bv_value_uint64(*s, value); });
}
Term *fb_bv_binary(TermManager *tm, const Sort *s, const char *digits)
{
  return term([&] { return tm->mk_bv_value(*s, digits, 2); });
}
Term *fb_fp(TermManager *tm, const Term *sign, const Term *exponent, const Term *significand)
{
  return term([&] { return tm->mk_fp_value(*sign, *exponent, *significand); });
}
Term *fb_rm(TermManager *tm, int mode)
{
  return term([&] { return tm->mk_rm_value(static_cast<RoundingMode>(mode)); });
}
Term *fb_constant(TermManager *tm, const Sort *s, const char *name)
{
  return term([&] { return tm->mk_const(*s, std::string(name)); });
}
Term *fb_bound_variable(TermManager *tm, const Sort *s, const char *name)
{
  return term([&] { return tm->mk_var(*s, std::string(name)); });
}
Term *fb_constant_array(TermManager *tm, const Sort *s, const Term *value)
{
  return term([&] { return tm->mk_const_array(*s, *value); });
}
Term *fb_apply(TermManager *tm, int kind, const Term *const *args, size_t count, const uint64_t *indices,
               size_t index_count)
{
  return term([&] {
    return tm->mk_term(static_cast<Kind>(kind), terms(args, count),
                       std::vector<uint64_t>(indices, indices + index_count));
  });
}

Term *fb_substitute(TermManager *tm, const Term *body, const Term *const *from, const Term *const *to, size_t count)
{
  return term([&] {
    std::unordered_map<Term, Term> map;
    for (size_t i = 0; i < count; ++i) map.emplace(*from[i], *to[i]);
    return tm->substitute_term(*body, map);
  });
}

// Reading values. Strings stay valid until the next call that returns one on the same thread.

int fb_term_kind(const Term *t)
{
  return guarded(-1, [&] { return static_cast<int>(t->kind()); });
}
Term *fb_term_child(const Term *t, size_t index)
{
  return term([&] { return (*t)[index]; });
}
int fb_value_bool(const Term *t)
{
  return guarded(-1, [&] { return t->value<bool>() ? 1 : 0; });
}
int fb_value_rm(const Term *t)
{
  return guarded(-1, [&] { return static_cast<int>(t->value<RoundingMode>()); });
}
// Binary digits of a bit-vector, or of the IEEE representation of a floating-point number.
const char *fb_value_bits(const Term *t)
{
  return guarded(static_cast<const char *>(nullptr), [&] {
    last_string = t->value<std::string>(2);
    return last_string.c_str();
  });
}
// Solvers. Options are pairs of a long name and a value, as on Bitwuzla's command line.

Bitwuzla *fb_solver_new(TermManager *tm, const char *const *names, const char *const *values, size_t count)
{
  return guarded(static_cast<Bitwuzla *>(nullptr), [&] {
    Options options;
    for (size_t i = 0; i < count; ++i) options.set(std::string(names[i]), std::string(values[i]));
    return new Bitwuzla(*tm, options);
  });
}
void fb_solver_delete(Bitwuzla *solver) { status([&] { delete solver; }); }
int fb_push(Bitwuzla *solver, uint32_t levels) { return status([&] { solver->push(levels); }); }
int fb_pop(Bitwuzla *solver, uint32_t levels) { return status([&] { solver->pop(levels); }); }
int fb_assert(Bitwuzla *solver, const Term *t) { return status([&] { solver->assert_formula(*t); }); }

// 10 satisfiable, 20 unsatisfiable, 0 unknown, -1 error.
int fb_check(Bitwuzla *solver, const Term *const *assumptions, size_t count, bool (*should_stop)(void *), void *state)
{
  Callback callback(should_stop, state);
  int result = guarded(-1, [&] {
    solver->configure_terminator(&callback);
    switch (solver->check_sat(terms(assumptions, count)))
    {
      case Result::SAT: return 10;
      case Result::UNSAT: return 20;
      default: return 0;
    }
  });
  if (!last_fault) status([&] { solver->configure_terminator(nullptr); });
  return result;
}
int fb_is_unsat_assumption(Bitwuzla *solver, const Term *t)
{
  return guarded(-1, [&] { return solver->is_unsat_assumption(*t) ? 1 : 0; });
}
Term *fb_value(Bitwuzla *solver, const Term *t)
{
  return term([&] { return solver->get_value(*t); });
}

}  // extern "C"
