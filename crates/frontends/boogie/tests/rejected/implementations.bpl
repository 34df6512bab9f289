procedure p<a>(x: a, y: int) returns (r: a);
implementation p<b>(x: b, y: bool) returns (r: b) { }
implementation p(x: int, y: int) returns (r: int) { }
implementation p<b>(x: b) returns (r: b) { }
