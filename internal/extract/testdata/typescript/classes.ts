import { Injectable, Inject } from 'framework';
/** Base of all services. */
export abstract class Service<T> implements Closer, ns.Named<T> {
  protected abstract readonly kind: string;
  private cache?: Map<string, T> = new Map<string, T>();
  static shared: Service<any> | undefined;
  declare late: Later;
  constructor(private readonly log: Logger, public name = defaultName(), @Inject('db') protected db?: Db, plain: number = 1) { this.open(plain); }
  abstract find(id: string): Promise<T>;
  abstract get label(): string;
  find2(id: string): T;
  /** Both. */
  find2(id: number): T;
  find2(id: any): T { return this.cache!.get(id)!; }
  open = (n: number): void => { this.log.info(n); };
  public static async create<S>(this: new () => S, opts: Options = Options.default()): Promise<S> { return new this(); }
  private hidden(): void {}
  close?(): void;
}
@Injectable()
export class UserService extends Service<User> {
  @Input() label2: string = label();
  @Output({ on: true })
  @log
  handle(@Param('id') id: string, next?: () => void) { next?.(); return super.find(id); }
  find(id: string) { return (this.db as Db<User>).query<User>(id).then((rows: User[]) => rows[0]); }
  get label() { return this.name; }
}
export default class extends UserService {}
const factory = <T,>(make: new (x: number) => T) => new make(1);
const plain = generic<number>;
