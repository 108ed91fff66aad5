import { Account, NoDebt, Unlimited, Failure } from './account';
import { Container, Singleton } from './container';
import { Money } from './money';

@Singleton
class Teller {
  private readonly log: string[] = [];
  constructor(private readonly accounts: Account[] = []) {}
  open(kind: 'plain' | 'strict'): Account {
    const policy = kind === 'strict' ? new NoDebt() : new Unlimited();
    const account = new Account(kind, policy);
    account.bus.on('deposited', (e) => this.note(e.describe()));
    account.bus.on('closed', (e) => { this.note(e.describe()); });
    this.accounts.push(account);
    return account;
  }
  total(): Money { return this.accounts.map((a) => a.balance).reduce(add); }
  find(id: string): Account | undefined { return this.accounts.find((a) => a.equals(this.accounts[0]) || a.id === id); }
  private note(text: string) { this.log.push(text); }
}
const add = (a: Money, b: Money) => a.plus(b);

const container = new Container().bind(Teller, () => new Teller());
const teller = container.get(Teller);
teller.open('strict').deposit(Money.of(5)).withdraw(Money.of(3, 'USD'));
teller.find('strict')?.close();
console.log(teller.total().toString());

function attempt<T>(action: () => T, recover: (e: Failure) => T): T {
  try { return action(); } catch (e) { if (e instanceof Failure) return recover(e); throw e; }
}
attempt(() => teller.open('plain'), (e) => { throw e; }).close();

const commands = { open: (t: Teller) => t.open('plain'), total: (t: Teller) => t.total() } as const;
type Command = keyof typeof commands;
function execute(name: Command) { return commands[name](teller); }
execute(process.argv[2] as Command);
