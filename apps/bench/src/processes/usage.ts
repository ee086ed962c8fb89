import { readdirSync, readFileSync } from 'node:fs';

/** What a process and all that descend from it use. */
export interface Usage {
  /** Processor time since they began. */
  readonly cpuSeconds: number;
  /** Memory that they hold now; pages that they share count for each. */
  readonly rssBytes: number;
}

/** Linux counts processor time in these, on every platform that Node runs on. */
const TICKS_PER_SECOND = 100;

const PAGE_BYTES = 4096;

/**
 * Reads what a process and its descendants use; undefined where the system has no `/proc`, or the
 * process is gone.
 */
export function usageOf(pid: number): Usage | undefined {
  const own = readStat(pid);
  if (own === undefined) return undefined;
  return childrenOf(pid)
    .map(usageOf)
    .filter((usage) => usage !== undefined)
    .reduce((sum, usage) => add(sum, usage), own);
}

/**
 * Reads a line of `/proc/<pid>/stat`. The second field is the program's name, which may hold blanks
 * and brackets.
 */
export function parseStat(line: string): Usage {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [userTicks = 0, systemTicks = 0, pages = 0] = [fields[11], fields[12], fields[21]];
  return { cpuSeconds: (userTicks + systemTicks) / TICKS_PER_SECOND, rssBytes: pages * PAGE_BYTES };
}

function add(a: Usage, b: Usage): Usage {
  return { cpuSeconds: a.cpuSeconds + b.cpuSeconds, rssBytes: a.rssBytes + b.rssBytes };
}

function readStat(pid: number): Usage | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim();
      return text === '' ? [] : text.split(' ').map(Number);
    });
  } catch {
    return [];
  }
}
