const f: float24e8;
axiom f == 0x1.fffffffe0f24e8;
axiom f == 0x1.0e40f24e8;
axiom f + 0x1.0e0f53e11 == f;
