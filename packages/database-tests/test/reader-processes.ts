import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

import { until } from '@proj/test-servers';

/** Every child process that this process has started, the latest last. */
export const children: ChildProcess[] = [];

subscribe('child_process', (message) => {
  children.push((message as { process: ChildProcess }).process);
});

/**
 * The ids of the readers that still run: a worker has servers besides. The id of one that has ended
 * may be another program's by now.
 */
export function running(): number[] {
  return children.flatMap(({ pid, spawnargs, exitCode, signalCode }) => {
    const isReader = spawnargs.some((word) => word.includes('reader-process'));
    const hasEnded = exitCode !== null || signalCode !== null;
    return pid !== undefined && isReader && !hasEnded && exists(pid) ? [pid] : [];
  });
}

/** Whether a process has this id. */
export function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** How many hundredths of a second a process computes before it counts as busy. */
const BUSY_TICKS = 5;

/**
 * Waits until a process has computed for a while, as one does that runs an endless statement. Only
 * Linux says so; elsewhere the statement may not have begun.
 */
export async function untilBusy(pid = latestPid()): Promise<void> {
  if (process.platform !== 'linux') return;
  const before = ticksOf(pid);
  await until(() => ticksOf(pid) >= before + BUSY_TICKS);
}

/** The id of the child that was started last. */
export function latestPid(): number {
  return children.at(-1)?.pid ?? 0;
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields behind the name, which may have spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[12]);
}
