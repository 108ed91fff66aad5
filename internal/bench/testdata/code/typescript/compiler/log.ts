export interface Logger { info(text: string): void; child?(name: string): Logger }
export const silent: Logger = { info() {} };
export function prefixed(prefix: string, out = console.log): Logger {
  const log = (text: string) => out(`${prefix} ${text}`);
  return { info: log, child: (name) => prefixed(join(prefix, name), out) };
}
function join(...parts: string[]) { return parts.join('.'); }
