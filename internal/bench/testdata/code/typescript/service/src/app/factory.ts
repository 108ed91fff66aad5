import { App } from '.';
import { Repo } from '@lib/repo';

export const createApp = (repo: Repo, name = defaultName()): App => new App(repo, { name });
const defaultName = () => 'app';
