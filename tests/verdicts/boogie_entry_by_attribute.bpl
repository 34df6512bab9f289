//! boogie-assert: true
// {:entrypoint} says where executions start.
procedure main() { assert false; }
procedure {:entrypoint} begin() { assert true; }
