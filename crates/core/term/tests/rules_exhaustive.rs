//! Rewrite rules on small terms, all of them: operations over operations over variables, with every constant of three
//! bits in every place, under every model. Rules that compare with the bounds of a narrower operand are wrong by one
//! bit or not at all; random constants hardly ever hit that bit.

use fathom_term::sample::{Pair, Random};
use fathom_term::smtlib::print_term;
use fathom_term::{Evaluator, Model, Op, Sort, Term, TermStore, Value};

const WIDTH: u32 = 3;
const BINARY: [Op; 13] = [
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvConcat,
];
const PREDICATES: [Op; 5] = [Op::Eq, Op::BvUlt, Op::BvSlt, Op::BvSmulOverflow, Op::BvUmulOverflow];

struct Universe {
    store: TermStore,
    /// Three bits, two bits, one bit and a condition.
    vars: [Term; 4],
}

impl Universe {
    fn new() -> Self {
        let store = TermStore::new();
        let vars = [("x", Sort::Bv(WIDTH)), ("n", Sort::Bv(2)), ("b", Sort::Bv(1)), ("p", Sort::Bool)];
        let vars = vars.map(|(name, sort)| store.var(name, sort));
        Self { store, vars }
    }

    fn evaluators(&self) -> Vec<Evaluator> {
        let model = |code: u64| {
            let mut model = Model::default();
            let mut rest = code;
            for var in self.vars {
                let bits = self.store.sort(var).bits().unwrap();
                model.values.insert(self.store.as_var(var).unwrap(), Value::Bits(rest & ((1 << bits) - 1)));
                rest >>= bits;
            }
            Evaluator::new(model)
        };
        (0..1 << 7).map(model).collect()
    }

    fn constants(&self, width: u32) -> Vec<Pair> {
        (0..1 << width).map(|bits| self.plain(self.store.bv(bits, width))).collect()
    }

    fn plain(&self, term: Term) -> Pair {
        Pair { simplified: term, raw: term }
    }

    fn apply(&self, op: Op, args: &[Pair]) -> Pair {
        let simplified: Vec<Term> = args.iter().map(|arg| arg.simplified).collect();
        let raw: Vec<Term> = args.iter().map(|arg| arg.raw).collect();
        let sort = self.store.result_sort(op, &raw);
        Pair { simplified: self.store.build(op, &simplified), raw: self.store.intern(op, sort, &raw) }
    }

    /// Operations over variables and constants, with results of `WIDTH` bits.
    fn operands(&self) -> Vec<Pair> {
        let [x, n, b, p] = self.vars.map(|var| self.plain(var));
        let mut all = vec![x];
        let constants = self.constants(WIDTH);
        for op in &BINARY[..12] {
            all.push(self.apply(*op, &[x, x]));
            for &constant in &constants {
                all.push(self.apply(*op, &[x, constant]));
                all.push(self.apply(*op, &[constant, x]));
            }
        }
        for op in [Op::BvNeg, Op::BvNot] {
            all.push(self.apply(op, &[x]));
        }
        for narrow in [n, b] {
            all.push(self.apply(Op::BvZeroExtend(WIDTH), &[narrow]));
            all.push(self.apply(Op::BvSignExtend(WIDTH), &[narrow]));
        }
        for (wide, narrow, width) in [(n, b, 2), (b, n, 1)] {
            all.push(self.apply(Op::BvConcat, &[wide, narrow]));
            for constant in self.constants(WIDTH - width) {
                all.push(self.apply(Op::BvConcat, &[wide, constant]));
                all.push(self.apply(Op::BvConcat, &[constant, wide]));
            }
        }
        for &then in constants.iter().chain([&x]) {
            for &otherwise in constants.iter().chain([&x]) {
                all.push(self.apply(Op::Ite, &[p, then, otherwise]));
            }
        }
        for low in 0..=2 {
            let wide = self.apply(Op::BvConcat, &[n, x]);
            all.push(self.apply(Op::BvExtract { high: low + WIDTH - 1, low }, &[wide]));
            let high = low + WIDTH - 1;
            all.push(self.apply(Op::BvExtract { high, low }, &[self.apply(Op::BvSignExtend(6), &[x])]));
            all.push(self.apply(Op::BvExtract { high, low }, &[self.apply(Op::BvZeroExtend(6), &[n])]));
        }
        all
    }

    fn check(&self, evaluators: &[Evaluator], pair: Pair) {
        if pair.simplified == pair.raw {
            return;
        }
        let store = &self.store;
        for evaluator in evaluators {
            let (found, expected) = (evaluator.eval(store, pair.simplified), evaluator.eval(store, pair.raw));
            if found != expected {
                let values = self.vars.map(|var| evaluator.eval(store, var));
                let (raw, simplified) = (print_term(store, pair.raw), print_term(store, pair.simplified));
                panic!("{raw}\nwas simplified to\n{simplified}\nbut for x, n, b, p = {values:?} it is {expected:?}, not {found:?}");
            }
        }
    }
}

