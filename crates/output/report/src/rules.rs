//! The meaning of each property, in a line and in a paragraph: the rules in SARIF logs.

/// A property as people read of it.
pub struct Rule {
    /// In a line.
    pub short: &'static str,
    /// What goes wrong when it is violated, and what helps.
    pub help: &'static str,
}

/// The rule of a property, by its name.
pub fn rule(property: &str) -> &'static Rule {
    RULES.iter().find(|(name, _)| *name == property).map_or(&OTHER, |(_, rule)| rule)
}

const OTHER: Rule = Rule { short: "A property of the program is violated", help: "The trace shows inputs that lead to the violation." };

const RULES: &[(&str, Rule)] = &[
    (
        "unreach-call",
        Rule {
            short: "An error function is called",
            help: "reach_error or __VERIFIER_error must not be called. The trace shows the inputs that lead to the call.",
        },
    ),
    (
        "assertion",
        Rule {
            short: "An assertion fails",
            help: "The condition of an assert is false. The trace shows the inputs and values that make it so.",
        },
    ),
    (
        "valid-deref",
        Rule {
            short: "An access outside of a valid object",
            help: "A read or write is out of bounds, or its object was freed or has gone out of scope. Check the index against the size, and who owns the memory.",
        },
    ),
    (
        "uninitialised",
        Rule {
            short: "A value is used that was never written",
            help: "A branch, an address, a divisor or output depends on a variable or memory that nothing was written to. Give it a value where it is declared or allocated.",
        },
    ),
    (
        "stack-overflow",
        Rule {
            short: "Nested calls fill the stack",
            help: "A function calls itself, directly or through others, until the stack is used up. Check the condition that ends the recursion, or use a loop.",
        },
    ),
    (
        "no-data-race",
        Rule {
            short: "Two threads access the same memory without an order between them",
            help: "At least one of the accesses writes, and at least one is not atomic: C gives the program no meaning then. Protect both by the same mutex, make both atomic, or start or join the threads in between.",
        },
    ),
    (
        "valid-free",
        Rule {
            short: "An invalid free",
            help: "free is called with something that malloc did not return, or a second time. Set pointers to null after free, or keep one owner.",
        },
    ),
    (
        "valid-memtrack",
        Rule {
            short: "Allocated memory is lost",
            help: "The last pointer to allocated memory is gone, so nobody can free it. Free it before the pointer is overwritten or goes out of scope.",
        },
    ),
    (
        "valid-memcleanup",
        Rule {
            short: "Allocated memory is not freed when the program ends",
            help: "Everything that was allocated must be freed when the program ends.",
        },
    ),
    (
        "no-overflow",
        Rule {
            short: "A signed integer overflows",
            help: "The result of signed arithmetic does not fit into its type, which is undefined. Check operands before, or use a wider or unsigned type.",
        },
    ),
    (
        "div-by-zero",
        Rule {
            short: "A division by zero",
            help: "An integer is divided by zero, or the remainder by zero is taken. Check the divisor before.",
        },
    ),
    (
        "shift",
        Rule {
            short: "A shift by an invalid amount",
            help: "The amount of a shift is negative or not less than the width of the type, or a signed left shift leaves its type.",
        },
    ),
    (
        "bounds",
        Rule {
            short: "An index outside of its array",
            help: "The index is outside of an array that is part of a larger object. Check it against the array's own length.",
        },
    ),
    ("null", Rule { short: "An access through a null pointer", help: "A null pointer is used for an access. Check it before." }),
    (
        "alignment",
        Rule {
            short: "A misaligned access",
            help: "The address does not suit the type of the access. Copy the bytes with memcpy instead.",
        },
    ),
    (
        "float-cast-overflow",
        Rule {
            short: "A float is converted to an integer type that can't hold it",
            help: "The value of the float is not in the range of the integer type, which is undefined. Check the range before.",
        },
    ),
    (
        "vla-bound",
        Rule {
            short: "A variable-length array whose length is not positive",
            help: "The length of a variable-length array must be positive when its declaration is reached.",
        },
    ),
    (
        "invalid-value",
        Rule {
            short: "A bool or enumeration without a value of its type",
            help: "An object is read whose bytes are no value of its type: it was not initialised, or written through another type.",
        },
    ),
    (
        "nonnull",
        Rule {
            short: "A null pointer where the function's attribute forbids it",
            help: "A null pointer is passed or returned where an attribute of the function (nonnull) promises that there is none.",
        },
    ),
    (
        "unreachable",
        Rule {
            short: "__builtin_unreachable() is reached",
            help: "The program promises that this place is never reached; what it does from there on is undefined.",
        },
    ),
    (
        "return",
        Rule { short: "A function ends without a value", help: "Control flows off the end of a function that must return a value." },
    ),
    (
        "pointer-overflow",
        Rule {
            short: "Pointer arithmetic that leaves the address space",
            help: "The result of pointer arithmetic wraps around, or applies to a null pointer.",
        },
    ),
    (
        "builtin",
        Rule {
            short: "A builtin function with an argument for which it is undefined",
            help: "For example __builtin_ctz(0). Check the argument before.",
        },
    ),
    (
        "dangling",
        Rule {
            short: "A pointer to an object that has ended is used",
            help: "The value of a pointer is undefined once its object was freed or has gone out of scope; even a comparison is.",
        },
    ),
    (
        "deadlock",
        Rule {
            short: "Every thread waits for another one",
            help: "No thread can go on. Take locks in one order everywhere, and make sure that somebody wakes up whoever waits.",
        },
    ),
    (
        "locks",
        Rule {
            short: "A lock is used in a way that is undefined",
            help: "A thread unlocks what it has not locked, uses or destroys a lock that others use or that is gone, or waits in a circle of locks.",
        },
    ),
    ("termination", Rule { short: "A run does not end", help: "There is a run of the program that never ends." }),
    (
        "boogie-assert",
        Rule {
            short: "An assertion of a Boogie program fails",
            help: "An assertion, loop invariant, precondition at a call or postcondition does not hold.",
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_ir::Property;

    #[test]
    fn every_property_has_a_rule() {
        let missing: Vec<&str> = Property::ALL.map(Property::name).into_iter().filter(|name| rule(name).short == OTHER.short).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
