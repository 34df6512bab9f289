/* A calculator for 32-bit integers: expressions with C's operators and precedences, variables a to z, assignments, a
 * conditional operator and a few functions, compiled to code for a small stack machine and run. Lines end with a
 * semicolon or a newline; the value of each is printed.
 *
 *   a = 6; b = 7; a * b; max(a, b) << 2; a > b ? 1 : -1
 *
 * Overflow, division by zero and shifts that are too far are errors of the expression, not of the calculator.
 *
 * Planted defects: see `operate` (one of the cases) and `push_code`.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "input.h"

#define MAX_CODE 64
#define MAX_STACK 16
#define MAX_NESTING 8

enum error {
    NO_ERROR,
    SYNTAX,
    TOO_LARGE,         /* a constant */
    TOO_LONG,          /* too much code */
    TOO_DEEP,          /* nested too deeply, or too much on the stack */
    UNKNOWN_NAME,
    NOT_A_VARIABLE,
    ARGUMENTS,         /* the wrong number of them */
    OVERFLOW_ERROR,
    DIVISION,
    SHIFT
};

static const char *error_text(enum error e)
{
    switch (e) {
    case NO_ERROR: return "none";
    case SYNTAX: return "syntax error";
    case TOO_LARGE: return "constant too large";
    case TOO_LONG: return "expression too long";
    case TOO_DEEP: return "expression too deep";
    case UNKNOWN_NAME: return "unknown name";
    case NOT_A_VARIABLE: return "only variables can be assigned to";
    case ARGUMENTS: return "wrong number of arguments";
    case OVERFLOW_ERROR: return "overflow";
    case DIVISION: return "division by zero";
    case SHIFT: return "shift too far";
    }
    return "unknown";
}

/* ---- tokens */

enum token_kind {
    END_OF_LINE, NUMBER, NAME, PLUS, MINUS, STAR, SLASH, PERCENT, LEFT_SHIFT, RIGHT_SHIFT, LESS, LESS_EQUAL, GREATER,
    GREATER_EQUAL, EQUAL, NOT_EQUAL, AND, XOR, OR, AND_AND, OR_OR, NOT, TILDE, QUESTION, COLON, COMMA, OPEN, CLOSE, ASSIGN,
    BAD_TOKEN
};

struct token {
    enum token_kind kind;
    int32_t value;
    char name[8];
};

struct scanner {
    const unsigned char *at;
    const unsigned char *end;
    struct token token;
    enum error error;
};

