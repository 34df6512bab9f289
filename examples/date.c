// Days and dates convert into each other without loss, for every day of 400 years: a proof, not a test. Try:
//   fathom verify examples/date.c
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

// Howard Hinnant's formulas, shifted so that a year starts in March and day 0 is the first of March of year 0.
static int days_from(int year, int month, int day) {
  int day_of_year = (153 * month + 2) / 5 + day;
  return year * 365 + year / 4 - year / 100 + day_of_year;
}

int main(void) {
  int days = __VERIFIER_nondet_int();
  if (days < 0 || days >= 146097) return 0;
  int year = (days - days / 1460 + days / 36524 - days / 146096) / 365;
  int day_of_year = days - (365 * year + year / 4 - year / 100);
  int month = (5 * day_of_year + 2) / 153;
  int day = day_of_year - (153 * month + 2) / 5;
  assert(0 <= year && year < 400 && 0 <= month && month < 12 && 0 <= day && day < 31);
  assert(days_from(year, month, day) == days);
  return 0;
}
