export class Entity {
  constructor(public id: string) {}
  touch(): this { this.stamp(); return this; }
  private stamp() {}
}

export interface Repo {
  find(id: string): Promise<Entity>;
  save(entity: Entity): Promise<void>;
}

export class MemoryRepo implements Repo {
  private readonly items = new Map<string, Entity>();
  async find(id: string) { return this.items.get(id) ?? new Entity(id); }
  async save(entity: Entity) { this.items.set(entity.id, entity.touch()); }
}

export class FileRepo implements Repo {
  static readonly cache: Cache = makeCache();
  constructor(private readonly dir: string) {}
  async find(id: string) { return FileRepo.cache.load(this.path(id)); }
  async save(entity: Entity) { FileRepo.cache.store(entity); }
  private path(id: string) { return `${this.dir}/${id}`; }
}

class Cache {
  load(path: string): Entity { return new Entity(path); }
  store(entity: Entity): void { entity.touch(); }
}
function makeCache() { return new Cache(); }