static int current(const struct scanner *s)
{
    return s->at < s->end ? *s->at : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

static void set_error(struct scanner *s, enum error e)
{
    if (s->error == NO_ERROR)
        s->error = e;
}

static int digit_value(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return 99;
}

static void scan_number(struct scanner *s)
{
    uint32_t value = 0;
    int base = 10;
    s->token.kind = NUMBER;
    if (current(s) == '0' && s->end - s->at > 1 && s->at[1] == 'x') {
        base = 16;
        s->at += 2;
        if (digit_value(current(s)) >= 16)
            set_error(s, SYNTAX);
    }
    while (digit_value(current(s)) < base) {
        uint32_t digit = (uint32_t)digit_value(*s->at++);
        if (value > (INT32_MAX - digit) / (uint32_t)base) {
            set_error(s, TOO_LARGE);
            return;
        }
        value = value * (uint32_t)base + digit;
    }
    s->token.value = (int32_t)value;
}

static void scan_name(struct scanner *s)
{
    size_t length = 0;
    s->token.kind = NAME;
    while (is_letter(current(s)) || is_digit(current(s))) {
        if (length == sizeof s->token.name - 1) {
            set_error(s, UNKNOWN_NAME);
            return;
        }
        s->token.name[length++] = (char)*s->at++;
    }
    s->token.name[length] = 0;
}

/* One character, or two if the second follows. */
static enum token_kind either(struct scanner *s, int second, enum token_kind two, enum token_kind one)
{
    if (current(s) != second)
        return one;
    s->at++;
    return two;
}

static enum token_kind scan_operator(struct scanner *s)
{
    int c = *s->at++;
    switch (c) {
    case '+': return PLUS;
    case '-': return MINUS;
    case '*': return STAR;
    case '/': return SLASH;
    case '%': return PERCENT;
    case '~': return TILDE;
    case '^': return XOR;
    case '?': return QUESTION;
    case ':': return COLON;
    case ',': return COMMA;
    case '(': return OPEN;
    case ')': return CLOSE;
    case '&': return either(s, '&', AND_AND, AND);
    case '|': return either(s, '|', OR_OR, OR);
    case '=': return either(s, '=', EQUAL, ASSIGN);
    case '!': return either(s, '=', NOT_EQUAL, NOT);
    case '<':
        if (current(s) == '<') {
            s->at++;
            return LEFT_SHIFT;
        }
        return either(s, '=', LESS_EQUAL, LESS);
    case '>':
        if (current(s) == '>') {
            s->at++;
            return RIGHT_SHIFT;
        }
        return either(s, '=', GREATER_EQUAL, GREATER);
    default: return BAD_TOKEN;
    }
}

static void next(struct scanner *s)
{
    int c;
    while (current(s) == ' ' || current(s) == '\t')
        s->at++;
    c = current(s);
    if (c < 0 || c == ';' || c == '\n')
        s->token.kind = END_OF_LINE;
    else if (is_digit(c))
        scan_number(s);
    else if (is_letter(c))
        scan_name(s);
    else
        s->token.kind = scan_operator(s);
    if (s->token.kind == BAD_TOKEN)
        set_error(s, SYNTAX);
}

/* ---- code */

enum operation {
    PUSH, LOAD, STORE, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, SHIFT_LEFT, SHIFT_RIGHT, IS_LESS, IS_LESS_EQUAL, IS_EQUAL,
    BIT_AND, BIT_XOR, BIT_OR, NEGATE, COMPLEMENT, LOGICAL_NOT, SWAP, JUMP, JUMP_IF_ZERO, TO_BOOL, ABSOLUTE, MINIMUM,
    MAXIMUM, POWER
};

struct instruction {
    enum operation operation;
    int32_t operand;
};

struct compiler {
    struct scanner scanner;
    struct instruction code[MAX_CODE];
    int length;
    int nesting;
};

/* Planted defect: the check comes one instruction late. */
static int push_code(struct compiler *c, enum operation operation, int32_t operand)
{
    if (c->length > MAX_CODE) {
        set_error(&c->scanner, TOO_LONG);
        return 0;
    }
    c->code[c->length].operation = operation;
    c->code[c->length].operand = operand;
    return c->length++;
}

static bool has_error(const struct compiler *c)
{
    return c->scanner.error != NO_ERROR;
}

static bool is_token(const struct compiler *c, enum token_kind kind)
{
    return !has_error(c) && c->scanner.token.kind == kind;
}

static bool take(struct compiler *c, enum token_kind kind)
{
    if (!is_token(c, kind))
        return false;
    next(&c->scanner);
    return true;
}

static void expect(struct compiler *c, enum token_kind kind)
{
    if (!take(c, kind))
        set_error(&c->scanner, SYNTAX);
}

static void expression(struct compiler *c);

struct function {
    const char *name;
    int arguments;
    enum operation operation;
};

static const struct function functions[] = {
    { "abs", 1, ABSOLUTE }, { "min", 2, MINIMUM }, { "max", 2, MAXIMUM }, { "pow", 2, POWER },
};

static void call(struct compiler *c, const char *name)
{
    int count = 0;
    if (!take(c, CLOSE)) {
        do {
            expression(c);
            count++;
        } while (take(c, COMMA));
        expect(c, CLOSE);
    }
    if (has_error(c))
        return;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            if (count != functions[i].arguments)
                set_error(&c->scanner, ARGUMENTS);
            else
                push_code(c, functions[i].operation, 0);
            return;
        }
    }
    set_error(&c->scanner, UNKNOWN_NAME);
}

static void name_or_call(struct compiler *c)
{
    char name[8];
    memcpy(name, c->scanner.token.name, sizeof name);
    next(&c->scanner);
    if (take(c, OPEN)) {
        call(c, name);
        return;
    }
    if (name[1] != 0 || name[0] == '_') {
        set_error(&c->scanner, UNKNOWN_NAME);
        return;
    }
    if (take(c, ASSIGN)) {
        expression(c);
        push_code(c, STORE, name[0] - 'a');
        return;
    }
    push_code(c, LOAD, name[0] - 'a');
}

static void primary(struct compiler *c)
{
    if (has_error(c))
        return;
    switch (c->scanner.token.kind) {
    case NUMBER:
        push_code(c, PUSH, c->scanner.token.value);
        next(&c->scanner);
        break;
    case NAME:
        name_or_call(c);
        break;
    case OPEN:
        next(&c->scanner);
        expression(c);
        expect(c, CLOSE);
        break;
    default:
        set_error(&c->scanner, SYNTAX);
    }
}

