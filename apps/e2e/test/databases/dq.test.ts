import type { RunningService } from '@proj/test-servers';
import { beforeAll, expect, it } from 'vitest';

import { dq } from '../dq/dq.ts';
import { startOverTwoFiles } from './two-files.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startOverTwoFiles();
});

async function ask(...args: string[]): Promise<unknown> {
  const { stdout, stderr, code } = await dq(args, service);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout;
}

it('dq reads a model of one of several databases, along its paths and filters', async () => {
  const filter = ['--filter', 'amount > 5 and customer.name = "Ann"'];
  const page = await ask('query', 'shop.orders', '-a', 'id,customer.name', ...filter);
  expect(JSON.parse(String(page))).toMatchObject({
    result: [{ id: '2', 'customer.name': 'Ann' }],
    page: { total: '1' },
  });
});

it('dq exports, groups and counts a model of one of several databases', async () => {
  expect(await ask('export', 'crm.orders', '-a', 'id')).toBe('{"id":"1"}\n{"id":"2"}\n');
  expect(JSON.parse(String(await ask('facets', 'shop.orders', 'customer.name')))).toMatchObject({
    total: '3',
  });
});

it('dq makes types of the models of all databases, which refer to each other by their names', async () => {
  const types = await ask('types');
  expect(types).toContain('"shop.orders": {');
  expect(types).toContain('customer: "shop.customers" | null;');
  expect(types).toContain('customer: "crm.customers" | null;');
});
