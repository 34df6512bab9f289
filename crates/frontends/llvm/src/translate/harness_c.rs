//! The arguments of `harness` once more, in C, for native runs: a `main` that makes the same objects, asks the driver
//! for the same inputs in the same order (`give`) and calls the entry. Parameters are declared as the scalars that they
//! are in LLVM, which is how the calling conventions of x86 pass them. If a parameter cannot be passed in this way,
//! there is a message instead.

use crate::llvm::{Type, TypeKind, Value};
use std::fmt::Write;

#[derive(Default)]
pub struct HarnessInC {
    declarations: String,
    body: String,
    parameters: Vec<String>,
    arguments: Vec<String>,
    objects: usize,
    missing: usize,
    why_not: Option<String>,
}

const HELPERS: &str = r#"
/* Makes the arguments of the function under test and calls it. */
extern void *malloc(word);
extern void *stdin, *stdout;
static void *objects[64];
static word object_count;
HIDDEN void *object(const char *source, word size)
{ void *made = malloc(size); objects[object_count++] = made; give(source, made, size); return made; }
HIDDEN int chosen(const char *source)
{ unsigned char bit; give(source, &bit, 1); return bit & 1; }
"#;

impl HarnessInC {
    /// An object with arbitrary contents; the C name of its address.
    pub fn object(&mut self, source: &str, size: u64) -> String {
        let name = format!("o{}", self.objects);
        self.objects += 1;
        let _ = writeln!(self.body, "  char *{name} = object(\"{}\", {size});", plain(source));
        name
    }

    /// A function that a stand-in is written for; its address.
    pub fn function(&mut self, name: &str) -> String {
        let _ = writeln!(self.declarations, "extern void {name}(void);");
        format!("(void *){name}")
    }

    /// A function that no stand-in can be written for: a run that calls it says so and ends. Its address.
    pub fn missing_function(&mut self, source: &str) -> String {
        let name = format!("missing{}", self.missing);
        self.missing += 1;
        let _ = writeln!(self.declarations, "HIDDEN void {name}(void) {{ finish(\"unwritable\", \"{}\"); }}", plain(source));
        format!("(void *){name}")
    }

    /// One of two addresses, as an input says; its name.
    pub fn choice(&mut self, source: &str, chosen: &str, otherwise: &str) -> String {
        let name = format!("o{}", self.objects);
        self.objects += 1;
        let _ = writeln!(self.body, "  char *{name} = chosen(\"{}\") ? (char *){chosen} : (char *){otherwise};", plain(source));
        name
    }

    pub fn store_pointer(&mut self, object: &str, offset: u64, value: &str) {
        let _ = writeln!(self.body, "  *(void **)({object} + {offset}) = {value};");
    }

    pub fn end_text(&mut self, object: &str, last: u64) {
        let _ = writeln!(self.body, "  {object}[{last}] = 0;");
    }

    /// A pointer argument; with a `choice`, that input says whether it is null.
    pub fn pointer(&mut self, object: &str, choice: Option<&str>) {
        let name = self.argument("void *");
        let _ = writeln!(self.body, "  {name} = {object};");
        if let Some(choice) = choice {
            let _ = writeln!(self.body, "  if (chosen(\"{}\")) {name} = 0;", plain(choice));
        }
    }

    /// A structure that is passed through memory.
    pub fn by_value(&mut self, object: &str, size: u64, align: u64, pointer_bits: u32) {
        if pointer_bits == 64 && size <= 16 {
            self.refuse("a small structure that is passed through memory");
        }
        let number = self.parameters.len();
        let align = align.max(u64::from(pointer_bits / 8));
        let _ = writeln!(self.declarations, "struct s{number} {{ char bytes[{size}]; }} __attribute__((aligned({align})));");
        self.parameters.push(format!("struct s{number}"));
        self.arguments.push(format!("*(struct s{number} *){object}"));
    }

    /// Room for a structure that is returned.
    pub fn result(&mut self, object: &str, pointer_bits: u32) {
        if pointer_bits == 32 {
            self.refuse("a structure that is returned through memory");
        }
        self.pointer(object, None);
    }

    pub fn number(&mut self, source: &str, ty: Type, is_unsigned: bool) {
        let source = plain(source);
        if ty.is_vector()
            && let Some(element) = c_type(ty.element(), is_unsigned)
        {
            let (number, length) = (self.parameters.len(), ty.length());
            let _ = writeln!(self.declarations, "typedef {element} v{number} __attribute__((vector_size({length} * sizeof({element}))));");
            let name = self.argument(&format!("v{number}"));
            let _ = writeln!(
                self.body,
                "  for (int i = 0; i < {length}; i++) {{ {element} x; give(\"{source}\", &x, sizeof x); {name}[i] = x; }}"
            );
            return;
        }
        match c_type(ty, is_unsigned) {
            Some("_Bool") => {
                let name = self.argument("_Bool");
                let _ = writeln!(self.body, "  {name} = chosen(\"{source}\");");
            }
            Some(c_type) => {
                let name = self.argument(c_type);
                let _ = writeln!(self.body, "  give(\"{source}\", &{name}, sizeof {name});");
            }
            None => self.refuse(&format!("an argument of the type {}", ty.show())),
        }
    }

    fn argument(&mut self, c_type: &str) -> String {
        let name = format!("a{}", self.parameters.len());
        let _ = writeln!(self.body, "  {c_type} {name};");
        self.parameters.push(c_type.to_string());
        self.arguments.push(name.clone());
        name
    }

    pub fn refuse(&mut self, what: &str) {
        self.why_not.get_or_insert_with(|| format!("it starts in a function with {what}"));
    }

    /// The text of `main`, or why there is none.
    pub fn finish(self, entry: Value) -> Result<String, String> {
        if let Some(why) = self.why_not {
            return Err(why);
        }
        let parameters = if self.parameters.is_empty() { "void".to_string() } else { self.parameters.join(", ") };
        let mut text = [HELPERS, &self.declarations].concat();
        // What the entry gives may be all that holds memory, which is no leak then.
        let (result, hold) = if entry.value_type().result().is_pointer() { ("void *", "held = ") } else { ("void ", "") };
        let _ = writeln!(text, "static void *volatile held;");
        let _ = writeln!(text, "extern {result}entry({parameters}) __asm__(\"{}\");", entry.name().replace(['"', '\\', '\n'], ""));
        let _ = writeln!(text, "__attribute__((no_instrument_function)) int main(void)\n{{");
        let _ = writeln!(text, "{}  {hold}entry({});\n  return 0;\n}}", self.body, self.arguments.join(", "));
        Ok(text)
    }
}

/// The C type of a scalar; x87's floats have bits that no input names.
pub(super) fn c_type(ty: Type, is_unsigned: bool) -> Option<&'static str> {
    Some(match ty.kind() {
        TypeKind::LLVMFloatTypeKind => "float",
        TypeKind::LLVMDoubleTypeKind => "double",
        TypeKind::LLVMIntegerTypeKind => match (ty.integer_bits(), is_unsigned) {
            (1, _) => "_Bool",
            (8, false) => "signed char",
            (8, true) => "unsigned char",
            (16, false) => "short",
            (16, true) => "unsigned short",
            (32, _) => "int",
            (64, _) => "long long",
            _ => return None,
        },
        _ => return None,
    })
}

/// Sources of inputs as the driver compares them: letters, digits and underscores.
fn plain(source: &str) -> String {
    source.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}
