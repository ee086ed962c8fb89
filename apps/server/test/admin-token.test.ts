import { expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { MODELS_PATH, temporaryDatabase } from './helper.ts';
import { runHere } from './run-here.ts';
import { serviceHere } from './service-here.ts';
import { settingsFile } from './settings-files.ts';

const CALLER = 'dq_the-token-of-a-role-1';
const ADMIN = 'dq_the-token-of-the-admin';

/** Two models, of which the role of {@link CALLER} sees one. */
function settings(): string {
  const { file } = temporaryDatabase(
    'create table cities (id integer primary key); create table salaries (id integer primary key);',
  );
  return settingsFile(
    `database: sqlite:${file}\nexpose: all\n` +
      'roles: { reader: { models: { cities: { attributes: all } } } }\n' +
      `tokens: [{ name: frontend, role: reader, sha256: ${sha256(CALLER)} }]\n`,
  );
}

it('a service gives the admin token of its environment every model, and the token of a caller there no more than its role, and says that it ignores that', async () => {
  const env = { DYNAMIC_QUERY_TOKEN: CALLER, DYNAMIC_QUERY_ADMIN_TOKEN: ADMIN };
  const { app, load } = await serviceHere({ flags: { config: settings() }, env });
  const modelsOf = async (token: string): Promise<string[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await app.inject({ url: MODELS_PATH, headers });
    return reply.json<{ models: { name: string }[] }>().models.map(({ name }) => name);
  };
  expect(await modelsOf(CALLER)).toEqual(['cities']);
  expect(await modelsOf(ADMIN)).toEqual(['cities', 'salaries']);
  const { ignored } = await load();
  expect(ignored).toEqual([
    expect.stringMatching(/^warning: DYNAMIC_QUERY_TOKEN is ignored.*DYNAMIC_QUERY_ADMIN_TOKEN/),
  ]);
});

it('check says nothing of the token of a caller, who has it set to ask services', async () => {
  const { stdout, stderr } = await runHere(['check', '--config', settings()], {
    DYNAMIC_QUERY_TOKEN: CALLER,
  });
  expect(stdout + stderr).not.toContain('DYNAMIC_QUERY_TOKEN');
});

it.each(['serve', 'check'])(
  '%s refuses an admin token that is the token of a role',
  async (command) => {
    const env = { DYNAMIC_QUERY_ADMIN_TOKEN: CALLER };
    const { code, stderr } = await runHere([command, '--config', settings()], env);
    expect(stderr).toMatch(
      /^dynamic-query: DYNAMIC_QUERY_ADMIN_TOKEN: token: It is the token "frontend" of `tokens` too, .*\n$/,
    );
    expect(code).toBeGreaterThan(0);
  },
);
