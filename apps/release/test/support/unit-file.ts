import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../repository.ts';
import { run } from './programs.ts';

/** The unit of the repository. */
export const UNIT = join(ROOT, 'deploy/systemd/dynamic-query.service');

/** The values of a setting of the unit, in their order. */
export function settingsOf(name: string): string[] {
  const lines = readFileSync(UNIT, 'utf8').split('\n');
  return lines.flatMap((line) => (line.startsWith(`${name}=`) ? line.slice(name.length + 1) : []));
}

/** The variables of the unit, with the folder of its credentials. */
export function environmentOf(credentials: string): Record<string, string> {
  const assignments = settingsOf('Environment').flatMap((line) => line.split(' '));
  const pairs = assignments.map((text) => {
    const [name = '', value = ''] = text.replace('%d', credentials).split(/=(.*)/);
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

/** The system calls that the unit's `SystemCallFilter` allows. */
export async function allowedSystemCalls(): Promise<Set<string>> {
  const sets = parseSets(await run('systemd-analyze', ['syscall-filter', '--no-pager']));
  // An allow list always has those of @default.
  const allowed = expand('@default', sets);
  for (const filter of settingsOf('SystemCallFilter')) {
    const names = filter.replace('~', '').split(' ');
    for (const call of names.flatMap((name) => [...expand(name, sets)]))
      if (filter.startsWith('~')) allowed.delete(call);
      else allowed.add(call);
  }
  return allowed;
}

type CallSets = ReadonlyMap<string, readonly string[]>;

/** A line at the margin names a set; those that are indented are what it holds. */
function parseSets(text: string): CallSets {
  const sets = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.split('\n').filter((each) => !each.trimStart().startsWith('#'))) {
    if (line.startsWith('@')) sets.set(line.trim(), (current = []));
    else if (line.trim() !== '') current.push(line.trim());
  }
  return sets;
}

function expand(name: string, sets: CallSets): Set<string> {
  if (!name.startsWith('@')) return new Set([name]);
  return new Set((sets.get(name) ?? []).flatMap((member) => [...expand(member, sets)]));
}
