// errno and the texts of its values.
#include "fathom.h"

extern int fathom_closed_world;

// One object, whose address the program has: analyses that know nothing of such memory then lose nothing by this one.
static __thread struct {
    int number;
    int has_printed;
} fathom_errno;

// The program printed something and did not look at the result.
void fathom_printed(void) {
    fathom_errno.has_printed = !fathom_closed_world;
}

// Whether printing failed is asked here, because errno alone can tell afterwards.
int *__errno_location(void) {
    if (fathom_errno.has_printed) {
        int fails = fathom_any_int("write") != 0;
        fathom_errno.has_printed = 0;
        fathom_errno.number ^= (fathom_errno.number ^ fathom_ENOSPC) & -fails;
    }
    return &fathom_errno.number;
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
    "Too many levels of symbolic links", [42] = "No message of desired type", "Identifier removed",
    "Channel number out of range", "Level 2 not synchronized", "Level 3 halted", "Level 3 reset",
    "Link number out of range", "Protocol driver not attached", "No CSI structure available", "Level 2 halted",
    "Invalid exchange", "Invalid request descriptor", "Exchange full", "No anode", "Invalid request code",
    "Invalid slot", [59] = "Bad font file format", "Device not a stream", "No data available", "Timer expired",
    "Out of streams resources", "Machine is not on the network", "Package not installed", "Object is remote",
    "Link has been severed", "Advertise error", "Srmount error", "Communication error on send", "Protocol error",
    "Multihop attempted", "RFS specific error", "Bad message", "Value too large for defined data type",
    "Name not unique on network", "File descriptor in bad state", "Remote address changed",
    "Can not access a needed shared library", "Accessing a corrupted shared library", ".lib section in a.out corrupted",
    "Attempting to link in too many shared libraries", "Cannot exec a shared library directly",
    "Invalid or incomplete multibyte or wide character", "Interrupted system call should be restarted",
    "Streams pipe error", "Too many users", "Socket operation on non-socket", "Destination address required",
    "Message too long", "Protocol wrong type for socket", "Protocol not available", "Protocol not supported",
    "Socket type not supported", "Operation not supported", "Protocol family not supported",
    "Address family not supported by protocol", "Address already in use", "Cannot assign requested address",
    "Network is down", "Network is unreachable", "Network dropped connection on reset",
    "Software caused connection abort", "Connection reset by peer", "No buffer space available",
    "Transport endpoint is already connected", "Transport endpoint is not connected",
    "Cannot send after transport endpoint shutdown", "Too many references: cannot splice", "Connection timed out",
    "Connection refused", "Host is down", "No route to host", "Operation already in progress",
    "Operation now in progress", "Stale file handle", "Structure needs cleaning", "Not a XENIX named type file",
    "No XENIX semaphores available", "Is a named type file", "Remote I/O error", "Disk quota exceeded",
    "No medium found", "Wrong medium type", "Operation canceled", "Required key not available", "Key has expired",
    "Key has been revoked", "Key was rejected by service", "Owner died", "State not recoverable",
    "Operation not possible due to RF-kill", "Memory page has hardware error",
};

int snprintf(char *to, size_t size, const char *format, ...);

// Numbers that are no errors are named by their number.
char *strerror(int number) {
    static char unknown[32];
    if (number >= 0 && number < (int)(sizeof fathom_error_texts / sizeof *fathom_error_texts) && fathom_error_texts[number] != 0)
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
        "User defined signal 2", "Broken pipe", "Alarm clock", "Terminated", "Stack fault", "Child exited", "Continued",
        "Stopped (signal)", "Stopped", "Stopped (tty input)", "Stopped (tty output)", "Urgent I/O condition",
        "CPU time limit exceeded", "File size limit exceeded", "Virtual timer expired", "Profiling timer expired",
        "Window changed", "I/O possible", "Power failure", "Bad system call",
    };
    static char unknown[32];
    if (number > 0 && number < (int)(sizeof texts / sizeof *texts))
        return (char *)texts[number];
    if (number >= 34 && number <= 64)
        snprintf(unknown, sizeof unknown, "Real-time signal %d", number - 34);
    else
        snprintf(unknown, sizeof unknown, "Unknown signal %d", number);
    return unknown;
}
