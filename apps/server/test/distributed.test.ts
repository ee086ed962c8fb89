import { newPostgresDatabase, type TestDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { readMetrics } from './metrics-text.ts';
import { runHere } from './run-here.ts';
import { serviceHere } from './service-here.ts';
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
  beforeAll(async () => {
    database = await newPostgresDatabase();
    await database.client(SQL);
  });

  const settings = (far: string): string =>
    settingsFile(`
database: ${database.url}
expose: all
metrics: { port: 0 }
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
    const service = await serviceHere({ flags: { config }, env: ENV });
    expect(service.warnings.join('\n')).toContain(
      `approximate: far: ${PLACE} Rows and total of a reply may be of`,
    );
    const headers = { authorization: `Bearer ${TOKEN}` };
    const ask = (path: string, payload?: object) =>
      service.app.inject({
        url: `/api/v1/dynamic/${path}`,
        headers,
        ...(payload !== undefined && { method: 'POST', payload }),
      });
    const stateOf = async (path: string, query_model: string) => {
      const page = path === 'query' ? { page: { page: 1, size: 10 } } : {};
      const facets = path === 'facets' ? { query_facets: [{ attribute: 'id', values: 3 }] } : {};
      const attributes = path === 'facets' ? {} : { query_attributes: ['id'] };
      const reply = await ask(path, { query_model, ...attributes, ...page, ...facets });
      expect([path, reply.statusCode]).toEqual([path, 200]);
      return reply.headers['data-state'];
    };
    for (const path of ['query', 'facets', 'export']) {
      expect([path, await stateOf(path, 'far')]).toEqual([path, 'approximate']);
      expect([path, await stateOf(path, 'near')]).toEqual([path, undefined]);
    }
    const { models } = (await ask('models')).json<{ models: object[] }>();
    expect(models).toMatchObject([{ name: 'far', distributed: true }, { name: 'near' }]);
    expect(models[1]).not.toHaveProperty('distributed');
    const metrics = await service.metricsApp?.inject('/metrics');
    const samples = readMetrics(metrics?.body ?? '');
    expect(samples.find(({ name }) => name === 'dynamic_query_approximate_models')?.value).toBe(1);
  });
});
