/* What entries of a library are given, what they promise themselves, and what they leave. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One element too many is read: only seen with more than one element. */
int last_positive(const int *values, int count)
{
    for (int i = count; i > 0; i--)
        if (values[i] > 0)
            return i;
    return -1;
}

/* Users are told: the assertion is a promise of theirs. */
int percent(int part, int whole)
{
    assert(whole > 0 && part >= 0 && part < 1000000);
    return 100 * part / whole;
}

/* This assertion is about what the function does itself. */
int half(int n)
{
    char *copy = malloc(4);
    int fits = copy != 0;
    free(copy);
    assert(fits);
    return n / 2;
}

/* The result is the caller's; the buffer beside it is lost. */
char *joined(const char *a, const char *b)
{
    char *buffer = malloc(64);
    char *result = malloc(64);
    if (!buffer || !result) {
        free(buffer);
        free(result);
        return 0;
    }
    strcpy(result, a);
    strcat(result, b);
    return result;
}

/* Nothing is lost here. */
char *kept(const char *text)
{
    char *result = malloc(strlen(text) + 1);
    if (result)
        strcpy(result, text);
    return result;
}

/* An empty text has no room for its end. */
char *short_copy(const char *text)
{
    char *result = malloc(strlen(text));
    if (result)
        strcpy(result, text);
    return result;
}

struct hooks {
    void *(*allocate)(size_t);
    char *buffer;
};

/* Whatever the hook gives, which no run has to call. */
void clear(struct hooks *h)
{
    free(h->buffer);
    free(h->buffer);
}

/* Nobody may pass null here. */
__attribute__((nonnull)) int first_of(const int *values)
{
    if (!values)
        return *values;
    return values[0];
}

/* Null is asked for, and read all the same. */
int options_of(struct hooks *h)
{
    if (h == NULL)
        return h->buffer != 0;
    return 1;
}

/* Every run fails here, so that nobody knows what lies behind. */
int behind(int n)
{
    int *volatile none = 0;
    int first = *none;
    return first / n;
}
