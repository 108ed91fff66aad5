import { createApp } from '@app';
import type { Repo } from '@lib/repo';
import { MemoryRepo, FileRepo } from '@lib/repo.js';
import log, { level as threshold } from 'lib/log';

function choose(name: string): Repo {
  return name === 'file' ? new FileRepo('x') : new MemoryRepo();
}

async function main(): Promise<void> {
  const app = createApp(choose('file'));
  await app.start();
  app.on('save', onSave);
  log(threshold());
}

function onSave(id: string): void { log(id); }
main();
