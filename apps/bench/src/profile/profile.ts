import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Child, startChild } from '../processes/child.ts';
import type { Pattern, Scenario } from '../scenarios.ts';
import { httpSubject } from '../subjects/http-subject.ts';
import { startService } from '../subjects/service.ts';
import type { BenchDatabase } from '../tables/bench-database.ts';
import { openTables } from '../tables/open-tables.ts';
import {
  busyShare,
  type CpuProfile,
  lastSeconds,
  type SelfTime,
  topFiles,
  topFunctions,
} from './cpu-profile.ts';

export interface ProfileFlags {
  readonly rows: string;
  readonly seconds: string;
  readonly lines: string;
}

type Print = (text: string) => void;

const CONNECTIONS = 16;
const FIRST_PAGE = { database: 'postgres', depth: 'first', size: 10, writesPerSecond: 0 } as const;
const PATTERNS: readonly Pattern[] = ['repeated', 'varied', 'distinct'];

/**
 * Profiles the service under page 1 repeated and under pages that differ, on PostgreSQL, and prints
 * where its own time goes.
 */
export async function runProfile(
  { rows, seconds, lines }: ProfileFlags,
  print: Print,
): Promise<void> {
  const loader = await startChild('../load/load-process', import.meta.url, null);
  const database = await openTables('postgres', undefined);
  try {
    await database.createTable(Number(rows));
    for (const pattern of PATTERNS) {
      const scenario = { ...FIRST_PAGE, rows: Number(rows), pattern };
      const setting = { database, loader, seconds: Number(seconds) };
      const profiled = await profileScenario(scenario, setting);
      print(`\n## First pages of 10 rows, ${pattern}: ${reportOf(profiled, Number(lines))}`);
    }
  } finally {
    await loader.stop();
    await database.close();
  }
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

interface Setting {
  readonly database: BenchDatabase;
  readonly loader: Child;
  readonly seconds: number;
}

async function profileScenario(
  scenario: Scenario,
  { database, loader, seconds }: Setting,
): Promise<Profiled> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-profile-'));
  try {
    const service = await startService({
      database,
      tables: [scenario.rows],
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    });
    const subject = httpSubject({ name: 'service', ...service }, loader);
    const started = performance.now();
    const { answered, seconds: taken } = await subject.load({
      scenario,
      connections: CONNECTIONS,
      seconds,
    });
    // The profile is written when the process ends.
    await subject.stop();
    const measured = (performance.now() - started) / 1000;
    const [file = ''] = await readdir(folder);
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    return { rate: answered / taken, profile: lastSeconds(profile, measured) };
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
