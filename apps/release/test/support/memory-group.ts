import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

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

/** Where a kernel has its groups, and the names of their files. */
interface Controller {
  readonly folder: string;
  readonly limit: string;
  /** Not there where the kernel does not count what is swapped out. */
  readonly swap: string;
  readonly swapLimit: (bytes: number) => number;
  readonly most: string;
  /** Has a line `oom_kill` with a number. */
  readonly events: string;
  /** The file of the folder in which groups are given the controller, where they have to be. */
  readonly switch?: string;
}

const V1: Controller = {
  folder: '/sys/fs/cgroup/memory',
  limit: 'memory.limit_in_bytes',
  swap: 'memory.memsw.limit_in_bytes',
  // Of memory and swap together.
  swapLimit: (bytes) => bytes,
  most: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
};

const V2: Controller = {
  folder: '/sys/fs/cgroup',
  limit: 'memory.max',
  swap: 'memory.swap.max',
  swapLimit: () => 0,
  most: 'memory.peak',
  events: 'memory.events',
  switch: 'cgroup.subtree_control',
};

/** A machine has its memory in one of them. */
const CONTROLLER = [V1, V2].find(isThere);

/** Why there are no such groups here, for the title of a test; nothing where there are. */
export function withoutMemoryGroups(): string {
  return CONTROLLER === undefined
    ? ' (needs root and the memory controller of cgroup v1, or that of v2 and Linux 5.19)'
    : '';
}

/** Makes a group that has as much memory as a container of so many bytes, and no swap. */
export function makeMemoryGroup(bytes: number): MemoryGroup {
  if (CONTROLLER === undefined) throw new Error(`No group can be made${withoutMemoryGroups()}.`);
  const { limit, swap, swapLimit, most, events } = CONTROLLER;
  const folder = makeFolder(CONTROLLER);
  const file = (name: string): string => join(folder, name);
  writeFileSync(file(limit), String(bytes));
  if (existsSync(file(swap))) writeFileSync(file(swap), String(swapLimit(bytes)));
  const inGroup = `echo $$ > ${file('cgroup.procs')} && exec "$@"`;
  return {
    enter: ['sh', '-c', inGroup, 'sh'],
    most: () => Number(readFileSync(file(most), 'utf8')),
    killed: () => {
      const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync(file(events), 'utf8')) ?? [];
      return Number(count);
    },
    remove: () => rmdirSync(folder),
  };
}

/** Whether a group can be made that has all that a test needs. */
function isThere(controller: Controller): boolean {
  try {
    const folder = makeFolder(controller);
    try {
      accessSync(join(folder, controller.limit), constants.W_OK);
      return [controller.most, controller.events].every((name) => existsSync(join(folder, name)));
    } finally {
      rmdirSync(folder);
    }
  } catch {
    return false;
  }
}

function makeFolder({ folder, switch: file }: Controller): string {
  if (file !== undefined) writeFileSync(join(folder, file), '+memory', { flag: 'r+' });
  const made = join(folder, `dynamic-query-${process.pid}`);
  mkdirSync(made);
  return made;
}
