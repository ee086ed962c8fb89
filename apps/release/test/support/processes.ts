import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { freezeProcesses } from '@proj/test-servers';

import { onlyOnce } from './only-once.ts';

/** The processes that a process has started and that have not ended. */
export function childrenOf(pid = 0): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.trim().split(' ').filter(Boolean).map(Number);
}

/** Resolves when processes stand still. @returns what lets them go on, those that still are. */
export async function freeze(pids: readonly number[]): Promise<() => Promise<void>> {
  await freezeProcesses(pids);
  return onlyOnce(() => {
    for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT');
  });
}

/** How many files and sockets a process has open. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The memory of a process and of those that it has started, in MiB. */
export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  return own + childrenOf(pid).reduce((sum, child) => sum + residentMiB(child), 0);
}
