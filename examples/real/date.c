/* Dates and times as people and programs write them: ISO 8601 (2024-02-29T12:30:00Z, 20240229, 2024-W09-4, 2024-060),
 * mail headers (Thu, 29 Feb 2024 12:30:00 +0100) and short forms with slashes and dots, turned into seconds since 1970,
 * into a day of the week, and back. All arithmetic is on the proleptic Gregorian calendar.
 *
 * Planted defects: see `parse_offset` and `month_by_name`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "input.h"

struct moment {
    int year;
    int month;       /* 1 to 12 */
    int day;         /* 1 to 31 */
    int hour;
    int minute;
    int second;
    int nanosecond;
    int offset;      /* minutes east of Greenwich */
    bool has_time;
    bool has_offset;
};

enum problem { FINE, BAD_FORMAT, BAD_MONTH, BAD_DAY, BAD_TIME, BAD_OFFSET, BAD_WEEKDAY, BAD_WEEK, BEHIND };

static const char *problem_text(enum problem p)
{
    static const char *const texts[] = {
        "fine", "not a date", "no such month", "no such day", "no such time", "no such offset", "wrong day of the week",
        "no such week", "something is behind the date",
    };
    return texts[p];
}

/* ---- the calendar */

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in_month(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    if (month == 2 && is_leap(year))
        return 29;
    return days[month - 1];
}

static int days_in_year(int year)
{
    return is_leap(year) ? 366 : 365;
}

/* Days since 1970-01-01, with years that begin in March so that the leap day comes last. */
static int64_t days_from_date(int year, int month, int day)
{
    int64_t y = month <= 2 ? (int64_t)year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static void date_from_days(int64_t days, struct moment *m)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    m->day = (int)(doy - (153 * mp + 2) / 5 + 1);
    m->month = (int)(mp < 10 ? mp + 3 : mp - 9);
    m->year = (int)(yoe + era * 400 + (m->month <= 2));
}

/* 0 is Sunday. */
static int weekday_from_days(int64_t days)
{
    return (int)(days >= -4 ? (days + 4) % 7 : (days + 5) % 7 + 6);
}

static int day_of_year(const struct moment *m)
{
    int day = m->day;
    for (int month = 1; month < m->month; month++)
        day += days_in_month(m->year, month);
    return day;
}

/* Weeks begin on Monday; the first one has the year's first Thursday. */
static int weeks_in_year(int year)
{
    int first = weekday_from_days(days_from_date(year, 1, 1));
    return first == 4 || (first == 3 && is_leap(year)) ? 53 : 52;
}

static int week_of(const struct moment *m, int *year)
{
    int weekday = weekday_from_days(days_from_date(m->year, m->month, m->day));
    int monday_based = (weekday + 6) % 7;
    int week = (day_of_year(m) - monday_based + 9) / 7;
    *year = m->year;
    if (week < 1) {
        --*year;
        return weeks_in_year(*year);
    }
    if (week > weeks_in_year(m->year)) {
        ++*year;
        return 1;
    }
    return week;
}

/* ---- reading */

struct reader {
    const char *at;
    const char *end;
};

static int peek(const struct reader *r)
{
    return r->at < r->end ? (unsigned char)*r->at : -1;
}

