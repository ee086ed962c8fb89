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
      const profiled = await profileScenario({ ...FIRST_PAGE, rows, pattern }, database, seconds);
      print(`\n## First pages of 10 rows, ${pattern}: ${reportOf(profiled, lines)}`);
    }
  });
}

interface Profiled {
  /** Requests per second. */
  readonly rate: number;
  readonly profile: CpuProfile;
}

function reportOf({ rate, profile }: Profiled, lines: number): string {
  const busy = percent(busyShare(profile));
  return [
    `${Math.round(rate)} requests/s under the profiler, ${busy} busy`,
    table('file', topFiles(profile, lines)),
    table('function', topFunctions(profile, lines)),
  ].join('\n');
}

async function profileScenario(
  scenario: Scenario,
  database: { readonly url: string },
  seconds: number,
): Promise<Profiled> {
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
    return { rate: outcome.answered / outcome.seconds, profile: lastSeconds(profile, measured) };
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
