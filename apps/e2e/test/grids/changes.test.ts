import { hash } from 'node:crypto';

import { createClient, type DynamicQueryClient } from '@proj/client';
import type { GridChange, WatchShown } from '@proj/grids';
import { infiniteDatasource, serverSideDatasource } from '@proj/grids/ag-grid';
import { muiDataSource } from '@proj/grids/mui-x';
import { reactAdminProvider } from '@proj/grids/react-admin';
import { refineProvider } from '@proj/grids/refine';
import { tableSource } from '@proj/grids/tanstack-table';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { type Connection, SQLITE } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';

/** The token of a role that does not see the version of the data. */
const CLERK = 'dq_a-clerk-who-sees-no-versions-0123456789abcdef';

/** The view has no version. */
const SETTINGS = `models: { notes: { attributes: all }, moments: { attributes: all, key: [id] } }
limits: { watch_check_ms: 100, watch_read_ms: 1000 }
roles: { clerk: { models: { notes: { rows: { attribute: id, op: gt, value: 0 } } } } }
tokens: [{ name: clerk, role: clerk, sha256: ${hash('sha256', CLERK)} }]
`;

/** A list of an adapter. */
interface GridList {
  /** Reads the first page of the notes of a kind. */
  readonly read: (kind: number) => Promise<unknown>;
  readonly watch: WatchShown;
}

const model = 'notes';

const ADAPTERS: Readonly<Record<string, (client: DynamicQueryClient) => GridList>> = {
  'TanStack Table': (client) => {
    const source = tableSource(client, { model });
    const pagination = { pageIndex: 0, pageSize: 10 };
    return {
      read: async (kind) =>
        source
          .queryOptions({ pagination, columnFilters: [{ id: 'kind', value: [kind, kind] }] })
          .queryFn({}),
      watch: source.watch,
    };
  },
  'AG Grid’s infinite rows': (client) => {
    const source = infiniteDatasource(client, { model });
    const read = async (kind: number): Promise<void> =>
      new Promise((successCallback, failCallback) => {
        const rows = { startRow: 0, endRow: 10, sortModel: [], filterModel: ofKind(kind) };
        source.getRows({ ...rows, successCallback: () => successCallback(), failCallback });
      });
    return { read, watch: source.watch };
  },
  'AG Grid’s server-side rows': (client) => {
    const source = serverSideDatasource(client, { model });
    const groups = { rowGroupCols: [], valueCols: [], pivotCols: [], groupKeys: [] };
    const read = async (kind: number): Promise<void> =>
      new Promise((success, fail) => {
        const rows = { startRow: 0, endRow: 10, sortModel: [], filterModel: ofKind(kind) };
        const request = { ...groups, pivotMode: false, ...rows };
        source.getRows({ request, success: () => success(), fail });
      });
    return { read, watch: source.watch };
  },
  'MUI X': (client) => {
    const source = muiDataSource(client, { model });
    return {
      read: async (kind) =>
        source.getRows({
          sortModel: [],
          filterModel: { items: [{ field: 'kind', operator: '=', value: String(kind) }] },
          start: 0,
          end: 9,
        }),
      watch: source.watch,
    };
  },
  'react-admin': (client) => {
    const provider = reactAdminProvider(client);
    return {
      read: async (kind) => provider.getList(model, { filter: { kind } }),
      watch: (...watching) => provider.watch(model, ...watching),
    };
  },
  Refine: (client) => {
    const provider = refineProvider(client);
    return {
      read: async (kind) =>
        provider.getList({
          resource: model,
          filters: [{ field: 'kind', operator: 'eq', value: kind }],
        }),
      watch: (...watching) => provider.watch(model, ...watching),
    };
  },
};

function ofKind(kind: number): object {
  return { kind: { filterType: 'number', type: 'equals', filter: kind } };
}

const undo: (() => Promise<unknown>)[] = [];
let connection: Connection | undefined;
let origin = '';

beforeAll(async () => {
  const database = await SQLITE.start();
  undo.push(database.stop);
  connection = await database.connect();
  undo.unshift(connection.close);
  await write('create table notes (id bigint not null primary key, kind integer not null)');
  await write("create view moments as select id, datetime('now') as moment from notes");
  const service = await startService({ database: database.url, settings: SETTINGS });
  undo.unshift(service.stop);
  ({ origin } = service);
});
afterAll(async () => {
  for (const stop of undo) await stop();
});
beforeEach(async () => {
  await write('delete from notes');
  await write('insert into notes values (1, 1), (2, 1), (3, 2)');
});

async function write(sql: string): Promise<unknown> {
  return connection?.run(sql);
}

const clientOf = (token: string) => createClient({ baseUrl: origin, token });

/** Watches a list; what it says is in the array as it comes. */
function said({ watch }: GridList): { texts: (string | undefined)[]; end: () => void } {
  const texts: (string | undefined)[] = [];
  const listener = (change: GridChange | null) => void texts.push(change?.text);
  const end = watch(listener, { everyMs: 100 });
  onTestFinished(end);
  return { texts, end };
}

describe.each(Object.entries(ADAPTERS))('a list of %s', (_name, open) => {
  it('says how it has changed since it was read, until it is read again', async () => {
    const list = open(clientOf(TOKEN));
    await list.read(1);
    const { texts, end } = said(list);
    await write('insert into notes values (4, 1), (5, 1)');
    await expect.poll(() => texts.at(-1)).toBe('2 more');
    await list.read(1);
    expect(texts.at(-1)).toBeUndefined();
    await write('update notes set id = 9 where id = 5');
    await expect.poll(() => texts.at(-1)).toBe('changed');
    await list.read(2);
    expect(texts.at(-1)).toBeUndefined();
    await write('delete from notes where kind = 2');
    await expect.poll(() => texts.at(-1)).toBe('1 fewer');
    end();
    const { length } = texts;
    const other = said(list);
    await write('insert into notes values (10, 2), (11, 2)');
    await expect.poll(() => other.texts.at(-1)).toBe('1 more');
    expect(texts).toHaveLength(length);
  });

  it('says that it has changed where the token sees no version of the data', async () => {
    const list = open(clientOf(CLERK));
    await list.read(1);
    const { texts } = said(list);
    await write('insert into notes values (4, 1)');
    await expect.poll(() => texts.at(-1)).toBe('1 more');
    await list.read(1);
    expect(texts.at(-1)).toBeUndefined();
    await write('update notes set id = 9 where id = 4');
    await expect.poll(() => texts.at(-1)).toBe('changed');
  });
});

it('a list of MUI X whose data has no version says what the service finds when it reads the list', async () => {
  const source = muiDataSource(clientOf(TOKEN), { model: 'moments' });
  const { texts } = said({ read: async () => undefined, watch: source.watch });
  const page = { sortModel: [], filterModel: { items: [] }, start: 0, end: 9 };
  expect((await source.getRows(page)).rowCount).toBe(3);
  await write('insert into notes values (4, 1)');
  await expect.poll(() => texts.at(-1)).toBe('1 more');
});
