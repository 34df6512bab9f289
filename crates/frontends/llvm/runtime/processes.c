// Calls of the operating system about the process and the names of files that give a number. Most of them work or fail for a
// reason that only the system knows; the reasons are those of their manual pages.
#include "fathom.h"

extern int fathom_errno_is_read;

// 0, or -1 with an error among these: an arbitrary number says which.
int fathom_outcome(int failure, u64 errors) {
    if (!fathom_errno_is_read)
        return -(failure != 0);
    __VERIFIER_assume((failure >= 0) & (failure < 64));
    __VERIFIER_assume((failure == 0) | ((errors >> (failure & 63) & 1) != 0));
    errno ^= (errno ^ failure) & -(failure != 0);
    return -(failure != 0);
}

int fathom_failure(int failure, u64 errors) {
    __VERIFIER_assume(failure != 0);
    return fathom_outcome(failure, errors);
}

int getpid(void) {
    static int known;
    if (known == 0) {
        known = fathom_any_int("getpid");
        __VERIFIER_assume(known > 0);
    }
    return known;
}

int getppid(void) {
    int id = fathom_any_int("getppid");
    __VERIFIER_assume((id >= 0) & (id != getpid()));
    return id;
}

unsigned getuid(void) {
    static int asked, known;
    if (!asked) {
        asked = 1;
        known = fathom_any_int("getuid");
    }
    return (unsigned)known;
}

unsigned geteuid(void) {
    static int asked, known;
    if (!asked) {
        asked = 1;
        known = fathom_any_int("geteuid");
    }
    return (unsigned)known;
}

unsigned getgid(void) {
    static int asked, known;
    if (!asked) {
        asked = 1;
        known = fathom_any_int("getgid");
    }
    return (unsigned)known;
}

unsigned getegid(void) {
    static int asked, known;
    if (!asked) {
        asked = 1;
        known = fathom_any_int("getegid");
    }
    return (unsigned)known;
}

static int fathom_knows_group;

int getpgrp(void) {
    static int known;
    if (!fathom_knows_group) {
        fathom_knows_group = 1;
        known = fathom_any_int("getpgrp");
        __VERIFIER_assume(known >= 0);
    }
    return known;
}

// Errors by their numbers: EINVAL is 22, EPERM 1, ESRCH 3, EAGAIN 11, EACCES 13.

int setuid(unsigned id) {
    return fathom_outcome(fathom_any_int("setuid"), fathom_error(1) | fathom_error(11) | fathom_error(22));
}

int setgid(unsigned id) {
    return fathom_outcome(fathom_any_int("setgid"), fathom_error(1) | fathom_error(22));
}

int setpgid(int process, int group) {
    fathom_knows_group = 0;
    return fathom_outcome(fathom_any_int("setpgid"), fathom_error(1) | fathom_error(3) | fathom_error(13) | fathom_error(22));
}

int setsid(void) {
    fathom_knows_group = 0;
    int id = fathom_any_int("setsid");
    __VERIFIER_assume(id != 0);
    return id > 0 ? id : fathom_outcome(1, fathom_error(1));
}

unsigned umask(unsigned mask) {
    static unsigned known, is_known;
    unsigned old = is_known ? known : (unsigned)fathom_any_int("umask");
    __VERIFIER_assume(old <= 0777);
    is_known = 1;
    known = mask & 0777;
    return old;
}

enum { fathom_SETTINGS = 256 };

// The page is that of x86, and times are counted in hundredths; the rest depends on the system, but stays what it is, except the
// number of processors that work and of pages that are free.
long sysconf(int name) {
    static char asked[fathom_SETTINGS];
    static long known[fathom_SETTINGS];
    if (name == 30)
        return 4096;
    if (name == 2)
        return 100;
    int changes = (name < 0) | (name >= fathom_SETTINGS) | (name == 84) | (name == 86);
    if (!changes && asked[name])
        return known[name];
    long value = fathom_any_long("sysconf");
    // There is a processor, and there is memory.
    __VERIFIER_assume(value >= (name == 83 || name == 84 || name == 85 ? 1 : -1));
    if (!changes) {
        asked[name] = 1;
        known[name] = value;
    }
    return value;
}

int getpagesize(void) {
    return 4096;
}

void fathom_check_text(const char *s);

// What a shell leaves behind: -1, or a status; without a command, whether there is a shell. Its work is outside of the program.
int system(const char *command) {
    if (command != 0)
        fathom_check_text(command);
    int status = fathom_any_int("system");
    __VERIFIER_assume((status >= -1) & (status <= 0xFFFF) & ((command != 0) | (status == 0) | (status == 1)));
    return status;
}

// ---- names of files

int chdir(const char *path) {
    fathom_check_text(path);
    return fathom_outcome(fathom_any_int("chdir"), fathom_PATH_ERRORS);
}

int mkdir(const char *path, unsigned mode) {
    fathom_check_text(path);
    return fathom_outcome(fathom_any_int("mkdir"), fathom_NEW_PATH_ERRORS);
}

int rmdir(const char *path) {
    fathom_check_text(path);
    return fathom_outcome(fathom_any_int("rmdir"), fathom_PATH_ERRORS | fathom_error(16) | fathom_error(22) | fathom_error(39));
}

int symlink(const char *to, const char *path) {
    fathom_check_text(to);
    fathom_check_text(path);
    return fathom_outcome(fathom_any_int("symlink"), fathom_NEW_PATH_ERRORS);
}

int chmod(const char *path, unsigned mode) {
    fathom_check_text(path);
    return fathom_outcome(fathom_any_int("chmod"), fathom_PATH_ERRORS);
}

int chown(const char *path, unsigned user, unsigned group) {
    fathom_check_text(path);
    return fathom_outcome(fathom_any_int("chown"), fathom_PATH_ERRORS);
}

// EPERM, EACCES
int nice(int difference) {
    int value = fathom_any_int("nice");
    __VERIFIER_assume((value >= -20) & (value < 20));
    return fathom_outcome(fathom_any_int("nice"), fathom_error(1) | fathom_error(13)) < 0 ? -1 : value;
}

void sync(void) {
}
