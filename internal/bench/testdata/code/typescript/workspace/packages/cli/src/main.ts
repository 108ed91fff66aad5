import { Engine, parse, text } from '@acme/core';
import { audit } from '@acme/core/plugins/audit';

export function main(args: string[]) {
  const engine = Engine.standard();
  engine.use(audit).run(args[0]);
  parse(args[1]);
  text.upper(args[2]);
  args.map(text.trim).forEach((a) => engine.run(a));
}
main(process.argv);