static bool accept(struct reader *r, int c)
{
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_blanks(struct reader *r)
{
    while (accept(r, ' ') || accept(r, '\t'))
        ;
}

/* From `least` to `most` digits; the number of digits, or 0. */
static int number(struct reader *r, int least, int most, int *value)
{
    const char *start = r->at;
    int count = 0;
    *value = 0;
    while (count < most && is_digit(peek(r))) {
        *value = *value * 10 + (*r->at++ - '0');
        count++;
    }
    if (count < least) {
        r->at = start;
        return 0;
    }
    return count;
}

/* A word in lower case, cut to the size of `word`; its length. */
static int letters(struct reader *r, char *word, int size)
{
    int length = 0;
    while (is_letter(peek(r))) {
        int c = *r->at++;
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        if (length < size - 1)
            word[length++] = (char)c;
    }
    word[length] = 0;
    return length;
}

/* ---- names */

static const char month_names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
static const char weekday_names[] = "sunmontuewedthufrisat";

/* 1 to 12, or 0. Planted defect: the search goes by single letters, so that "anf" is found inside of "janfeb". */
static int month_by_name(const char *word)
{
    char key[4];
    const char *found;
    if (strlen(word) < 3)
        return 0;
    memcpy(key, word, 3);
    key[3] = 0;
    found = strstr(month_names, key);
    if (found == NULL)
        return 0;
#ifdef SYMBOLIC
    extern void __assert_fail(const char *, const char *, unsigned, const char *);
    if ((found - month_names) % 3 != 0)
        __assert_fail("(found - month_names) % 3 == 0", "date.c", __LINE__, "month_by_name");
#endif
    return (int)(found - month_names) / 3 + 1;
}

/* 0 to 6, or -1. */
static int weekday_by_name(const char *word)
{
    for (int day = 0; day < 7; day++)
        if (strncmp(&weekday_names[day * 3], word, 3) == 0)
            return day;
    return -1;
}

struct zone {
    const char *name;
    int offset;
};

static const struct zone zones[] = {
    { "z", 0 }, { "ut", 0 }, { "utc", 0 }, { "gmt", 0 }, { "est", -300 }, { "edt", -240 }, { "cst", -360 },
    { "cdt", -300 }, { "mst", -420 }, { "mdt", -360 }, { "pst", -480 }, { "pdt", -420 }, { "cet", 60 }, { "cest", 120 },
};

static bool zone_by_name(const char *word, int *offset)
{
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        if (strcmp(zones[i].name, word) == 0) {
            *offset = zones[i].offset;
            return true;
        }
    }
    return false;
}

/* ---- times */

/* Planted defect: hours and minutes of an offset are read but their ranges are only looked at when there is a colon. */
static enum problem parse_offset(struct reader *r, struct moment *m)
{
    int sign, hours, minutes = 0;
    char word[6];
    if (is_letter(peek(r))) {
        letters(r, word, sizeof word);
        if (!zone_by_name(word, &m->offset))
            return BAD_OFFSET;
        m->has_offset = true;
        return FINE;
    }
    if (accept(r, '+'))
        sign = 1;
    else if (accept(r, '-'))
        sign = -1;
    else
        return FINE;
    if (!number(r, 2, 2, &hours))
        return BAD_OFFSET;
    if (accept(r, ':')) {
        if (!number(r, 2, 2, &minutes) || hours > 23 || minutes > 59)
            return BAD_OFFSET;
    } else {
        number(r, 2, 2, &minutes);
    }
    m->offset = sign * (hours * 60 + minutes);
    m->has_offset = true;
    return FINE;
}

static enum problem parse_fraction(struct reader *r, struct moment *m)
{
    int scale = 100000000;
    if (!accept(r, '.') && !accept(r, ','))
        return FINE;
    if (!is_digit(peek(r)))
        return BAD_TIME;
    while (is_digit(peek(r))) {
        m->nanosecond += (*r->at++ - '0') * scale;
        scale /= 10;
    }
    return FINE;
}