static void unary(struct compiler *c)
{
    if (++c->nesting > MAX_NESTING) {
        set_error(&c->scanner, TOO_DEEP);
    } else if (take(c, MINUS)) {
        unary(c);
        push_code(c, NEGATE, 0);
    } else if (take(c, TILDE)) {
        unary(c);
        push_code(c, COMPLEMENT, 0);
    } else if (take(c, NOT)) {
        unary(c);
        push_code(c, LOGICAL_NOT, 0);
    } else {
        primary(c);
    }
    c->nesting--;
}

struct binary {
    enum token_kind token;
    int level;
    enum operation operation;
    bool swapped;      /* a > b is b < a */
};

static const struct binary binaries[] = {
    { STAR, 10, MULTIPLY, false }, { SLASH, 10, DIVIDE, false }, { PERCENT, 10, REMAINDER, false },
    { PLUS, 9, ADD, false }, { MINUS, 9, SUBTRACT, false },
    { LEFT_SHIFT, 8, SHIFT_LEFT, false }, { RIGHT_SHIFT, 8, SHIFT_RIGHT, false },
    { LESS, 7, IS_LESS, false }, { LESS_EQUAL, 7, IS_LESS_EQUAL, false },
    { GREATER, 7, IS_LESS, true }, { GREATER_EQUAL, 7, IS_LESS_EQUAL, true },
    { EQUAL, 6, IS_EQUAL, false }, { NOT_EQUAL, 6, IS_EQUAL, false },
    { AND, 5, BIT_AND, false }, { XOR, 4, BIT_XOR, false }, { OR, 3, BIT_OR, false },
};

static const struct binary *binary_of(enum token_kind kind)
{
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (binaries[i].token == kind)
            return &binaries[i];
    return NULL;
}

/* Operators of this level and above, by precedence climbing. */
static void climb(struct compiler *c, int level)
{
    unary(c);
    while (!has_error(c)) {
        const struct binary *b = binary_of(c->scanner.token.kind);
        if (b == NULL || b->level < level)
            return;
        next(&c->scanner);
        climb(c, b->level + 1);
        if (b->swapped)
            push_code(c, SWAP, 0);
        push_code(c, b->operation, 0);
        if (b->token == NOT_EQUAL)
            push_code(c, LOGICAL_NOT, 0);
    }
}

/* a && b is a ? !!b : 0, and a || b is a ? 1 : !!b. */
static void logical_and(struct compiler *c)
{
    climb(c, 3);
    while (take(c, AND_AND)) {
        int skip = push_code(c, JUMP_IF_ZERO, 0), end;
        climb(c, 3);
        push_code(c, TO_BOOL, 0);
        end = push_code(c, JUMP, 0);
        c->code[skip].operand = c->length;
        push_code(c, PUSH, 0);
        c->code[end].operand = c->length;
    }
}

static void logical_or(struct compiler *c)
{
    logical_and(c);
    while (take(c, OR_OR)) {
        int skip = push_code(c, JUMP_IF_ZERO, 0), end;
        push_code(c, PUSH, 1);
        end = push_code(c, JUMP, 0);
        c->code[skip].operand = c->length;
        logical_and(c);
        push_code(c, TO_BOOL, 0);
        c->code[end].operand = c->length;
    }
}

static void expression(struct compiler *c)
{
    if (++c->nesting > MAX_NESTING) {
        set_error(&c->scanner, TOO_DEEP);
        c->nesting--;
        return;
    }
    logical_or(c);
    if (take(c, QUESTION)) {
        int otherwise = push_code(c, JUMP_IF_ZERO, 0), end;
        expression(c);
        expect(c, COLON);
        end = push_code(c, JUMP, 0);
        c->code[otherwise].operand = c->length;
        expression(c);
        c->code[end].operand = c->length;
    }
    if (is_token(c, ASSIGN))
        set_error(&c->scanner, NOT_A_VARIABLE);
    c->nesting--;
}

/* ---- the machine */

struct machine {
    int32_t stack[MAX_STACK];
    int used;
    int32_t variables[26];
    enum error error;
};

static void push(struct machine *m, int64_t value)
{
    if (value < INT32_MIN || value > INT32_MAX)
        m->error = OVERFLOW_ERROR;
    else if (m->used == MAX_STACK)
        m->error = TOO_DEEP;
    else
        m->stack[m->used++] = (int32_t)value;
}

static int32_t pop(struct machine *m)
{
    return m->used > 0 ? m->stack[--m->used] : 0;
}

