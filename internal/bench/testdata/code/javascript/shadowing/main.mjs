import { load, save } from './lib.mjs';
function helper() { return 'outer'; }
function one() { const helper = () => 'inner'; return helper(); }
function two(load) { return load(); }
function three() { { let save = helper; save(); } return save(); }
function four() { for (const helper of [load]) helper(); }
function five() { return pick(); function pick() { return helper(); } }
class Tool { helper() { return helper(); } load() { return this.helper(); } }
function six() { try { throw helper; } catch (save) { save(); } }
var pick = () => load();
one(); two(helper); three(); four(); five(); six(); pick();
new Tool().load();
function parseInt(x) { return helper(); }
parseInt('1');
switch (1) { case 1: { const load = helper; load(); } }
