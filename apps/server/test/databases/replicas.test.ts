import { startPostgres } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { sha256 } from '../../src/access/tokens.ts';
import { until } from '../helper.ts';
import { readMetrics, valueOf } from '../metrics-text.ts';
import { NOTES } from '../replicas/notes.ts';
import { ordersFile, pageOf, serviceOf } from './service-of-several.ts';

it('replicas answer for the database that has them, and for no other', async () => {
  const primary = await startPostgres({ settings: { wal_keep_size: '256MB' } });
  onTestFinished(() => primary.stop());
  await primary.client(NOTES);
  const standby = await primary.startStandby();
  onTestFinished(() => standby.stop());
  const { url } = primary;
  const { post, lines, service } = await serviceOf({
    databases: {
      read: { url, expose: 'all', replicas: [standby.url] },
      plain: { url, expose: 'all' },
      local: { url: ordersFile(3).url, expose: 'all' },
    },
    roles: { analyst: { models: 'all', replicas: 'allowed' } },
    tokens: [{ name: 'analyst', role: 'analyst', sha256: sha256('analyst') }],
    metrics: { port: 0 },
  });
  const usable = { database: 'read', msg: 'reads may go to a replica' };
  await until(() =>
    lines.some(({ database, msg }) => database === usable.database && msg === usable.msg),
  );
  let asked = 0;
  const ask = (model: string) => {
    asked += 1;
    const query_filter = { attribute: 'id', op: 'gt', value: -asked };
    return post({ ...pageOf(model), query_filter }, { token: 'analyst' });
  };
  await until(async () => {
    const { headers } = await ask('read.notes');
    return headers['data-age'] !== undefined && headers['data-age'] !== '0';
  });
  for (const model of ['plain.notes', 'local.orders']) {
    const { headers, statusCode } = await ask(model);
    expect([statusCode, headers['data-age'], headers['data-position']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  }
  const text = (await service.metricsApp?.inject('/metrics'))?.body ?? '';
  const reads = (database: string): number | undefined =>
    valueOf(readMetrics(text), 'dynamic_query_replica_reads_total', {
      replica: new URL(standby.url).host,
      database,
    });
  expect(reads('read')).toBeGreaterThan(0);
  expect(reads('plain')).toBeUndefined();
  const position = (await ask('read.notes')).headers['data-position'];
  expect(position).toBeTypeOf('string');
});
