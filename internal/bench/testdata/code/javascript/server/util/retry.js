module.exports = async function retry(task, times) {
  for (let i = 0; i < times; i++) {
    try {
      return await task();
    } catch (error) {
      await pause(i);
    }
  }
};
const pause = (n) => new Promise((done) => setTimeout(done, n));
