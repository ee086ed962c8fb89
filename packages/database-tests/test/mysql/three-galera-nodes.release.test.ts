import { type Engine, QueryFailedError } from '@proj/engine';
import {
  type GaleraNodes,
  type Haproxy,
  hasHaproxy,
  startGalera,
  startHaproxy,
  until,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { COUNTED_TABLE, fillCounted, totalOf } from './counted.ts';
import { describeGalera } from './galera.ts';

const FIRST = 1000;
const PAGES = 150;
const READERS = 6;

const available = hasHaproxy() || process.env['CI'] !== undefined;

(available ? describeGalera : describe.skip)('an engine over three Galera nodes', () => {
  let nodes: GaleraNodes;
  let balancer: Haproxy;
  beforeAll(async () => {
    nodes = await startGalera({ nodes: 3, settings: ['general-log=off'] });
    await nodes[0].client(`${COUNTED_TABLE}; ${fillCounted(FIRST)}`);
    for (const node of nodes) await node.client('set wsrep_sync_wait = 1; select 1 from counted');
    const ports = nodes.map(({ url }) => Number(new URL(url).port));
    balancer = await startHaproxy(ports, { server: () => 'check inter 200' });
  }, 400_000);
  afterAll(async () => {
    await balancer.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  }, 60_000);

  it('shows whole states of the data, and goes on, when one node is killed and another leaves', async () => {
    const [one, two, three] = nodes;
    const engine = await open(`mysql://root@127.0.0.1:${balancer.port}/test`, {
      acceleration: { pageIndexMinOffset: 100 },
    });
    const state = { rows: FIRST, commits: 0, isOver: false };
    const written = new Set([FIRST]);
    const shown = new Set<number>();
    const counts = { right: 0, refused: 0 };

    async function write(): Promise<void> {
      while (!state.isOver) {
        written.add((state.rows += 10));
        await one.client(`begin; delete from counted; ${fillCounted(state.rows)}; commit`);
        state.commits += 1;
      }
    }
    async function read(): Promise<void> {
      while (!state.isOver) {
        const total = await totalOrRefusal(engine);
        if (total === undefined) {
          counts.refused += 1;
        } else {
          counts.right += 1;
          shown.add(total);
        }
      }
    }
    async function more(): Promise<void> {
      const { right } = counts;
      const { commits } = state;
      await until(async () => counts.right >= right + 200 && state.commits >= commits + 5);
    }

    const working = Promise.all([write(), ...Array.from({ length: READERS }, read)]);
    try {
      await Promise.race([working, more()]);
      process.kill(three?.pid ?? 0, 'SIGKILL');
      await Promise.race([working, more()]);
      await two.stop();
      await Promise.race([working, more()]);
    } finally {
      state.isOver = true;
      await working;
    }
    expect([...shown].filter((rows) => !written.has(rows))).toEqual([]);
    console.log(`${counts.right} replies of whole states, ${counts.refused} refused`);
  }, 200_000);
});

/** Undefined where the node of a connection has gone. */
async function totalOrRefusal(engine: Engine): Promise<number | undefined> {
  try {
    return await totalOf(engine, Math.ceil(Math.random() * PAGES));
  } catch (error) {
    if (error instanceof QueryFailedError && error.code === 'database_unavailable')
      return undefined;
    throw error;
  }
}