/* hh:mm, hh:mm:ss, hhmm or hhmmss, a fraction, am or pm, an offset. */
static enum problem parse_time(struct reader *r, struct moment *m)
{
    enum problem p;
    const char *before;
    char word[6];
    if (!number(r, 1, 2, &m->hour))
        return BAD_TIME;
    if (accept(r, ':')) {
        if (!number(r, 2, 2, &m->minute))
            return BAD_TIME;
        if (accept(r, ':') && !number(r, 2, 2, &m->second))
            return BAD_TIME;
    } else if (number(r, 2, 2, &m->minute)) {
        number(r, 2, 2, &m->second);
    }
    p = parse_fraction(r, m);
    if (p != FINE)
        return p;
    skip_blanks(r);
    before = r->at;
    if (letters(r, word, sizeof word) == 2 && word[1] == 'm' && (word[0] == 'a' || word[0] == 'p')) {
        if (m->hour < 1 || m->hour > 12)
            return BAD_TIME;
        m->hour = m->hour % 12 + (word[0] == 'p' ? 12 : 0);
        skip_blanks(r);
    } else {
        r->at = before;
    }
    /* 24:00 is the end of the day, and a second may leap. */
    if (m->hour > 24 || m->minute > 59 || m->second > 60 || (m->hour == 24 && (m->minute || m->second)))
        return BAD_TIME;
    m->has_time = true;
    return parse_offset(r, m);
}

/* ---- dates */

static enum problem check_date(const struct moment *m)
{
    if (m->month < 1 || m->month > 12)
        return BAD_MONTH;
    if (m->day < 1 || m->day > days_in_month(m->year, m->month))
        return BAD_DAY;
    return FINE;
}

/* 2024-W09-4 or 2024W094: the W was read. */
static enum problem parse_week(struct reader *r, struct moment *m)
{
    int week, weekday = 1;
    int64_t first, days;
    if (!number(r, 2, 2, &week) || week < 1 || week > weeks_in_year(m->year))
        return BAD_WEEK;
    accept(r, '-');
    if (is_digit(peek(r)) && (!number(r, 1, 1, &weekday) || weekday < 1 || weekday > 7))
        return BAD_WEEKDAY;
    /* The fourth of January is always in the first week. */
    first = days_from_date(m->year, 1, 4);
    days = first - (weekday_from_days(first) + 6) % 7 + (week - 1) * 7 + weekday - 1;
    date_from_days(days, m);
    return FINE;
}

static enum problem parse_ordinal(int day, struct moment *m)
{
    if (day < 1 || day > days_in_year(m->year))
        return BAD_DAY;
    date_from_days(days_from_date(m->year, 1, 1) + day - 1, m);
    return FINE;
}

/* Behind a year with four digits. */
static enum problem parse_iso(struct reader *r, struct moment *m)
{
    int value, count;
    if (accept(r, 'W'))
        return parse_week(r, m);
    if (accept(r, '-')) {
        if (accept(r, 'W'))
            return parse_week(r, m);
        count = number(r, 2, 3, &value);
        if (count == 3)
            return parse_ordinal(value, m);
        if (count != 2)
            return BAD_FORMAT;
        m->month = value;
        if (accept(r, '-') && !number(r, 2, 2, &m->day))
            return BAD_FORMAT;
        return check_date(m);
    }
    count = number(r, 3, 4, &value);
    if (count == 3)
        return parse_ordinal(value, m);
    if (count != 4)
        return BAD_FORMAT;
    m->month = value / 100;
    m->day = value % 100;
    return check_date(m);
}

/* 29.2.2024, 2/29/2024, 29 Feb 2024, 29-Feb-24: the first number was read. */
static enum problem parse_short(struct reader *r, int first, struct moment *m)
{
    char word[10];
    int count, year;
    if (accept(r, '.')) {
        m->day = first;
        if (!number(r, 1, 2, &m->month) || !accept(r, '.'))
            return BAD_FORMAT;
    } else if (accept(r, '/')) {
        m->month = first;
        if (!number(r, 1, 2, &m->day) || !accept(r, '/'))
            return BAD_FORMAT;
    } else {
        m->day = first;
        accept(r, '-');
        skip_blanks(r);
        if (letters(r, word, sizeof word) < 3)
            return BAD_FORMAT;
        m->month = month_by_name(word);
        if (m->month == 0)
            return BAD_MONTH;
        accept(r, '-');
        skip_blanks(r);
    }
    count = number(r, 2, 4, &year);
    if (count == 2)
        year += year < 70 ? 2000 : 1900;
    else if (count != 4)
        return BAD_FORMAT;
    m->year = year;
    return check_date(m);
}

