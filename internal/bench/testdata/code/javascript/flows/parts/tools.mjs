const wrench = () => 1;
export { wrench };
