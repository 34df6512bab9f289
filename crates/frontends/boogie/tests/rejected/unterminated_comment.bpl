const c: int;
/* this /* is */ not closed
const d: int;
