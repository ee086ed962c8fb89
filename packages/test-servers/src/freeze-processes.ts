import { readdirSync, readFileSync } from 'node:fs';

import { until } from './until.ts';

/** Resolves when processes stand still, until `SIGCONT`. */
export async function freezeProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  // The signal takes a moment to reach every thread: one that it has not reached may answer.
  await until(() => !pids.flatMap(threadsOf).some((state) => /[RSD]/.test(state)));
}

/** The state of each thread: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. */
function threadsOf(pid: number): string[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).map((thread) =>
    readFileSync(`${tasks}/${thread}/stat`, 'utf8').replace(/.*\) (\w).*/s, '$1'),
  );
}
