export function trim(s: string) { return s.trim(); }
export function upper(s: string) { return s.toUpperCase(); }
