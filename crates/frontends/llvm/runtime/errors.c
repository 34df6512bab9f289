// errno and the texts of its values.
#include "fathom.h"

static __thread int fathom_errno;

int *__errno_location(void) {
    return &fathom_errno;
}

static const char *const fathom_error_texts[] = {
    "Success", "Operation not permitted", "No such file or directory", "No such process", "Interrupted system call",
    "Input/output error", "No such device or address", "Argument list too long", "Exec format error",
    "Bad file descriptor", "No child processes", "Resource temporarily unavailable", "Cannot allocate memory",
    "Permission denied", "Bad address", "Block device required", "Device or resource busy", "File exists",
    "Invalid cross-device link", "No such device", "Not a directory", "Is a directory", "Invalid argument",
    "Too many open files in system", "Too many open files", "Inappropriate ioctl for device", "Text file busy",
    "File too large", "No space left on device", "Illegal seek", "Read-only file system", "Too many links",
    "Broken pipe", "Numerical argument out of domain", "Numerical result out of range", "Resource deadlock avoided",
    "File name too long", "No locks available", "Function not implemented", "Directory not empty",
    "Too many levels of symbolic links",
};

int snprintf(char *to, size_t size, const char *format, ...);

// Numbers above the table are named by their number, which is what the C library does for those it doesn't know.
char *strerror(int number) {
    static char unknown[32];
    if (number >= 0 && number < (int)(sizeof fathom_error_texts / sizeof *fathom_error_texts))
        return (char *)fathom_error_texts[number];
    snprintf(unknown, sizeof unknown, "Unknown error %d", number);
    return unknown;
}

char *strerror_r(int number, char *buffer, size_t size) {
    return strerror(number);
}

int __xpg_strerror_r(int number, char *buffer, size_t size) {
    const char *text = strerror(number);
    size_t i = 0;
    for (; i + 1 < size && text[i] != 0; i++)
        buffer[i] = text[i];
    if (size > 0)
        buffer[i] = 0;
    return text[i] == 0 && size > 0 ? 0 : fathom_ERANGE;
}

char *strsignal(int number) {
    static const char *const texts[] = {
        "Unknown signal 0", "Hangup", "Interrupt", "Quit", "Illegal instruction", "Trace/breakpoint trap", "Aborted",
        "Bus error", "Floating point exception", "Killed", "User defined signal 1", "Segmentation fault",
        "User defined signal 2", "Broken pipe", "Alarm clock", "Terminated",
    };
    static char unknown[32];
    if (number > 0 && number < (int)(sizeof texts / sizeof *texts))
        return (char *)texts[number];
    snprintf(unknown, sizeof unknown, "Unknown signal %d", number);
    return unknown;
}
