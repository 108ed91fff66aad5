export const load = (what) => request(`/items/${encode(what)}`).then(parse).then((list) => list.filter(valid));
export function pick(item) { return request('/pick/' + encode(item.id)); }
const request = async (url) => { const r = await fetch(url); return r.json(); };
const encode = (text) => encodeURIComponent(text);
function parse(body) { return body.items; }
function valid(item) { return !!item; }
