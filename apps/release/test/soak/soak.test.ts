import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { DATABASES } from '../databases/fault-database.ts';
import { openFaultDatabase } from '../databases/open-fault-database.ts';
import { openFiles, residentMiB } from '../support/processes.ts';
import { type Service, startService } from '../support/service.ts';
import { act, ACTORS, type Scene } from './actors.ts';
import { Findings } from './findings.ts';
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

/** Small caches are full when the memory is looked at first. */
const SETTINGS = { expose: 'all', models: {}, acceleration: { memory_mb: 4 } };

/** Garbage is collected before it takes more than this, so that what grows is in use. */
const ENVIRONMENT = { NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=8' };

/** Memory after the long form, as times of that before. The short form shows leaks of files. */
const MOST_GROWTH = MINUTES === undefined ? Infinity : 1.1;

/** After the short form, pools may have opened the rest of their connections. */
const MOST_NEW_FILES = MINUTES === undefined ? 20 : 2;

it.each(DATABASES)(
  'while callers, attackers, writers, reloads and schema changes act on the service over $title, ' +
    'every page is of one committed state; memory and open files come back to what they were',
  async ({ name, title }) => {
    const database = await openFaultDatabase(name);
    onTestFinished(database.close);
    await createLedger(database);
    const service = await startService({
      database: database.url,
      settings: SETTINGS,
      env: ENVIRONMENT,
    });
    onTestFinished(service.stop);
    const findings = new Findings();
    const scene = { database, service, findings };

    await actFor(WARM_UP_MS, scene);
    const before = usage(service);
    await actFor(ACTING_MS, scene);
    const after = usage(service);

    console.info(`${title}: ${findings.summary}\n${title}: ${growthText(before, after)}`);
    expect([...findings.wrong]).toEqual([]);
    expect(findings.replies).toBeGreaterThan(0);
    expect(after.mib).toBeLessThanOrEqual(before.mib * MOST_GROWTH);
    await expect
      .poll(() => openFiles(service.pid))
      .toBeLessThanOrEqual(before.files + MOST_NEW_FILES);
  },
  ACTING_MS + 300_000,
);

/** Lets everybody act, and waits until what they left behind is gone. */
async function actFor(milliseconds: number, scene: Omit<Scene, 'signal'>): Promise<void> {
  const signal = AbortSignal.timeout(milliseconds);
  const all = Object.values(ACTORS).flatMap(({ actor, count }) =>
    Array.from({ length: count }, () => act(actor, { ...scene, signal })),
  );
  await Promise.all(all);
  await sleep(SETTLE_MS);
}

interface Usage {
  readonly mib: number;
  readonly files: number;
}

function growthText(before: Usage, after: Usage): string {
  return (
    `memory ${before.mib.toFixed(0)} → ${after.mib.toFixed(0)} MiB, ` +
    `open files ${before.files} → ${after.files}`
  );
}

/** The memory of the service and the readers that it has started, and its own files. */
function usage({ pid }: Service): Usage {
  return { mib: residentMiB(pid), files: openFiles(pid) };
}
