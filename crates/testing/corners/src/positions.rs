//! Positions of an expression: each wraps it in a context of the language and observes the result.

use crate::corner::Corner;
use fathom_randprog::Rng;

/// An expression over the operands `a` and `b`.
pub struct Expression {
    pub text: String,
    /// A type name (or `__typeof__`) for the result that mentions no operand.
    pub result: String,
    /// Parameters and arguments for a function whose body is the expression: `int a, int b` and `a, b`.
    pub parameters: String,
    pub arguments: String,
    /// The result has more than 64 bits: both halves are observed.
    pub large: bool,
}

/// The positions, and among them those that take any expression.
macro_rules! positions {
    (any: $($any:ident)* ; constant: $($constant:ident)*) => {
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub enum Position {
            $($any,)*
            $($constant,)*
        }

        const ANY: &[Position] = &[$(Position::$any),*];
    };
}

positions! {
    any:
        Initialiser Assignment ConstLocal Condition LoopCondition Index ArraySize SizeofArray Argument Return LoopBound
        Comma TernaryTaken TernaryNotTaken AndTaken AndNotTaken OrTaken OrNotTaken Sizeof Typeof CompoundLiteral
        ArrayInitialiser StructInitialiser StatementExpression Discarded Switch ThroughPointer DoWhile;
    constant: StaticInitialiser CaseLabel
}

use Position::*;

/// Where C takes only constants.
const CONSTANT: [Position; 3] = [StaticInitialiser, CaseLabel, ArraySize];

impl Position {
    pub fn any(rng: &mut Rng) -> Position {
        *rng.pick(ANY)
    }

    pub fn any_of_constants(rng: &mut Rng) -> Position {
        *rng.pick(&CONSTANT)
    }

    /// Compilers take `1 << 31` there without a warning, and so do other tools.
    pub fn takes_sign_bit(self) -> bool {
        matches!(self, StaticInitialiser | CaseLabel)
    }

    /// Whether the expression is evaluated there.
    pub fn evaluates(self) -> bool {
        !matches!(self, TernaryNotTaken | AndNotTaken | OrNotTaken | Sizeof | Typeof)
    }

    /// Compilers fold constants there before any check can be made.
    pub fn folds_constants(self) -> bool {
        matches!(self, ArraySize | SizeofArray | StaticInitialiser | CaseLabel)
    }
}

fn observe_result(corner: &mut Corner, e: &Expression, result: &str) {
    corner.observe(result);
    if e.large {
        corner.observe(&format!("(unsigned __int128)({result}) >> 64"));
    }
}

/// A small number that the expression decides, for indices, sizes and bounds.
fn small(e: &Expression) -> String {
    format!("((int)(({}) & 3))", e.text)
}

/// Puts the expression at the position.
pub fn place(corner: &mut Corner, e: &Expression, position: Position) {
    let (text, t) = (&e.text, &e.result);
    match position {
        Initialiser => corner.line(&format!("{t} r = {text};")),
        Assignment => corner.line(&format!("{t} r;\nr = {text};")),
        ConstLocal => corner.line(&format!("const {t} r = {text};")),
        Argument => {
            corner.file_scope += &format!("static {t} same@({t} x) {{ return x; }}\n");
            corner.line(&format!("{t} r = same@({text});"));
        }
        Return => {
            corner.file_scope += &format!("static {t} result@({}) {{ return {text}; }}\n", e.parameters);
            corner.line(&format!("{t} r = result@({});", e.arguments));
        }
        Comma => corner.line(&format!("{t} r = (0, {text});")),
        TernaryTaken => corner.line(&format!("int one = 1;\n{t} r = one ? {text} : 0;")),
        TernaryNotTaken => corner.line(&format!("int zero = 0;\n{t} r = zero ? {text} : 3;")),
        CompoundLiteral => corner.line(&format!("{t} r = *&({t}){{{text}}};")),
        ArrayInitialiser => corner.line(&format!("{t} array[2] = {{0, {text}}};\n{t} r = array[1];")),
        StructInitialiser => corner.line(&format!("struct {{ char c; {t} value; }} s = {{.value = {text}}};\n{t} r = s.value;")),
        StatementExpression => corner.line(&format!("{t} r = ({{ {text}; }});")),
        ThroughPointer => corner.line(&format!("{t} r = 0, *p = &r;\n*p = {text};")),
        Typeof => corner.line(&format!("__typeof__({text}) r = 1;")),
        StaticInitialiser => corner.line(&format!("static {t} table[2] = {{0, {text}}};\n{t} r = table[1];")),
        Condition | LoopCondition | AndTaken | AndNotTaken | OrTaken | OrNotTaken | DoWhile => return as_condition(corner, e, position),
        Index | ArraySize | SizeofArray | LoopBound | Sizeof | Discarded | Switch | CaseLabel => return as_number(corner, e, position),
    }
    observe_result(corner, e, "r");
}

fn as_condition(corner: &mut Corner, e: &Expression, position: Position) {
    let text = &e.text;
    corner.line("int r = 5;");
    match position {
        Condition => corner.line(&format!("if ({text}) r = 2;")),
        LoopCondition => corner.line(&format!("while (!({text})) {{ r = 6; break; }}")),
        AndTaken => corner.line(&format!("int one = 1;\nr = one && {text};")),
        AndNotTaken => corner.line(&format!("int zero = 0;\nr = zero && {text};")),
        OrTaken => corner.line(&format!("int zero = 0;\nr = zero || {text};")),
        OrNotTaken => corner.line(&format!("int one = 1;\nr = one || {text};")),
        // DoWhile.
        _ => corner.line(&format!("do {{ r++; }} while (r < 7 && ({text}));")),
    }
    corner.observe("r");
}

fn as_number(corner: &mut Corner, e: &Expression, position: Position) {
    match position {
        Index => {
            corner.line("unsigned char table[4] = {10, 11, 12, 13};");
            corner.observe(&format!("table[{}]", small(e)));
        }
        ArraySize => {
            corner.line(&format!("unsigned char row[{} + 1];", small(e)));
            corner.observe("sizeof row");
        }
        SizeofArray => corner.observe(&format!("sizeof(unsigned char[{} + 1])", small(e))),
        LoopBound => {
            corner.line(&format!("int n = 0;\nfor (int i = 0; i < {}; i++) n++;", small(e)));
            corner.observe("n");
        }
        Sizeof => corner.observe(&format!("sizeof({})", e.text)),
        Discarded => {
            corner.line(&format!("(void)({});", e.text));
            corner.observe("4");
        }
        CaseLabel => {
            corner.line(&format!("int r, one = 1;\nswitch (one) {{ case (int){}: r = 1; break; default: r = 2; }}", e.text));
            corner.observe("r");
        }
        _ => {
            corner.line(&format!(
                "int r;\nswitch ((long long)({})) {{ case 0: r = 1; break; case 1: r = 2; break; case -1: r = 3; break; default: r = 4; }}",
                e.text
            ));
            corner.observe("r");
        }
    }
}
