const store = require('../store')();

const routes = {
  '/list': (request) => store.all().map(present),
  '/get'(request) { return present(store.get(request.id)); },
};
routes['/add'] = async function add(request) {
  const user = await store.put(request.body);
  return present(user);
};

const present = (user) => ({ name: user.fullName() });
module.exports = routes;
