import {
  type Haproxy,
  hasHaproxy,
  hasPatroni,
  type PatroniCluster,
  startHaproxy,
  startPatroni,
  until,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exampleLines } from '../support/example-lines.ts';
import { Callers } from './callers.ts';
import { LEDGER, Ledger, type Pause } from './ledger.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { ANALYST, CLERK, type Service, startService } from './service.ts';

/** So many replies of each kind of callers are looked at before and after a failover. */
const REPLIES = 300;

const PUBLICATION = `create publication dynamic_query for table ledger
  with (publish = 'insert, update, delete, truncate')`;

const available = (hasHaproxy() && hasPatroni()) || process.env['CI'] !== undefined;

describe.skipIf(!available)('services over PostgreSQL with Patroni (left out without it)', () => {
  let cluster: PatroniCluster;
  let balancer: Haproxy;
  let reading: Service;
  let following: Service;
  let writer: PostgresWriter;
  let ledger: Ledger;
  let written: Promise<void>;
  const ended = new AbortController();

  beforeAll(async () => {
    cluster = await startPatroni(3);
    balancer = await startBalancer(cluster);
    const url = `postgres://postgres@127.0.0.1:${balancer.port}/postgres`;
    await (await cluster.primary()).client(`${LEDGER}; ${PUBLICATION}`);
    writer = new PostgresWriter(url);
    ledger = new Ledger((id) => writer.add(id));
    for (let count = 0; count < 1000; count++) await ledger.add();
    // A busy machine must not be what ends a query.
    const limits = 'limits: { query_timeout_ms: 60000 }';
    const database = `database: ${url}?target_session_attrs=primary\n${limits}`;
    const replicas = cluster.nodes.map((node) => `'${node.url}'`).join(', ');
    reading = await startService(`${database}\nreplicas: [${replicas}]`);
    following = await startService(`${database}\nfollow: true`);
    written = ledger.addUntil(ended.signal);
  });
  afterAll(async () => {
    ended.abort();
    await written;
    await writer.end();
    await Promise.all([reading.stop(), following.stop()]);
    await balancer.stop();
    await cluster.stop();
  });

  const startCallers = (): Callers[] =>
    [
      { origin: reading.origin, token: ANALYST, count: 4 },
      { origin: reading.origin, token: CLERK, count: 4 },
      { origin: following.origin, token: CLERK, count: 4 },
    ].map((options) => new Callers(ledger, options).start());

  /** Reads go to all nodes but the primary, and the changes of that are followed. */
  async function untilHelped(): Promise<void> {
    await cluster.untilWhole();
    const names = cluster.nodes.map(({ port }) => `{replica="127.0.0.1:${port}"}`);
    await until(async () => {
      const usable = await Promise.all(
        names.map((name) => reading.metric(`dynamic_query_replica_usable${name}`)),
      );
      const isFollowing = (await following.metric('dynamic_query_feed_following')) === 1;
      return isFollowing && usable.filter((one) => one === 1).length === names.length - 1;
    }, 300_000);
  }

  it.each([
    ['crashes', crash],
    ['crashes again', crash],
    ['is frozen, and goes on when another one is the primary', freeze],
    ['hands over to another one', handOver],
  ])(
    'show nothing old, refuse only without a primary, and go on by themselves when it %s',
    async (_what, end) => {
      const callers = startCallers();
      await untilHelped();
      await untilReplies(callers);
      const from = performance.now();
      await end(cluster);
      await untilReplies(callers);
      await untilHelped();
      await untilReplies(callers);
      await Promise.all(callers.map((each) => each.stop()));
      expect(callers.flatMap(({ faults }) => faults)).toEqual([]);
      report(callers, ledger.longestPause(from));
    },
  );
});

async function startBalancer({ nodes }: PatroniCluster): Promise<Haproxy> {
  const restPorts = new Map(nodes.map(({ port, restPort }) => [port, restPort]));
  return startHaproxy([...restPorts.keys()], {
    lines: exampleLines('docs/operate.md', 'haproxy.cfg'),
    server: (port) => `check port ${restPorts.get(port)}`,
  });
}

async function crash(cluster: PatroniCluster): Promise<void> {
  process.kill((await cluster.primary()).pid, 'SIGKILL');
}

/** Another node takes over when the frozen one has not renewed its lease for long. */
async function freeze(cluster: PatroniCluster): Promise<void> {
  const frozen = await cluster.primary();
  frozen.freeze();
  const others = cluster.nodes.filter((node) => node !== frozen);
  await until(async () => {
    const roles = await Promise.all(others.map((node) => node.takesWrites()));
    return roles.includes(true);
  });
  frozen.goOn();
}

async function handOver(cluster: PatroniCluster): Promise<void> {
  const { name, restPort } = await cluster.primary();
  const body = JSON.stringify({ leader: name });
  const url = `http://127.0.0.1:${restPort}/switchover`;
  const response = await fetch(url, { method: 'POST', body });
  expect(await response.text()).toContain('Successfully');
}

/** Waits until callers of each kind have got so many more replies. */
async function untilReplies(all: readonly Callers[]): Promise<void> {
  const goals = all.map((callers) => callers.right + REPLIES);
  await until(() => all.every(({ right }, index) => right >= (goals[index] ?? 0)), 300_000);
}

/** How many replies there were, and of the refusals how many there need not have been. */
function report(all: readonly Callers[], away: Pause): void {
  const replies = all.map(({ right, fromReplica }) => `${right} (${fromReplica} from replicas)`);
  const refused = all.flatMap((callers) => callers.refused);
  const others = refused.filter((one) => one.until < away.from || one.from > away.until);
  const awayMs = Math.round(away.until - away.from);
  console.log(`right: ${replies.join(', ')}; no primary for ${awayMs} ms`);
  console.log(`refused: ${refused.length}, of which ${others.length} with a primary`);
}