static int64_t power(struct machine *m, int32_t base, int32_t exponent)
{
    int64_t result = 1;
    if (exponent < 0) {
        m->error = OVERFLOW_ERROR;
        return 0;
    }
    while (exponent-- > 0) {
        result *= base;
        if (result < INT32_MIN || result > INT32_MAX) {
            m->error = OVERFLOW_ERROR;
            return 0;
        }
        if (result == 0 || result == 1)
            break;
    }
    return result;
}

/* Planted defect: the remainder of the smallest number and -1 is not looked at; C leaves it undefined. */
static int64_t operate(struct machine *m, enum operation operation, int32_t a, int32_t b)
{
    switch (operation) {
    case ADD: return (int64_t)a + b;
    case SUBTRACT: return (int64_t)a - b;
    case MULTIPLY: return (int64_t)a * b;
    case DIVIDE:
        if (b == 0) {
            m->error = DIVISION;
            return 0;
        }
        return (int64_t)a / b;
    case REMAINDER:
        if (b == 0) {
            m->error = DIVISION;
            return 0;
        }
        return a % b;
    case SHIFT_LEFT:
        if (b < 0 || b > 31) {
            m->error = SHIFT;
            return 0;
        }
        return (int64_t)a * ((int64_t)1 << b);
    case SHIFT_RIGHT:
        if (b < 0 || b > 31) {
            m->error = SHIFT;
            return 0;
        }
        return a >> b;
    case IS_LESS: return a < b;
    case IS_LESS_EQUAL: return a <= b;
    case IS_EQUAL: return a == b;
    case BIT_AND: return a & b;
    case BIT_XOR: return a ^ b;
    case BIT_OR: return a | b;
    case MINIMUM: return a < b ? a : b;
    case MAXIMUM: return a > b ? a : b;
    case POWER: return power(m, a, b);
    default: return 0;
    }
}

static void execute(struct machine *m, const struct instruction *code, int length)
{
    m->used = 0;
    m->error = NO_ERROR;
    for (int at = 0; at < length && m->error == NO_ERROR; at++) {
        int32_t operand = code[at].operand, a, b;
        switch (code[at].operation) {
        case PUSH: push(m, operand); break;
        case LOAD: push(m, m->variables[operand]); break;
        case STORE:
            if (m->used > 0)
                m->variables[operand] = m->stack[m->used - 1];
            break;
        case NEGATE: push(m, -(int64_t)pop(m)); break;
        case COMPLEMENT: push(m, ~pop(m)); break;
        case LOGICAL_NOT: push(m, !pop(m)); break;
        case TO_BOOL: push(m, pop(m) != 0); break;
        case ABSOLUTE:
            a = pop(m);
            push(m, a < 0 ? -(int64_t)a : a);
            break;
        case SWAP:
            b = pop(m);
            a = pop(m);
            push(m, b);
            push(m, a);
            break;
        case JUMP: at = operand - 1; break;
        case JUMP_IF_ZERO:
            if (pop(m) == 0)
                at = operand - 1;
            break;
        default:
            b = pop(m);
            a = pop(m);
            push(m, operate(m, code[at].operation, a, b));
            break;
        }
    }
}

/* ---- lines */

static int calculate(const unsigned char *text, size_t length)
{
    static struct compiler c;
    static struct machine m;
    int failures = 0;
    c.scanner.at = text;
    c.scanner.end = text + length;
    while (c.scanner.at < c.scanner.end) {
        const unsigned char *start = c.scanner.at;
        enum error error;
        c.length = c.nesting = 0;
        c.scanner.error = NO_ERROR;
        next(&c.scanner);
        if (!is_token(&c, END_OF_LINE)) {
            expression(&c);
            if (!has_error(&c) && !is_token(&c, END_OF_LINE))
                set_error(&c.scanner, SYNTAX);
            error = c.scanner.error;
            if (error == NO_ERROR) {
                execute(&m, c.code, c.length);
                error = m.error;
            }
            if (error == NO_ERROR) {
                printf("%d\n", (int)m.stack[0]);
            } else {
                printf("at %d: %s\n", (int)(c.scanner.at - start), error_text(error));
                failures++;
            }
        }
        while (c.scanner.at < c.scanner.end && *c.scanner.at != ';' && *c.scanner.at != '\n')
            c.scanner.at++;
        c.scanner.at += c.scanner.at < c.scanner.end;
    }
    return failures;
}

int main(void)
{
    unsigned char input[1024];
    size_t length = read_input(input, sizeof input);
    return calculate(input, length) == 0 ? 0 : 1;
}
