import { Repo, Entity } from '../lib/repo';
import { trace, Timed } from '../lib/decorators';

type Listener = (id: string) => void;
interface Options { name: string; retry?: () => void }

@Timed('app')
export class App {
  private listeners: Record<string, Listener[]> = {};
  constructor(private readonly repo: Repo, private readonly options: Options) {}

  @trace
  async start(): Promise<void> {
    const entity = await this.repo.find('1');
    entity.touch();
    await this.save(entity);
    this.options.retry?.();
  }
  on(name: string, listener: Listener): void {
    (this.listeners[name] ??= []).push(listener);
  }
  private async save(entity: Entity): Promise<void> {
    await this.repo.save(entity);
    this.emit('save', entity.id);
  }
  private emit = (name: string, id: string): void => {
    for (const l of this.listeners[name]) l(id);
  };
}
