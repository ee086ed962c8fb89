import { expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { temporaryDatabase } from './helper.ts';
import { launch, startServer } from './server-process.ts';
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

async function modelsOf(origin: string, token: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${origin}/api/v1/dynamic/models`, { headers });
  const { models } = (await reply.json()) as { models: { name: string }[] };
  return models.map(({ name }) => name);
}

it('a server gives the admin token of its environment every model, and the token of a caller there no more than its role, and says that it ignores that', async () => {
  const env = { DYNAMIC_QUERY_TOKEN: CALLER, DYNAMIC_QUERY_ADMIN_TOKEN: ADMIN };
  const { origin, output } = await startServer(['--config', settings()], env);
  expect(await modelsOf(origin, CALLER)).toEqual(['cities']);
  expect(await modelsOf(origin, ADMIN)).toEqual(['cities', 'salaries']);
  expect(output()).toContain('warning: DYNAMIC_QUERY_TOKEN is ignored');
  expect(output()).toContain('DYNAMIC_QUERY_ADMIN_TOKEN');
});

it.each(['serve', 'check'])(
  '%s refuses an admin token that is the token of a role',
  async (command) => {
    const env = { DYNAMIC_QUERY_ADMIN_TOKEN: CALLER };
    const { code, stderr } = await launch([command, '--config', settings()], env).ended;
    expect(stderr).toMatch(
      /^dynamic-query: DYNAMIC_QUERY_ADMIN_TOKEN: token: It is the token "frontend" of `tokens` too, .*\n$/,
    );
    expect(code).not.toBe(0);
  },
);
