import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { until } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import type { FaultDatabase } from '../databases/fault-database.ts';
import { openFaultDatabase } from '../databases/open-fault-database.ts';
import { childrenOf, openFiles, residentMiB } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { act, ACTORS, type Scene } from './actors.ts';
import { Findings } from './findings.ts';
import { settingsOf } from './guests.ts';
import { createLedger } from './ledger.ts';

/** How long everybody acts on each database; undefined for the short form. */
const MINUTES = process.env['SOAK_MINUTES'];

const ACTING_MS = MINUTES === undefined ? 15_000 : Number(MINUTES) * 60_000;

/**
 * Everybody acts for so long before memory and files are looked at first. Pools, caches and compiled
 * code have their size only in the long form.
 */
const WARM_UP_MS = MINUTES === undefined ? 10_000 : 45_000;

/** So long after the last actor, connections are closed and garbage is collected. */
const SETTLE_MS = MINUTES === undefined ? 8_000 : 20_000;

/** On what everybody acts, with the settings beside those that change meanwhile. */
const SCENES = [
  { name: 'postgres', title: 'PostgreSQL, whose changes it follows', kept: { follow: true } },
  { name: 'postgres', title: 'PostgreSQL, with two workers', kept: { workers: 2 } },
  { name: 'mariadb', title: 'MariaDB', kept: {} },
  { name: 'sqlite', title: 'SQLite', kept: {} },
] as const;

const IN_USE = fileURLToPath(new URL('memory-in-use.ts', import.meta.url));

/** Garbage is collected before it takes more than this, and when the test looks at memory. */
const HEAP = '--max-old-space-size=128 --max-semi-space-size=8 --expose-gc';

/**
 * What is in use after the long form, as times of that before. In ten minutes V8 compiles 1 to 3 MiB
 * more of code, as things get hot; objects stay as many.
 */
const MOST_GROWTH = MINUTES === undefined ? 1.2 : 1.15;

/** The same of all memory: blocks have holes, and what runs in other threads has its own. */
const MOST_RESIDENT_GROWTH = MINUTES === undefined ? Infinity : 1.25;

/** After the short form, pools may have opened the rest of their connections. */
const MOST_NEW_FILES = MINUTES === undefined ? 20 : 2;

it.each(SCENES)(
  'while callers, guests, attackers, writers, reloads, schema changes and lost connections act on ' +
    'the service over $title, every reply is of one committed state and for the eyes of its ' +
    'caller; afterwards totals are right, and memory and open files what they were',
  async ({ name, title, kept }) => {
    const database = await openFaultDatabase(name);
    onTestFinished(database.close);
    await createLedger(database);
    if ('follow' in kept) await database.run('create publication dynamic_query for all tables');
    const service = await startService({
      database: database.url,
      settings: { ...settingsOf(0), ...kept },
      env: { NODE_OPTIONS: `${HEAP} --import=${IN_USE}` },
    });
    onTestFinished(service.stop);
    const findings = new Findings();
    const scene = { database, service, findings, kept };

    await actFor(WARM_UP_MS, scene);
    expect(service.output()).not.toContain('warning: follow');
    const before = await usage(scene);
    await actFor(ACTING_MS, scene);
    const after = await usage(scene);

    console.info(`${title}: ${findings.summary}\n${title}: ${growthText(before, after)}`);
    expect([...findings.wrong]).toEqual([]);
    expect(findings.replies).toBeGreaterThan(0);
    expect(await totals(scene)).toEqual(await counts(database));
    expect(after.inUse).toBeLessThanOrEqual(before.inUse * MOST_GROWTH);
    expect(after.resident).toBeLessThanOrEqual(before.resident * MOST_RESIDENT_GROWTH);
    expect(after.files).toBeLessThanOrEqual(before.files + MOST_NEW_FILES);
  },
  ACTING_MS + 300_000,
);

/** Lets everybody act, and waits until what they left behind is gone. */
async function actFor(milliseconds: number, scene: Omit<Scene, 'signal'>): Promise<void> {
  const signal = AbortSignal.timeout(milliseconds);
  const all = Object.values(ACTORS).flatMap(({ actor, count }) =>
    Array.from({ length: count }, () => act(actor, { ...scene, signal })),
  );
  await Promise.all(all).catch((cause: unknown) => {
    const { child, output } = scene.service;
    const state = child.exitCode ?? child.signalCode ?? 'none, it runs';
    throw new Error(`Exit: ${state}. Its last words: ${output().slice(-3000)}`, { cause });
  });
  // The service drops idle connections, and V8 collects, when it is time: neither says so.
  await sleep(SETTLE_MS);
}

/** What the service says of the ledger, and of a part of it. */
async function totals({ service }: Pick<Scene, 'service'>): Promise<string[]> {
  const filters = [{}, { query_filter: { attribute: 'part', op: 'eq', value: 3 } }];
  const replies = filters.map(async (filter) =>
    service.ask({ query_model: 'ledger', query_attributes: ['id'], page: FIRST, ...filter }),
  );
  return (await Promise.all(replies)).map(
    ({ text }) => /"total":"(\d+)"/.exec(text)?.[1] ?? `no total: ${text}`,
  );
}

async function counts({ rows }: FaultDatabase): Promise<string[]> {
  const found = ['', ' where part = 3'].map(async (rest) =>
    rows(`select count(*) as total from ledger${rest}`),
  );
  return (await Promise.all(found)).map(([row]) => String(row?.['total']));
}

const FIRST = { page: 1, size: 1 };

/** In MiB, and open files. */
interface Usage {
  readonly inUse: number;
  readonly resident: number;
  readonly files: number;
}

function growthText(before: Usage, after: Usage): string {
  return (
    `in use ${before.inUse.toFixed(1)} → ${after.inUse.toFixed(1)} MiB, ` +
    `memory ${before.resident.toFixed(0)} → ${after.resident.toFixed(0)} MiB, ` +
    `open files ${before.files} → ${after.files}`
  );
}

/** The memory of the service and the processes that it has started, and its own files. */
async function usage({ service, kept }: Pick<Scene, 'service' | 'kept'>): Promise<Usage> {
  const { pid, output } = service;
  const resident = residentMiB(pid);
  // Readers of SQLite know no such signal.
  const pids = 'workers' in kept ? [pid, ...childrenOf(pid)] : [pid];
  const said = (): number[] =>
    [...output().matchAll(/^In use: (\d+)/gm)].map(([, bytes]) => Number(bytes) / 2 ** 20);
  const all = said().length + pids.length;
  for (const one of pids) process.kill(one, 'SIGWINCH');
  await until(() => said().length === all);
  const inUse = said()
    .slice(-pids.length)
    .reduce((sum, mib) => sum + mib, 0);
  return { inUse, resident, files: openFiles(pid) };
}
