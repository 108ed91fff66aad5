'use strict';
const Router = require('./router');
const { logger, timed } = require('./middleware');
const users = require('./routes/users');
const retry = require('#util/retry');

class App {
  constructor(options = {}) {
    this.router = new Router();
    this.stack = [];
    this.onError = options.onError || defaultError;
    Object.assign(this, { started: false });
  }

  use(...handlers) {
    handlers.forEach((h) => this.stack.push(h));
    return this;
  }

  mount(prefix, routes) {
    for (const [path, handler] of Object.entries(routes)) this.router.add(prefix + path, handler);
    return this;
  }

  handle(request) {
    let index = 0;
    const next = () => {
      const layer = this.stack[index++];
      if (layer) return layer(request, next);
      return this.dispatch(request);
    };
    try {
      return next();
    } catch (error) {
      this.onError(error);
    }
  }

  dispatch(request) {
    const found = this.router.match(request.url);
    return found.handler(request);
  }

  static create(options) {
    return new App(options).use(logger, timed(console)).mount('/users', users);
  }
}

function defaultError(error) { report(error); }
const report = (error) => console.error(error);

const app = App.create({ onError: (e) => report(e) });
retry(() => app.handle({ url: '/users/list' }), 3);
module.exports = { App, app };
