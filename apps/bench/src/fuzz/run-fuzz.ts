import { openFaultDatabase } from '../faults/databases/open-fault-database.ts';
import { type FaultService, startService } from '../faults/service.ts';
import type { DatabaseName } from '../scenarios.ts';
import { fuzzService } from './fuzz-service.ts';
import { CREATE_KINDS, fillKinds } from './kinds-table.ts';

/** What a run does. */
export interface FuzzOptions {
  readonly databases: readonly DatabaseName[];
  /** How many requests are sent, for all databases together. */
  readonly count: number;
  /** Equal seeds make equal requests. */
  readonly seed: number;
  readonly print: (line: string) => void;
}

const SETTINGS = {
  expose: 'all',
  log_level: 'error',
  limits: { query_timeout_ms: 30_000 },
  // Each wrong token would count.
  rate_limits: { failures_per_minute: 'unlimited' },
};

/**
 * Sends generated requests, one after the other, to a service over each database.
 *
 * @returns whether each was answered as it should be: no status of 5xx but 501, every error a
 *   problem document, no connection that hangs, no error in the log, and no service that ends
 */
export async function runFuzz({ databases, count, seed, print }: FuzzOptions): Promise<boolean> {
  print(`seed ${seed}`);
  const plan = { count: Math.ceil(count / databases.length), seed };
  let passed = true;
  for (const name of databases) {
    const failure = await fuzzOver(name, plan, print);
    if (failure !== undefined) print(`FAILED ${name}: ${failure}`);
    passed &&= failure === undefined;
  }
  return passed;
}

async function fuzzOver(
  name: DatabaseName,
  plan: Pick<FuzzOptions, 'count' | 'seed'>,
  print: (line: string) => void,
): Promise<string | undefined> {
  const database = await openFaultDatabase(name);
  try {
    for (const statement of [CREATE_KINDS, fillKinds()]) await database.run(statement);
    const service = await startService({ database: database.url, settings: SETTINGS });
    try {
      const { sent, outcomes, failure } = await fuzzService({ port: service.port, ...plan });
      const sorted = [...outcomes].toSorted(([one], [other]) => one.localeCompare(other));
      const counts = sorted.map(([outcome, times]) => `${outcome}: ${times}`);
      print(`${name}: ${sent} requests; ${counts.join(', ')}`);
      return failure ?? (await faultAfterwards(service));
    } finally {
      await service.stop();
    }
  } finally {
    await database.close();
  }
}

/** What is wrong once every request was answered; undefined where nothing is. */
async function faultAfterwards(service: FaultService): Promise<string | undefined> {
  const { status } = await service.get('/readyz');
  if (status !== 200) return `/readyz answers ${status} afterwards`;
  const [error] = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  return error === undefined ? undefined : `the log has an error: ${error}`;
}
