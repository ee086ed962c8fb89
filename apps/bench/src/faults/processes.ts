import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

import { onlyOnce } from './databases/only-once.ts';

/** The processes that a process has started and that still run, by what Linux says. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Lets processes stand still. @returns what lets them go on, those that still are. */
export function freeze(pids: readonly number[]): () => Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return onlyOnce(() => {
    for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT');
  });
}

/** How many files and sockets a process has open. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** The memory of a process that is in use, in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const [, kilobytes = ''] =
    /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
