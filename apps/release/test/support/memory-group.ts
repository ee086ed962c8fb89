import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CONTROLLER = '/sys/fs/cgroup/memory';

/** A group of processes that the kernel lets have so much memory, and no more. */
export interface MemoryGroup {
  /** A command that runs another one in the group, as the same process. */
  readonly enter: readonly string[];
  /** The most that it had at once, in bytes. */
  readonly most: () => number;
  /** How many of its processes the kernel has killed for want of memory. */
  readonly killed: () => number;
  /** Once its processes have ended. */
  readonly remove: () => void;
}

/** Why there are no such groups here, for the title of a test; nothing where there are. */
export function withoutMemoryGroups(): string {
  try {
    accessSync(join(CONTROLLER, 'memory.limit_in_bytes'), constants.W_OK);
    return '';
  } catch {
    return ' (needs root and the memory controller of cgroup v1)';
  }
}

/** Makes a group that has as much memory as a container of so many bytes. */
export function makeMemoryGroup(bytes: number): MemoryGroup {
  const folder = join(CONTROLLER, `dynamic-query-${process.pid}`);
  const file = (name: string): string => join(folder, name);
  mkdirSync(folder);
  writeFileSync(file('memory.limit_in_bytes'), String(bytes));
  const inGroup = `echo $$ > ${file('cgroup.procs')} && exec "$@"`;
  return {
    enter: ['sh', '-c', inGroup, 'sh'],
    most: () => Number(readFileSync(file('memory.max_usage_in_bytes'), 'utf8')),
    killed: () => {
      const [, count] =
        /^oom_kill (\d+)$/m.exec(readFileSync(file('memory.oom_control'), 'utf8')) ?? [];
      return Number(count);
    },
    remove: () => rmdirSync(folder),
  };
}
