import { setTimeout as sleep } from 'node:timers/promises';

import { openFaultDatabase } from '../faults/databases/open-fault-database.ts';
import { childrenOf, openFiles, residentMiB } from '../faults/processes.ts';
import { type FaultService, startService } from '../faults/service.ts';
import type { DatabaseName } from '../scenarios.ts';
import { act, ACTORS, type Scene } from './actors.ts';
import { Findings } from './findings.ts';
import { createLedger } from './ledger.ts';

/** What a soak does. */
export interface SoakOptions {
  readonly databases: readonly DatabaseName[];
  readonly minutes: number;
  readonly print: (line: string) => void;
}

/**
 * Everybody acts for so long before the memory is looked at first: pools, caches and compiled code
 * have their size then.
 */
const WARM_UP_MS = 45_000;

/** So long after the last actor, connections are closed and garbage is collected. */
const SETTLE_MS = 20_000;

/** Small caches are full when the memory is looked at first. */
const SETTINGS = { expose: 'all', models: {}, acceleration: { memory_mb: 4 } };

/** Garbage is collected before it takes more than this, so that what grows is in use. */
const ENVIRONMENT = { NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=8' };

const MOST_GROWTH = 1.1;

/**
 * Lets callers, attackers, writers and changes of settings and schema act on one service for some
 * minutes, over each database.
 *
 * @returns whether no reply was wrong and memory and open files came back to what they were.
 */
export async function runSoak({ databases, minutes, print }: SoakOptions): Promise<boolean> {
  let passed = true;
  for (const name of databases) passed = (await soak(name, minutes * 60_000, print)) && passed;
  return passed;
}

async function soak(
  name: DatabaseName,
  milliseconds: number,
  print: SoakOptions['print'],
): Promise<boolean> {
  const database = await openFaultDatabase(name);
  await createLedger(database);
  const service = await startService({
    database: database.url,
    settings: SETTINGS,
    env: ENVIRONMENT,
  });
  const findings = new Findings();
  const scene = { database, service, findings };
  try {
    await actFor(WARM_UP_MS, scene);
    const before = await usage(service);
    await actFor(milliseconds, scene);
    const after = await usage(service);
    const back = after.mib <= before.mib * MOST_GROWTH && after.files <= before.files + 2;
    print(`${name}: ${findings.summary}`);
    print(`${name}: ${growthText(before, after)}`);
    for (const error of findings.wrong) print(`  ${error}`);
    return findings.wrong.size === 0 && back;
  } finally {
    await service.stop();
    await database.close();
  }
}

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

/** Of the service and the readers that it has started. */
async function usage({ pid }: FaultService): Promise<Usage> {
  const processes = [pid, ...(await childrenOf(pid))];
  const resident = await Promise.all(processes.map(async (process) => residentMiB(process)));
  return { mib: resident.reduce((sum, mib) => sum + mib, 0), files: await openFiles(pid) };
}
