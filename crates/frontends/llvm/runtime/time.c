// <time.h> and relatives: clocks give arbitrary times that never go backwards; the calendar is exact, in UTC.
#include "fathom.h"

typedef long fathom_time;

struct fathom_tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

struct fathom_timespec {
    fathom_time seconds;
    long fraction;
};

// What each clock said last: they know nothing of each other. The last one is for clocks of processes and devices.
enum { fathom_CLOCKS = 12 };
static struct fathom_timespec fathom_clocks[fathom_CLOCKS + 1];

static struct fathom_timespec fathom_tick(int clock) {
    long seconds = fathom_any_long("time"), nanoseconds = fathom_any_long("time");
    // Linux counts nanoseconds in 63 bits.
    fathom_ledger("clock range", "");
    __VERIFIER_assume((seconds >= 0) & ((long long)seconds <= 9223372036ll) & (nanoseconds >= 0) & (nanoseconds < 1000000000));
    struct fathom_timespec *last = &fathom_clocks[clock < 0 ? fathom_CLOCKS : clock];
    __VERIFIER_assume((seconds > last->seconds) | ((seconds == last->seconds) & (nanoseconds >= last->fraction)));
    struct fathom_timespec now = {seconds, nanoseconds};
    // Each thread, process and device has a clock of its own under these numbers.
    if (clock != 3 && clock >= 0)
        *last = now;
    return now;
}

fathom_time time(fathom_time *to) {
    struct fathom_timespec now = fathom_tick(0);
    if (to != 0)
        *to = now.seconds;
    return now.seconds;
}

int gettimeofday(struct fathom_timespec *to, void *zone) {
    struct fathom_timespec now = fathom_tick(0);
    to->seconds = now.seconds;
    to->fraction = now.fraction / 1000;
    return 0;
}

// Clocks of Linux: 10 was removed, and negative numbers are those of processes and devices, which may exist.
static int fathom_is_no_clock(int clock) {
    if (clock == 10 || clock > 11 || (clock < 0 && fathom_any_int("clock_gettime") != 0)) {
        errno = fathom_EINVAL;
        return 1;
    }
    return 0;
}

int clock_gettime(int clock, struct fathom_timespec *to) {
    if (fathom_is_no_clock(clock))
        return -1;
    *to = fathom_tick(clock);
    return 0;
}

// Of the bases, Linux has TIME_UTC.
int timespec_get(struct fathom_timespec *to, int base) {
    if (base != 1)
        return 0;
    *to = fathom_tick(0);
    return base;
}

int clock_getres(int clock, struct fathom_timespec *to) {
    if (fathom_is_no_clock(clock))
        return -1;
    if (to != 0) {
        to->seconds = 0;
        to->fraction = 1;
    }
    return 0;
}

long clock(void) {
    static long last;
    long now = fathom_any_long("clock");
    // -1: not available. Linux counts nanoseconds in 63 bits.
    fathom_ledger("clock range", "");
    __VERIFIER_assume(((now >= last) & ((long long)now <= 9223372036854775ll)) | (now == -1));
    if (now != -1)
        last = now;
    return now;
}

double difftime(fathom_time end, fathom_time start) {
    return (double)end - (double)start;
}

int nanosleep(const struct fathom_timespec *wanted, struct fathom_timespec *left) {
    struct fathom_timespec read = *wanted;
    if (read.seconds < 0 || read.fraction < 0 || read.fraction >= 1000000000) {
        errno = fathom_EINVAL;
        return -1;
    }
    fathom_ledger("no signals", "");
    return 0;
}

unsigned sleep(unsigned seconds) {
    return 0;
}

int usleep(unsigned microseconds) {
    return 0;
}

