export const upper = (text) => text.toUpperCase();
export function title(text) { return text.replace(/\w+/g, capital); }
export const identity = (x) => x;
const capital = ([first, ...rest]) => upper(first) + rest.join('');
