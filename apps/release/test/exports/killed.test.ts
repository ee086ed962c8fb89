import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { until } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Service, startService } from '../availability/service.ts';
import { unmet } from '../support/programs.ts';
import { type ExportedDatabase, OPEN_DATABASE } from './databases.ts';
import { type Proxy, type ProxyName, startProxy } from '../support/proxies.ts';
import { type ReaderName, READERS, type Reading } from './readers.ts';

const ROWS = 100_000;

/** How often something is killed while an export is on its way, of each database. */
const KILLS = 17;

const READER_NAMES = Object.keys(READERS) as ReaderName[];

const WAYS = ['none', 'nginx', 'haproxy'] as const;

const VICTIMS = ['connection', 'service', 'proxy', 'reader'] as const;

type Way = (typeof WAYS)[number];

type Victim = (typeof VICTIMS)[number];

interface OnItsWay {
  readonly way: Way;
  readonly reading: Reading;
}

const left = unmet({ programs: ['nginx', 'haproxy', 'curl', 'mariadbd'] });

describe.skipIf(left !== '').each(['postgres', 'mariadb', 'sqlite'] as const)(
  `an export of %s${left}`,
  (name) => {
    let database: ExportedDatabase;
    let service: Service;
    const proxies = new Map<ProxyName, Proxy>();

    beforeAll(async () => {
      database = await OPEN_DATABASE[name](ROWS);
      service = await startService(`database: ${database.url}`);
      for (const proxy of ['nginx', 'haproxy'] as const)
        proxies.set(proxy, await startProxy(proxy, service.port));
    });
    afterAll(async () => {
      for (const proxy of proxies.values()) await proxy.stop();
      await service?.stop();
      await database?.close();
    });

    const originOf = (way: Way): string =>
      way === 'none' ? service.origin : `http://127.0.0.1:${proxies.get(way)?.port}`;

    /** Starts anew what was killed. */
    const restartKilled = async (): Promise<void> => {
      if (service.child.signalCode !== null)
        service = await startService(`database: ${database.url}`, service.port);
      for (const [way, proxy] of proxies) {
        if (proxy.child.signalCode === null) continue;
        await proxy.stop();
        proxies.set(way, await startProxy(way, service.port));
      }
    };

    const hit = async (victim: Victim, { way, reading }: OnItsWay): Promise<void> => {
      if (victim === 'connection') await database.cut(service);
      else if (victim === 'reader') reading.leave();
      else if (victim === 'proxy' && way !== 'none') proxies.get(way)?.child.kill('SIGKILL');
      else service.child.kill('SIGKILL');
    };

    it(`is whole or fails, whatever is killed on its way, ${KILLS} times`, async () => {
      const whole = await readByAll(service);
      const wholeFile = whole.get('client.exportFile')?.text;
      let failed = 0;
      for (let round = 0; round < KILLS; round++) {
        const reader = READER_NAMES[round % READER_NAMES.length] ?? 'curl';
        const way = WAYS[randomInt(WAYS.length)] ?? 'none';
        const victim = VICTIMS[randomInt(VICTIMS.length)] ?? 'service';
        const { text: expected = '', milliseconds = 1 } = whole.get(reader) ?? {};
        const reading = READERS[reader](originOf(way));
        // At any moment of an export.
        await setTimeout(randomInt(milliseconds));
        await hit(victim, { way, reading });
        const text = await reading.text;
        // Printing a difference of such texts would take minutes.
        const isPart = text !== undefined && text !== expected;
        expect({ reader, way, victim, isPart }).toEqual({ reader, way, victim, isPart: false });
        if (text === undefined) failed += 1;
        // On a busy machine a service may need more than one start.
        await until(async () => {
          await restartKilled().catch(() => undefined);
          return (await READERS['client.exportFile'](originOf(way)).text) === wholeFile;
        }, 300_000);
      }
      console.info(`${name}: ${failed} of ${KILLS} exports failed, the others were whole.`);
      // Of those that are killed at random, few are through before.
      expect(failed).toBeGreaterThan(0);
    });
  },
);

interface Whole {
  readonly text: string;
  /** How long it took. */
  readonly milliseconds: number;
}

/** The whole list as each reader has it. */
async function readByAll({ origin }: Service): Promise<ReadonlyMap<ReaderName, Whole>> {
  const whole = new Map<ReaderName, Whole>();
  for (const reader of READER_NAMES) {
    const started = performance.now();
    const text = (await READERS[reader](origin).text) ?? '';
    expect([reader, text.split('\n').length]).toEqual([reader, ROWS + 1]);
    whole.set(reader, { text, milliseconds: Math.ceil(performance.now() - started) });
  }
  return whole;
}
