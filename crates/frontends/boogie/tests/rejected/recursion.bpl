function {:inline} f(x: int) : int { g(x) }
function {:inline} g(x: int) : int { f(x - 1) }
function {:define} h(x: int) : int { h(x) }
function {:inline} {:define} k() : int { 1 }
function {:inline} innocent(x: int) : int { f(x) }
