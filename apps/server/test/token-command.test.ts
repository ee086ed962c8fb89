import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

import { runHere } from './run-here.ts';
import { settingsFile } from './settings-files.ts';

/** What a command, as it is typed, prints, and its exit code. */
async function command(typed: string): Promise<{ code: number; output: string }> {
  const { code = 0, stdout, stderr } = await runHere(['token', ...typed.split(' ')]);
  return { code, output: stdout + stderr };
}

const HASH = 'a'.repeat(64);
const FILE = `# who may come in
database: sqlite:/x.db
roles: { analyst: { models: all } }
tokens:
  # the old one
  - { name: old, role: analyst, sha256: ${HASH}, expires: 2020-01-01 }
  - { name: new, role: analyst, sha256: ${'b'.repeat(64)}, expires: 2999-01-01 }
  - { name: ever, role: analyst, sha256: ${'c'.repeat(64)} }
`;

describe('dynamic-query token create', () => {
  it('prints a token of 256 bits once, and the entry for the settings with its hash only', async () => {
    const { code, output } = await command('create --name reporting --role analyst --expires 90d');
    const [token = '', , , line = ''] = output.split('\n');
    expect(code).toBe(0);
    expect(token).toMatch(/^dq_[\w-]{43}$/);
    const [entry] = parse(line) as Record<string, string>[];
    expect(entry).toMatchObject({
      name: 'reporting',
      role: 'analyst',
      sha256: createHash('sha256').update(token).digest('hex'),
    });
    const days = (Date.parse(entry?.['expires'] ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBeGreaterThanOrEqual(89);
    expect(Math.round(days)).toBeLessThanOrEqual(90);
    expect(output.split(token)).toHaveLength(2);
  });

  it.each([
    ['analyst', 0, /^dq_/],
    ['analist', 2, /^dynamic-query: --role: there is no role "analist"\. There are: analyst\.\n$/],
  ])('takes the role %s only where the settings file names it', async (role, expected, message) => {
    const { code, output } = await command(
      `create --name a --role ${role} --config ${settingsFile(FILE)}`,
    );
    expect(code).toBe(expected);
    expect(output).toMatch(message);
  });

  it('takes the roles of dynamic-query.yaml where no other settings file is named', async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(dirname(settingsFile(FILE, 'dynamic-query.yaml')));
    const { code, output } = await command('create --name a --role analist');
    expect(code).toBe(2);
    expect(output).toContain('there is no role "analist"');
  });

  it.each([
    [
      'an expiry that is no number of days',
      '--name a --role b --expires soon',
      '--expires: expected a number of days',
    ],
    [
      'a name that a log could not hold',
      '--name a\tb --role b',
      '--name: expected 1 to 64 letters',
    ],
    ['no role', '--name a', "required option '--role <role>' not specified"],
  ])('refuses %s', async (_what, args, message) => {
    const { code, output } = await command(`create ${args}`);
    expect(code).toBe(2);
    expect(output).toContain(message);
  });
});

it('dynamic-query token list shows names, roles and expiry, and no hash', async () => {
  const { output } = await command(`list --config ${settingsFile(FILE)}`);
  expect(output).toBe(
    'old\tanalyst\texpired 2020-01-01\nnew\tanalyst\texpires 2999-01-01\never\tanalyst\tnever expires\n',
  );
});

describe('dynamic-query token revoke', () => {
  it('takes the entry out and leaves the rest of the file as it is', async () => {
    const config = settingsFile(FILE);
    expect(await command(`revoke new --config ${config}`)).toMatchObject({ code: 0 });
    const text = readFileSync(config, 'utf8');
    expect(text).not.toContain('name: new');
    expect(text).toContain('# who may come in');
    expect(text).toContain('# the old one');
    expect((parse(text) as { tokens: unknown[] }).tokens).toHaveLength(2);
  });

  it('finds a token whose name comes from the environment, as the list shows it', async () => {
    const config = settingsFile(FILE.replace('name: new', 'name: "${NAME:-new}"'));
    expect(await command(`revoke new --config ${config}`)).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).not.toContain('NAME');
  });

  it.each([
    ['the entry', '&old { role: analyst,', '<<: *old'],
    ['its role', '{ role: &role analyst,', 'role: *role'],
  ])('leaves a file as it is where an alias stands for %s, and says so', async (_, old, other) => {
    const text = `database: sqlite:/x.db
roles: { analyst: { models: all } }
tokens:
  - ${old} name: old, sha256: ${HASH} }
  - { ${other}, name: other, sha256: ${'b'.repeat(64)} }
`;
    const config = settingsFile(text);
    const { code, output } = await command(`revoke old --config ${config}`);
    expect(output).toContain('tokens: aliases stand for a part of "old". Write out what they');
    expect([code, readFileSync(config, 'utf8')]).toEqual([2, text]);
  });

  it('says when there is no such token', async () => {
    const { code, output } = await command(`revoke nobody --config ${settingsFile(FILE)}`);
    expect(code).toBe(2);
    expect(output).toContain('tokens: there is none named "nobody".');
  });
});
