const größe: int;
const c: int; @ § %
