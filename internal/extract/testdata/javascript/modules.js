#!/usr/bin/env node
'use strict';
// ESM in all its forms, then what CommonJS adds.
import fallback, { one, two as second, default as third } from './names.js';
import * as everything from './names.js';
import './side-effect.js';
import data from './data.json' with { type: 'json' };
export { one as first } from './names.js';
export { default } from './names.js';
export * from './all.js';
export * as grouped from './grouped.js';
export { local, second as renamed, later };
export const constant = 42, other = fallback();
export let changing;
export function declared(a, b = one()) { return second(a, b); }
export default class Shop {}
function local() {}
function later() {}

const whole = require('./whole');
const { part, inner: alias, ...rest } = require('./parts');
const member = require('./whole').member;
const { deep: { name } } = require('./deep');
require('./effect').install(whole);
const lazy = async () => {
  const { loaded } = await import('./lazy.js');
  const mod = await import('./lazy.js');
  import(`./plain.js`).then((m) => m.run());
  import('./' + name);
  return mod.start(loaded);
};

changing = part(alias, rest, member, data, everything.all(third));
