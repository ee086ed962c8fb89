import { subscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';

/** Every child process that this test file has started, the latest last. */
export const children: ChildProcess[] = [];

subscribe('child_process', (message) => {
  children.push((message as { process: ChildProcess }).process);
});

/** The ids of the children that still run. */
export function running(): number[] {
  return children.flatMap(({ pid }) => (pid !== undefined && exists(pid) ? [pid] : []));
}

/** Whether a process has this id. */
export function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
