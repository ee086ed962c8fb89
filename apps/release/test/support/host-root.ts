import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from './programs.ts';

/** A root file system for containers. */
export interface Root {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * The root file system of this machine, with the programs of its packages, for a container: what is
 * written to it is kept in memory and goes with it.
 */
export async function makeHostRoot(): Promise<Root> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-root-'));
  await run('mount', ['-t', 'tmpfs', 'tmpfs', folder]);
  const [upper, work, path] = ['upper', 'work', 'root'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [upper, work, path]) await mkdir(each);
  const layers = `lowerdir=/,upperdir=${upper},workdir=${work}`;
  await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, path]);
  const remove = async (): Promise<void> => {
    await run('umount', [path, folder]);
    await rm(folder, { recursive: true });
  };
  return { path, remove };
}
