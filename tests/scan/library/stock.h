#ifndef STOCK_H
#define STOCK_H
int pick(int i);
int rest(int total, int parts);
int safe_null(int flag);
unsigned share(unsigned x);
int first(const int *value);
int is_empty(const char *text);
int reuse(void);
int lost(int n);
int unset(int n);
int scribble(int n);
#endif