#[test]
fn operations_with_constants() {
    for op in BINARY.into_iter().chain(PREDICATES) {
        let universe = Universe::new();
        let evaluators = universe.evaluators();
        let others: Vec<Pair> = universe.constants(WIDTH).into_iter().chain([universe.plain(universe.vars[0])]).collect();
        for operand in universe.operands() {
            for &other in &others {
                universe.check(&evaluators, universe.apply(op, &[operand, other]));
                universe.check(&evaluators, universe.apply(op, &[other, operand]));
            }
        }
    }
}

#[test]
fn operations_with_one_operand_or_a_condition() {
    let universe = Universe::new();
    let evaluators = universe.evaluators();
    let p = universe.plain(universe.vars[3]);
    let unary = [Op::BvNeg, Op::BvNot, Op::BvZeroExtend(5), Op::BvSignExtend(5), Op::BvZeroExtend(WIDTH)];
    let slices = (0..WIDTH).flat_map(|low| (low..WIDTH).map(move |high| Op::BvExtract { high, low }));
    for op in unary.into_iter().chain(slices) {
        for (index, operand) in universe.operands().into_iter().enumerate() {
            let once = universe.apply(op, &[operand]);
            universe.check(&evaluators, once);
            if matches!(op, Op::BvZeroExtend(5) | Op::BvSignExtend(5)) && index % 9 == 0 {
                for constant in universe.constants(5) {
                    for predicate in [Op::BvUlt, Op::BvSlt, Op::Eq] {
                        universe.check(&evaluators, universe.apply(predicate, &[once, constant]));
                        universe.check(&evaluators, universe.apply(predicate, &[constant, once]));
                    }
                }
            }
        }
    }
    for operand in universe.operands() {
        for other in universe.constants(WIDTH) {
            universe.check(&evaluators, universe.apply(Op::Ite, &[p, operand, other]));
            universe.check(&evaluators, universe.apply(Op::Ite, &[p, other, operand]));
        }
    }
}

/// Pairs of operations, as many as time allows.
#[test]
fn operations_over_two_operations() {
    let mut random = Random::new(51);
    for op in BINARY.into_iter().chain(PREDICATES) {
        let universe = Universe::new();
        let evaluators = universe.evaluators();
        let operands = universe.operands();
        for _ in 0..4_000 {
            let args = [random.pick(&operands), random.pick(&operands)];
            universe.check(&evaluators, universe.apply(op, &args));
        }
    }
}

/// Conditions: connectives over comparisons and variables.
#[test]
fn connectives() {
    let universe = Universe::new();
    let evaluators = universe.evaluators();
    let mut conditions = vec![universe.plain(universe.vars[3]), universe.plain(universe.store.bool(true))];
    let x = universe.plain(universe.vars[0]);
    for constant in universe.constants(WIDTH) {
        for op in [Op::Eq, Op::BvUlt, Op::BvSlt] {
            conditions.push(universe.apply(op, &[x, constant]));
        }
    }
    for index in 0..4 {
        conditions.push(universe.apply(Op::Not, &[conditions[index]]));
    }
    let mut random = Random::new(52);
    for _ in 0..20_000 {
        let (a, b) = (random.pick(&conditions), random.pick(&conditions));
        let made = match random.below(6) {
            0 => universe.apply(Op::Not, &[a]),
            1 => universe.apply(Op::Ite, &[a, b, random.pick(&conditions)]),
            _ => universe.apply(random.pick(&[Op::And, Op::Or, Op::Xor, Op::Eq]), &[a, b]),
        };
        universe.check(&evaluators, made);
        if conditions.len() < 400 {
            conditions.push(made);
        }
    }
}

#[test]
fn divisions_that_were_widened() {
    let universe = Universe::new();
    let evaluators = universe.evaluators();
    let x = universe.plain(universe.vars[0]);
    let wide = WIDTH + 2;
    for op in [Op::BvSdiv, Op::BvSrem, Op::BvUdiv, Op::BvUrem] {
        for extend in [Op::BvSignExtend(wide), Op::BvZeroExtend(wide)] {
            let widened = universe.apply(extend, &[x]);
            let negated = universe.apply(extend, &[universe.apply(Op::BvNot, &[x])]);
            for other in universe.constants(wide).into_iter().chain([widened, negated]) {
                for sides in [[widened, other], [other, widened]] {
                    let division = universe.apply(op, &sides);
                    for high in [WIDTH - 2, WIDTH - 1, WIDTH] {
                        universe.check(&evaluators, universe.apply(Op::BvExtract { high, low: 0 }, &[division]));
                    }
                }
            }
        }
    }
}
