import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { API_PATHS } from '@proj/contract';
import { EVERYTHING } from '@proj/engine';
import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';

import type { AppParts } from '../src/app.ts';
import { type AuditEntry, auditEntrySchema, openAuditFile } from '../src/audit/audit-log.ts';
import {
  auditLines,
  listen,
  present,
  send,
  sendTo,
  sharedService,
  startService,
  temporaryDatabase,
} from './helper.ts';

const service = await sharedService();

const TOKEN = 'audit-canary-token';

const SALES = `
  create table shops (id integer primary key, name text not null);
  insert into shops values (1, 'north'), (2, 'south');
  create table sales (
    id integer primary key, shop_id integer references shops (id), pieces integer not null
  );
  insert into sales values (1, 1, 5), (2, 1, 7), (3, 2, 11), (4, null, 13);`;

/** The audit lines of some requests. */
async function audited(bodies: readonly unknown[], token = TOKEN): Promise<AuditEntry[]> {
  const path = join(temporaryDatabase('').directory, 'logs', 'audit.jsonl');
  const principal = {
    name: 'reporting',
    id: 'reporting',
    role: 'analyst',
    grant: EVERYTHING,
  } as const;
  const auditLog = openAuditFile(path, pino({ level: 'silent' }));
  const authenticate: AppParts['authenticate'] = (sent) =>
    Promise.resolve(sent === TOKEN ? principal : undefined);
  const { app } = await startService({ over: service, parts: { auditLog, authenticate } });
  // An injected reply is not sent to its end, which the audit is about.
  const origin = `http://127.0.0.1:${await listen(app)}`;
  for (const body of bodies) await (await sendTo(origin, body, { token })).text();
  await app.close();
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(TOKEN);
  return text
    .trim()
    .split('\n')
    .map((line) => auditEntrySchema.parse(JSON.parse(line)));
}

const query = (members: object = {}): object => ({
  query_model: 'cities',
  query_attributes: ['name'],
  page: { page: 5, size: 10 },
  ...members,
});

describe('the audit', () => {
  it('has a line for each query: who, what, how much, how it ended', async () => {
    const query_filter = { attribute: 'name', op: 'ne', value: 'value-canary' };
    const lines = await audited([
      query({ query_filter }),
      query({ query_attributes: ['attribute-canary'] }),
    ]);
    expect(lines).toMatchObject([
      {
        token: 'reporting',
        role: 'analyst',
        model: 'cities',
        attributes: ['name'],
        page: 5,
        size: 10,
        rows: 2,
        outcome: 'ok',
      },
      { token: 'reporting', model: null, attributes: [], rows: 0, outcome: 'unknown_attribute' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('names no token that is not valid', async () => {
    expect(await audited([query()], 'wrong')).toMatchObject([
      { token: null, role: null, outcome: 'unauthenticated' },
    ]);
  });
});

it('the audit counts groups, and values and bins of facets, as records, and names all models that they are made of', async () => {
  const { auditLog, lines } = auditLines();
  const { app, ask } = await startService({ sql: SALES, parts: { auditLog } });
  await ask({
    query_model: 'sales',
    query_attributes: ['shop.name', 'n'],
    query_groups: ['shop.name'],
    query_aggregates: [{ name: 'n', op: 'sum', attribute: 'pieces' }],
    page: { page: 1, size: 10 },
  });
  const query_facets = [
    { attribute: 'shop_id', values: 3 },
    { attribute: 'pieces', bins: 2 },
  ];
  await send(app, { query_model: 'sales', query_facets }, { path: `/${API_PATHS.facets}` });
  expect(lines).toMatchObject([
    { model: 'sales', models: ['sales', 'shops'], attributes: ['shop.name', 'n'], rows: 3 },
    { model: 'sales', attributes: ['shop_id', 'pieces'], page: null, size: null, rows: 4 },
  ]);
});

/** Who asked, by the lines of a file, if it is there. */
function names(file: string): string[] {
  return existsSync(file) ? (readFileSync(file, 'utf8').match(/(?<="token":")\w+/g) ?? []) : [];
}

/** Opens an audit file, and returns the warnings that this leads to. */
async function warningsOf(path: string): Promise<unknown[]> {
  const warn = vi.fn<pino.LogFn>();
  await openAuditFile(path, { warn, error: () => undefined }).close();
  return warn.mock.calls;
}

describe('the audit file', () => {
  it('is made for its owner alone, and that is no reason for a warning', async () => {
    const path = join(temporaryDatabase().directory, 'audit.jsonl');
    expect([...(await warningsOf(path)), ...(await warningsOf(path))]).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that others may read leads to a warning with its name and what to do, and is kept as it is', async () => {
    const path = join(temporaryDatabase().directory, 'audit.jsonl');
    writeFileSync(path, '');
    chmodSync(path, 0o640);
    expect(await warningsOf(path)).toEqual([
      [{ file: path }, expect.stringContaining(`run chmod 600 ${path}`)],
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('is begun anew once it was moved or removed, as by log rotation', async () => {
    const path = join(temporaryDatabase().directory, 'audit.jsonl');
    const audit = openAuditFile(path, pino({ level: 'silent' }));
    const [entry] = await audited([query()]);
    const write = async (token: string) => {
      audit.write({ ...present(entry), token });
      await vi.waitUntil(() => names(path).includes(token));
    };
    await write('first');
    renameSync(path, `${path}.1`);
    await write('second');
    rmSync(path);
    await write('third');
    await audit.close();
    expect([names(`${path}.1`), names(path)]).toEqual([['first'], ['third']]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