static enum problem parse_date(struct reader *r, struct moment *m)
{
    int count, value;
    count = number(r, 1, 4, &value);
    if (count == 4) {
        m->year = value;
        return parse_iso(r, m);
    }
    if (count == 1 || count == 2)
        return parse_short(r, value, m);
    return BAD_FORMAT;
}

static enum problem parse(struct reader *r, struct moment *m)
{
    enum problem p;
    int weekday = -1;
    char word[10];
    memset(m, 0, sizeof *m);
    m->year = 1970;
    m->month = m->day = 1;
    skip_blanks(r);
    if (is_letter(peek(r))) {
        letters(r, word, sizeof word);
        weekday = weekday_by_name(word);
        if (weekday < 0)
            return BAD_WEEKDAY;
        accept(r, ',');
        skip_blanks(r);
    }
    p = parse_date(r, m);
    if (p != FINE)
        return p;
    if (accept(r, 'T') || accept(r, 't') || accept(r, ' ')) {
        skip_blanks(r);
        p = parse_time(r, m);
        if (p != FINE)
            return p;
    }
    skip_blanks(r);
    if (peek(r) >= 0)
        return BEHIND;
    if (weekday >= 0 && weekday != weekday_from_days(days_from_date(m->year, m->month, m->day)))
        return BAD_WEEKDAY;
    return FINE;
}

/* ---- results */

static int64_t to_seconds(const struct moment *m)
{
    int64_t days = days_from_date(m->year, m->month, m->day);
    return days * 86400 + m->hour * 3600 + m->minute * 60 + m->second - (int64_t)m->offset * 60;
}

static void from_seconds(int64_t seconds, struct moment *m)
{
    int64_t days = seconds / 86400;
    int rest = (int)(seconds % 86400);
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    memset(m, 0, sizeof *m);
    date_from_days(days, m);
    m->hour = rest / 3600;
    m->minute = rest / 60 % 60;
    m->second = rest % 60;
}

static void report(const struct moment *m)
{
    struct moment utc;
    int year, week, offset = m->offset < 0 ? -m->offset : m->offset;
    int64_t seconds = to_seconds(m);
    char zone[7];
    from_seconds(seconds, &utc);
    week = week_of(m, &year);
    zone[0] = m->offset < 0 ? '-' : '+';
    zone[1] = (char)('0' + offset / 60 / 10);
    zone[2] = (char)('0' + offset / 60 % 10);
    zone[3] = ':';
    zone[4] = (char)('0' + offset % 60 / 10);
    zone[5] = (char)('0' + offset % 60 % 10);
    zone[6] = 0;
#ifdef SYMBOLIC
    /* An offset is less than a day. */
    extern void __assert_fail(const char *, const char *, unsigned, const char *);
    if (offset >= 24 * 60)
        __assert_fail("offset < 24 * 60", "date.c", __LINE__, "report");
#endif
    printf("%04d-%02d-%02d %02d:%02d:%02d%s = %lld, day %d, week %d of %d\n", utc.year, utc.month, utc.day, utc.hour, utc.minute,
           utc.second, zone, (long long)seconds, day_of_year(m), week, year);
}

int main(void)
{
    unsigned char input[64];
    size_t length = read_input(input, sizeof input);
    struct reader r;
    struct moment m;
    enum problem p;
    while (length > 0 && (input[length - 1] == '\n' || input[length - 1] == '\r'))
        length--;
    r.at = (const char *)input;
    r.end = r.at + length;
    p = parse(&r, &m);
    if (p != FINE) {
        printf("%s\n", problem_text(p));
        return 1;
    }
    report(&m);
    return 0;
}
