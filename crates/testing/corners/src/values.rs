//! C's integer types in both data models, their interesting values, and inputs that take a few of them.

use fathom_randprog::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    pub c: &'static str,
    /// Behind `__VERIFIER_nondet_`.
    pub nondet: &'static str,
    pub bits: u32,
    pub signed: bool,
    /// C's rank, which decides conversions between types of one width.
    pub rank: u32,
    pub is_bool: bool,
}

const fn int(c: &'static str, nondet: &'static str, bits: u32, signed: bool, rank: u32) -> Int {
    Int { c, nondet, bits, signed, rank, is_bool: rank == 0 }
}

pub const INT: Int = int("int", "int", 32, true, 3);
pub const UINT: Int = int("unsigned", "uint", 32, false, 3);
pub const BOOL: Int = int("_Bool", "bool", 1, false, 0);
pub const UCHAR: Int = int("unsigned char", "uchar", 8, false, 1);

/// All integer types of the data model.
pub fn integers(wide: bool) -> Vec<Int> {
    let long = if wide { 64 } else { 32 };
    let mut all = vec![
        BOOL,
        int("char", "char", 8, true, 1),
        int("signed char", "char", 8, true, 1),
        UCHAR,
        int("short", "short", 16, true, 2),
        int("unsigned short", "ushort", 16, false, 2),
        INT,
        UINT,
        int("long", "long", long, true, 4),
        int("unsigned long", "ulong", long, false, 4),
        int("long long", "longlong", 64, true, 5),
        int("unsigned long long", "ulonglong", 64, false, 5),
    ];
    if wide {
        all.push(int("__int128", "int128", 128, true, 6));
        all.push(int("unsigned __int128", "uint128", 128, false, 6));
    }
    all
}

pub fn any_int(rng: &mut Rng, wide: bool) -> Int {
    let all = integers(wide);
    // `int` is what most operations happen in.
    if rng.chance(30) { INT } else { *rng.pick(&all) }
}

impl Int {
    pub fn min(self) -> i128 {
        match (self.signed, self.bits) {
            (false, _) => 0,
            (true, 128) => i128::MIN,
            (true, bits) => -(1 << (bits - 1)),
        }
    }

    /// The largest value; `unsigned __int128` is cut at what fits `i128`, which templates never exceed.
    pub fn max(self) -> i128 {
        match (self.signed, self.bits) {
            (_, 128) => i128::MAX,
            (true, bits) => (1 << (bits - 1)) - 1,
            (false, bits) => (1 << bits) - 1,
        }
    }

    pub fn promoted(self) -> Int {
        if self.rank < INT.rank { INT } else { self }
    }

    /// The common type of the usual arithmetic conversions.
    pub fn with(self, other: Int, wide: bool) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        if a.signed == b.signed {
            return if a.rank >= b.rank { a } else { b };
        }
        let (unsigned, signed) = if a.signed { (b, a) } else { (a, b) };
        if unsigned.rank >= signed.rank {
            unsigned
        } else if signed.bits > unsigned.bits {
            signed
        } else {
            *integers(wide).iter().find(|t| t.rank == signed.rank && !t.signed).expect("an unsigned type of the rank")
        }
    }

    /// The value that a conversion to this type gives.
    pub fn convert(self, value: i128) -> i128 {
        if self.is_bool {
            return i128::from(value != 0);
        }
        if self.bits == 128 {
            return value;
        }
        let low = value & ((1i128 << self.bits) - 1);
        if self.signed && low >> (self.bits - 1) & 1 == 1 { low - (1 << self.bits) } else { low }
    }

    pub fn interesting(self, rng: &mut Rng) -> i128 {
        let all = [
            0,
            1,
            2,
            -1,
            3,
            7,
            10,
            self.min(),
            self.max(),
            self.min().saturating_add(1),
            self.max() - 1,
            self.max() / 2,
            self.max() / 2 + 1,
        ];
        let power = 1i128 << rng.below(self.bits.min(126) as usize);
        let drawn = if rng.chance(25) { power } else { *rng.pick(&all) };
        if (self.min()..=self.max()).contains(&drawn) { drawn } else { drawn.rem_euclid(5).min(self.max()) }
    }

    /// A constant expression of this type, as people write it.
    pub fn literal(self, value: i128) -> String {
        if self.bits == 128 {
            return literal128(self, value);
        }
        let suffix = match (self.rank, self.signed) {
            (..=3, true) => "",
            (..=3, false) => "u",
            (4, true) => "L",
            (4, false) => "UL",
            (_, true) => "LL",
            (_, false) => "ULL",
        };
        let plain = if value == self.min() && self.rank >= 3 && self.signed {
            format!("(-{}{suffix} - 1)", self.max())
        } else if value < 0 {
            format!("({value}{suffix})")
        } else if self.rank < 3 {
            format!("{value}")
        } else {
            format!("{value}{suffix}")
        };
        if self.rank < 3 { format!("(({}){plain})", self.c) } else { plain }
    }
}

fn literal128(t: Int, value: i128) -> String {
    if let Ok(small) = i64::try_from(value)
        && small != i64::MIN
    {
        return format!("(({}){small}LL)", t.c);
    }
    let (sign, magnitude, rest) =
        if value == i128::MIN { ("-", i128::MAX, " - 1") } else { (if value < 0 { "-" } else { "" }, value.abs(), "") };
    let (high, low) = ((magnitude >> 64) as u64, magnitude as u64);
    format!("({sign}(({})(((unsigned __int128){high}ULL << 64) | {low}ULL)){rest})", t.c)
}

/// A value of an input: how C writes it and which bits a native run gets.
#[derive(Clone, Debug)]
pub struct Value {
    pub text: String,
    pub bits: u128,
}

/// A variable of `main` that is read from outside and takes one of few values.
#[derive(Clone, Debug)]
pub struct Input {
    pub name: &'static str,
    pub c: &'static str,
    pub nondet: &'static str,
    pub values: Vec<Value>,
    /// C's test for NaN stands in for comparisons with it.
    pub nan: bool,
}

impl Input {
    pub fn of_int(name: &'static str, t: Int, values: &[i128]) -> Input {
        let mut distinct: Vec<i128> = values.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let values = distinct.into_iter().map(|v| Value { text: t.literal(v), bits: v as u128 }).collect();
        Input { name, c: t.c, nondet: t.nondet, values, nan: false }
    }

    pub fn declaration(&self) -> String {
        let mut tests: Vec<String> =
            self.values.iter().filter(|v| v.text != "NAN").map(|v| format!("{} != {}", self.name, v.text)).collect();
        if self.nan {
            tests.push(format!("{0} == {0}", self.name));
        }
        format!("{} {} = __VERIFIER_nondet_{}();\nif ({}) return 0;\n", self.c, self.name, self.nondet, tests.join(" && "))
    }

    pub fn prototype(&self) -> String {
        prototype(self.nondet)
    }

    pub fn all_prototypes() -> Vec<String> {
        NONDET.iter().map(|(name, _)| prototype(name)).collect()
    }
}

const NONDET: [(&str, &str); 13] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
];

fn prototype(nondet: &str) -> String {
    let c = match nondet {
        "int128" => "__int128",
        "uint128" => "unsigned __int128",
        _ => NONDET.iter().find(|(name, _)| *name == nondet).expect("a known input").1,
    };
    format!("extern {c} __VERIFIER_nondet_{nondet}(void);\n")
}
