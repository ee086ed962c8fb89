import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Comparison } from '../comparison.ts';
import { withTable } from '../databases/open.ts';
import { type Pattern, type Scenario } from '../scenarios.ts';
import { pagesEntrant } from '../subjects/pages.ts';
import { startService } from '../subjects/service.ts';
import {
  busyShare,
  type CpuProfile,
  lastSeconds,
  type SelfTime,
  topFiles,
  topFunctions,
} from './cpu-profile.ts';

export interface ProfileOptions extends Comparison<'rows' | 'seconds'> {
  /** So many of each table are printed. */
  readonly lines: number;
}

const CONNECTIONS = 16;
const FIRST_PAGE = { database: 'postgres', depth: 'first', size: 10, writesPerSecond: 0 } as const;
const PATTERNS: readonly Pattern[] = ['repeated', 'varied', 'distinct'];

/**
 * Profiles the service under page 1 repeated and under pages that differ, on PostgreSQL, and prints
 * where its own time goes.
 */
export async function runProfile({ rows, seconds, lines, print }: ProfileOptions): Promise<void> {
  await withTable('postgres', rows, async (database) => {
    for (const pattern of PATTERNS) {
      const scenario = { ...FIRST_PAGE, rows, pattern };
      const [profile, rate] = await profileScenario(scenario, database, seconds);
      const busy = percent(busyShare(profile));
      const rates = `${Math.round(rate)} requests/s under the profiler, ${busy} busy`;
      print(`\n## First pages of 10 rows, ${pattern}: ${rates}`);
      print(table('file', topFiles(profile, lines)));
      print(table('function', topFunctions(profile, lines)));
    }
  });
}

/** The profile of the load alone, and how many requests were answered in a second of it. */
async function profileScenario(
  scenario: Scenario,
  database: { readonly url: string },
  seconds: number,
): Promise<[profile: CpuProfile, rate: number]> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-profile-'));
  try {
    const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
    const service = await startService({ database, tables: [scenario.rows], nodeOptions });
    const started = performance.now();
    const share = { turn: { number: 0, of: 1 }, connections: CONNECTIONS, seconds };
    const outcome = await pagesEntrant(service, scenario).load(share);
    // The profile is written when the process ends.
    await service.stop();
    const measured = (performance.now() - started) / 1000;
    const [file = ''] = await readdir(folder);
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    return [lastSeconds(profile, measured), outcome.answered / outcome.seconds];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function table(title: string, times: readonly SelfTime[]): string {
  return [
    `\nself time by ${title}`,
    ...times.map(({ name, share }) => `${percent(share).padStart(7)}  ${name}`),
  ].join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
