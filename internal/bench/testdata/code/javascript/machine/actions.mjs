const queue = [];
export function reset() { queue.length = 0; drain(); }
export const flush = () => { while (queue.length) queue.shift()(); };
export function later(job, ...args) { queue.push(() => job(...args)); }
function drain() { return queue.map((job) => job()); }
export default { later, flush };
