/**
 * The parts of a V8 CPU profile that are needed:
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** The node that ran at each sample. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

/** A function or file with the share of the busy time that it spent itself. */
export interface SelfTime {
  readonly name: string;
  readonly share: number;
}

/** Not work. */
const IDLE = '(idle)';

/** The functions that spent most time themselves, as shares of the time that was not idle. */
export function topFunctions(profile: CpuProfile, count: number): SelfTime[] {
  return top(profile, count, ({ functionName, url, lineNumber }) =>
    url === ''
      ? functionName
      : `${functionName === '' ? '(anonymous)' : functionName} ${shortName(url)}:${lineNumber + 1}`,
  );
}

/** The files whose functions spent most time themselves. */
export function topFiles(profile: CpuProfile, count: number): SelfTime[] {
  return top(profile, count, ({ functionName, url }) =>
    url === '' ? functionName : shortName(url),
  );
}

/** What was sampled in the last seconds: a start takes a while, and is not what is asked about. */
export function lastSeconds(profile: CpuProfile, seconds: number): CpuProfile {
  let left = seconds * 1e6;
  let first = profile.samples.length;
  while (first > 0 && left > 0) left -= profile.timeDeltas[--first] ?? 0;
  return {
    nodes: profile.nodes,
    samples: profile.samples.slice(first),
    timeDeltas: profile.timeDeltas.slice(first),
  };
}

/** How much of the time was not idle, from 0 to 1. */
export function busyShare(profile: CpuProfile): number {
  const times = selfTimes(profile, ({ functionName }) => functionName);
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  return all === 0 ? 0 : 1 - (times.get(IDLE) ?? 0) / all;
}

/** `pg/lib/query.js` instead of the whole path of a package, `engine/dist/…` for our own. */
export function shortName(url: string): string {
  const path = url.replace(/^file:\/\//, '');
  const [, inPackage] = /.*\/node_modules\/(.+)$/.exec(path) ?? [];
  const [, own] = /.*\/(?:packages|apps)\/(.+)$/.exec(path) ?? [];
  return inPackage ?? own ?? path;
}

type Frame = ProfileNode['callFrame'];

function top(profile: CpuProfile, count: number, nameOf: (frame: Frame) => string): SelfTime[] {
  const times = [...selfTimes(profile, nameOf)].filter(([name]) => name !== IDLE);
  const busy = times.reduce((sum, [, time]) => sum + time, 0);
  return times
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, time]) => ({ name, share: time / busy }));
}

function selfTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  nameOf: (frame: Frame) => string,
): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '(unknown)';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return times;
}
