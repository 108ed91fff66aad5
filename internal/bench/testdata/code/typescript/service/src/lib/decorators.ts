export function trace(target: object, key: string): void { note(key); }
export function Timed(name: string) {
  return (target: Function): void => { note(name); };
}
const note = (text: string): void => { console.log(text); };