// Days since 1970-01-01 to year, month and day of the proleptic Gregorian calendar, by eras of 400 years that start in
// March, so that the leap day comes last. Without branches: of an arbitrary time nobody needs to know the month here.
struct fathom_tm *gmtime_r(const fathom_time *when, struct fathom_tm *to) {
    long long seconds = *when, days = seconds / 86400, rest = seconds % 86400;
    // The year does not fit.
    if ((seconds < -67768040609740800ll) | (seconds > 67768036191676799ll)) {
        errno = fathom_EOVERFLOW;
        return 0;
    }
    int is_before = rest < 0;
    rest += 86400 * is_before;
    days -= is_before;
    to->tm_hour = (int)(rest / 3600);
    to->tm_min = (int)(rest / 60 % 60);
    to->tm_sec = (int)(rest % 60);
    to->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    days += 719468;
    long long era = (days - 146096 * (days < 0)) / 146097;
    long long of_era = days - era * 146097;
    long long year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long long of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long long month = (5 * of_year + 2) / 153;
    int is_next_year = month >= 10;
    long long year = year_of_era + era * 400 + is_next_year;
    to->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
    to->tm_mon = (int)(month + 2 - 12 * is_next_year);
    to->tm_year = (int)(year - 1900);
    int is_leap = ((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0);
    // January begins 306 days after March; March 59 or 60 days after January.
    to->tm_yday = (int)(of_year - 306 * is_next_year + (59 + is_leap) * !is_next_year);
    to->tm_isdst = 0;
    to->tm_gmtoff = 0;
    to->tm_zone = "GMT";
    return to;
}

static struct fathom_tm fathom_unprotected_tm;

struct fathom_tm *gmtime(const fathom_time *when) {
    return gmtime_r(when, &fathom_unprotected_tm);
}

struct fathom_tm *localtime_r(const fathom_time *when, struct fathom_tm *to) {
    fathom_ledger("local time is UTC", "");
    return gmtime_r(when, to);
}

struct fathom_tm *localtime(const fathom_time *when) {
    return localtime_r(when, &fathom_unprotected_tm);
}

fathom_time timegm(struct fathom_tm *from) {
    long long months = from->tm_mon, year = 1900ll + from->tm_year + months / 12;
    months %= 12;
    if (months < 0) {
        months += 12;
        year -= 1;
    }
    long long shifted = months >= 2 ? year : year - 1;
    long long era = (shifted >= 0 ? shifted : shifted - 399) / 400, of_era = shifted - era * 400;
    long long of_year = (153 * (months >= 2 ? months - 2 : months + 10) + 2) / 5;
    long long days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    days += from->tm_mday - 1;
    long long seconds = days * 86400 + from->tm_hour * 3600ll + from->tm_min * 60ll + from->tm_sec;
    fathom_time result = (fathom_time)seconds;
    // Neither times nor years have room for everything.
    if (result != seconds || gmtime_r(&result, from) == 0) {
        errno = fathom_EOVERFLOW;
        return -1;
    }
    return result;
}

fathom_time mktime(struct fathom_tm *from) {
    fathom_ledger("local time is UTC", "");
    return timegm(from);
}

int snprintf(char *to, size_t size, const char *format, ...);

static const char *const fathom_day_names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const fathom_month_names[] = {"January", "February", "March", "April", "May", "June", "July",
                                                 "August", "September", "October", "November", "December"};

static const char *fathom_named(const char *const *names, int count, int index) {
    return index >= 0 && index < count ? names[index] : "?";
}

static char *fathom_asctime(const struct fathom_tm *t, char *to, size_t room) {
    if (t == 0) {
        errno = fathom_EINVAL;
        return 0;
    }
    if (t->tm_year > 0x7FFFFFFF - 1900) {
        errno = fathom_EOVERFLOW;
        return 0;
    }
    int length = snprintf(to, room, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", fathom_named(fathom_day_names, 7, t->tm_wday),
             fathom_named(fathom_month_names, 12, t->tm_mon), t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec,
             1900 + t->tm_year);
    if ((size_t)length < room)
        return to;
    errno = fathom_EOVERFLOW;
    return 0;
}

char *asctime_r(const struct fathom_tm *t, char *to) {
    return fathom_asctime(t, to, 26);
}

char *asctime(const struct fathom_tm *t) {
    static char unprotected_text[114];
    return fathom_asctime(t, unprotected_text, sizeof unprotected_text);
}

char *ctime(const fathom_time *when) {
    struct fathom_tm *t = localtime(when);
    return t == 0 ? 0 : asctime(t);
}

static int fathom_strftime_one(char *to, size_t room, int kind, const struct fathom_tm *t) {
    int hour = t->tm_hour % 12 == 0 ? 12 : t->tm_hour % 12;
    int year = 1900 + t->tm_year;
    switch (kind) {
    case 'a':
        return snprintf(to, room, "%.3s", fathom_named(fathom_day_names, 7, t->tm_wday));
    case 'A':
        return snprintf(to, room, "%s", fathom_named(fathom_day_names, 7, t->tm_wday));
    case 'b':
    case 'h':
        return snprintf(to, room, "%.3s", fathom_named(fathom_month_names, 12, t->tm_mon));
    case 'B':
        return snprintf(to, room, "%s", fathom_named(fathom_month_names, 12, t->tm_mon));
    case 'c':
        return snprintf(to, room, "%.3s %.3s %2d %.2d:%.2d:%.2d %d", fathom_named(fathom_day_names, 7, t->tm_wday),
                        fathom_named(fathom_month_names, 12, t->tm_mon), t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, year);
    case 'C':
        return snprintf(to, room, "%.2d", year / 100);
    case 'd':
        return snprintf(to, room, "%.2d", t->tm_mday);
    case 'D':
    case 'x':
        return snprintf(to, room, "%.2d/%.2d/%.2d", t->tm_mon + 1, t->tm_mday, year % 100);
    case 'e':
        return snprintf(to, room, "%2d", t->tm_mday);
    case 'F':
        return snprintf(to, room, "%d-%.2d-%.2d", year, t->tm_mon + 1, t->tm_mday);
    case 'H':
        return snprintf(to, room, "%.2d", t->tm_hour);
    case 'I':
        return snprintf(to, room, "%.2d", hour);
    case 'j':
        return snprintf(to, room, "%.3d", t->tm_yday + 1);
    case 'm':
        return snprintf(to, room, "%.2d", t->tm_mon + 1);
    case 'M':
        return snprintf(to, room, "%.2d", t->tm_min);
    case 'n':
        return snprintf(to, room, "\n");
    case 'p':
        return snprintf(to, room, t->tm_hour >= 12 ? "PM" : "AM");
    case 'r':
        return snprintf(to, room, "%.2d:%.2d:%.2d %s", hour, t->tm_min, t->tm_sec, t->tm_hour >= 12 ? "PM" : "AM");
    case 'R':
        return snprintf(to, room, "%.2d:%.2d", t->tm_hour, t->tm_min);
    case 'S':
        return snprintf(to, room, "%.2d", t->tm_sec);
    case 't':
        return snprintf(to, room, "\t");
    case 'T':
    case 'X':
        return snprintf(to, room, "%.2d:%.2d:%.2d", t->tm_hour, t->tm_min, t->tm_sec);
    case 'u':
        return snprintf(to, room, "%d", t->tm_wday == 0 ? 7 : t->tm_wday);
    case 'w':
        return snprintf(to, room, "%d", t->tm_wday);
    case 'y':
        return snprintf(to, room, "%.2d", year % 100);
    case 'Y':
        return snprintf(to, room, "%d", year);
    case 'z':
        return snprintf(to, room, "+0000");
    case 'Z':
        return snprintf(to, room, "%s", t->tm_zone == 0 ? "" : t->tm_zone);
    case '%':
        return snprintf(to, room, "%%");
    }
    fathom_unsupported("an unusual conversion of strftime");
    return 0;
}

size_t strftime(char *to, size_t size, const char *format, const struct fathom_tm *t) {
    size_t count = 0;
    for (const char *f = format; *f != 0; f++) {
        if (*f != '%') {
            if (count + 1 >= size)
                return 0;
            to[count++] = *f;
            continue;
        }
        int length = fathom_strftime_one(to + count, size - count, *++f, t);
        if ((size_t)length >= size - count)
            return 0;
        count += (size_t)length;
    }
    if (count >= size)
        return 0;
    to[count] = 0;
    return count;
}
