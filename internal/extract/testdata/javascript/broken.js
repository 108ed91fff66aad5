function whole() { return fine(); }
function cut( { before();
class Half { method() { inner(); } oops( }
const = value();
let x = {a: function() { kept() }, : 1};
export { , a as };
import { from './x';
new ;
after(;
function last() { end(); }
