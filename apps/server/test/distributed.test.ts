import { freePort, newPostgresDatabase, type TestDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { readMetrics } from './metrics-text.ts';
import { runHere } from './run-here.ts';
import { startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';

const TOKEN = 'distributed-token';
const ENV = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
const PLACE = 'Its rows are on the server "files" (file_fdw).';

/** A program gives the rows of a table each time that they are read. */
const SQL = `
  create table near (id int primary key); insert into near values (1);
  create extension file_fdw; create server files foreign data wrapper file_fdw;
  create foreign table far (id int not null) server files options (program 'echo 7');`;

describe('a model whose records are on another server', () => {
  let database: TestDatabase;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    database = await newPostgresDatabase();
    await database.client(SQL);
  });

  const settings = (far: string): string =>
    settingsFile(`
database: ${database.url}
expose: all
metrics: { port: ${metricsPort} }
models: { ${far} }
`);

  it('is left out by name where the settings do not say that its replies may be untrue', async () => {
    const { code, stdout } = await runHere(['check', '--config', settings('')], ENV);
    expect(code).toBeUndefined();
    expect(stdout).toContain(
      `left out: far: ${PLACE} Rows and total of a reply could be of different states. ` +
        'Leave it out, or accept that, which its replies say then: ' +
        'models: { far: { distributed: approximate } }',
    );
    expect(stdout).toMatch(/^No errors\. Models: near$/m);
  });

  it('keeps the service from starting where the settings name it', async () => {
    const config = settings('far: { key: [id] }');
    const { code, stderr } = await runHere(['check', '--config', config], ENV);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(PLACE) });
  });

  it('is named at the start and in the catalogue, and its replies say what they are, once accepted', async () => {
    const config = settings('far: { key: [id], distributed: approximate }');
    const { origin, output } = await startServer(['--config', config], ENV);
    expect(output()).toContain(`approximate: far: ${PLACE} Rows and total of a reply may be of`);
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const ask = (path: string, body?: unknown): Promise<Response> =>
      fetch(`${origin}/api/v1/dynamic/${path}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
    const stateOf = async (path: string, query_model: string): Promise<string | null> => {
      const page = path === 'query' ? { page: { page: 1, size: 10 } } : {};
      const facets = path === 'facets' ? { query_facets: [{ attribute: 'id', values: 3 }] } : {};
      const attributes = path === 'facets' ? {} : { query_attributes: ['id'] };
      const reply = await ask(path, { query_model, ...attributes, ...page, ...facets });
      expect([path, reply.status, await reply.text()]).toEqual([path, 200, expect.any(String)]);
      return reply.headers.get('data-state');
    };
    for (const path of ['query', 'facets', 'export']) {
      expect([path, await stateOf(path, 'far')]).toEqual([path, 'approximate']);
      expect([path, await stateOf(path, 'near')]).toEqual([path, null]);
    }
    const { models } = (await (await ask('models')).json()) as { models: object[] };
    expect(models).toMatchObject([{ name: 'far', distributed: true }, { name: 'near' }]);
    expect(models[1]).not.toHaveProperty('distributed');
    const samples = readMetrics(
      await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    );
    expect(samples.find(({ name }) => name === 'dynamic_query_approximate_models')?.value).toBe(1);
  });
});
