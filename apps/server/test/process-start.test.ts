import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { SETTING_SOURCES } from '../src/settings/file/sources.ts';
import { CITIES, QUERY_PATH, temporaryDatabase, until } from './helper.ts';
import { readersOf } from './processes.ts';
import { launch, MAIN, shell, startServer } from './server-process.ts';

it.each(['check', 'serve'])(
  '%s reads the dynamic-query.yaml of the working directory where no other file is named, and says so',
  async (command) => {
    const { directory, file } = temporaryDatabase();
    const at = `cd '${directory}' && exec '${process.execPath}' '${MAIN}' ${command}`;
    const [named, here] = ['named.yaml', 'dynamic-query.yaml'].map((name) => join(directory, name));
    writeFileSync(named ?? '', `database: sqlite:${file}\nlog_level: named\n`);
    expect((await shell(at)).stderr).toMatch(/^dynamic-query: database: none is given/);
    writeFileSync(here ?? '', `database: sqlite:${file}\nmodels: { towns: {} }\n`);
    const { stdout, stderr } = await shell(at);
    expect(stdout + stderr).toContain('Settings are those of ./dynamic-query.yaml;');
    expect(stderr).toMatch(/^dynamic-query: dynamic-query\.yaml:2: models\.towns: /m);
    const other = [
      await shell(`${at} --config named.yaml`),
      await shell(at, { CONFIG: 'named.yaml' }),
    ];
    for (const { stderr: refusal } of other)
      expect(refusal).toMatch(/^dynamic-query: named\.yaml:2: log_level: /);
  },
);

describe('a started server', () => {
  it('makes a token on loopback and prints a line that works in a shell', async () => {
    const { file } = temporaryDatabase();
    const { curl, output } = await startServer([
      '--database',
      `sqlite:${file}`,
      '--expose',
      'all',
      '--log-level',
      'silent',
    ]);
    const { stdout } = await shell(curl);
    expect(JSON.parse(stdout)).toMatchObject({
      page: { page: '1', size: '10', total: '42', has_next: true },
    });
    expect(JSON.parse(stdout).result[0]).toEqual({
      id: '1',
      name: 'city 1',
      population: '1000',
      area: 1.5,
    });
    expect(output()).toMatch(/^Models: cities$/m);
    expect(output()).toMatch(/^ {2}export DYNAMIC_QUERY_TOKEN=dq_[\w-]{43}$/m);
  });

  it('prints a line that works for names that a shell would read as its own, and for small pages', async () => {
    const name = `it's "$HOME" \`x\` \\ !! *`;
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const { file } = temporaryDatabase(
      `create table ${quoted} (id integer primary key, ${quoted} text); insert into ${quoted} values (1, 'x');`,
    );
    const { curl } = await startServer([
      '--database',
      `sqlite:${file}`,
      '--expose',
      'all',
      '--max-page-size',
      '5',
    ]);
    expect(JSON.parse((await shell(curl)).stdout)).toEqual({
      result: [{ id: '1', [name]: 'x' }],
      page: { page: '1', size: '5', total: '1', has_next: false },
    });
  });

  it('takes the token from the environment and shows it nowhere', async () => {
    const { file } = temporaryDatabase();
    const token = 'a-token.of~my+own/1==';
    const { curl, origin, output } = await startServer(
      ['--database', `sqlite:${file}`, '--expose', 'all'],
      { DYNAMIC_QUERY_ADMIN_TOKEN: token },
    );
    const env = { DYNAMIC_QUERY_TOKEN: token };
    expect(JSON.parse((await shell(curl, env)).stdout)).toMatchObject({ page: { total: '42' } });
    expect(JSON.parse((await shell(curl, { DYNAMIC_QUERY_TOKEN: 'wrong' })).stdout)).toMatchObject({
      code: 'unauthenticated',
    });
    await until(() => output().includes('"status":401'));
    expect(output()).not.toContain(token);
    expect(output()).not.toContain('was made');
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it('with a token listens beyond loopback', async () => {
    const { file } = temporaryDatabase();
    const token = 'a-token-that-is-long-enough';
    const { curl } = await startServer([], {
      DYNAMIC_QUERY_ADMIN_TOKEN: token,
      HOST: '0.0.0.0',
      DATABASE_URL: `sqlite:${file}`,
      EXPOSE: 'all',
    });
    const env = { DYNAMIC_QUERY_TOKEN: token };
    expect(JSON.parse((await shell(curl, env)).stdout)).toMatchObject({ page: { total: '42' } });
  });

  it('reads its settings from a file and leaves out, with a reason, what it cannot serve', async () => {
    const { directory, file } = temporaryDatabase(
      `${CITIES} create view names as select name from cities;`,
    );
    const config = join(directory, 'settings.yaml');
    writeFileSync(
      config,
      `database: sqlite:${file}\nexpose: all\nmodels:\n  towns: { source: cities, max_page_size: 7 }\n`,
    );
    const { curl, output } = await startServer(['--config', config]);
    expect(JSON.parse((await shell(curl)).stdout)).toMatchObject({
      page: { size: '7', total: '42' },
    });
    expect(output()).toMatch(/left out: names: The view has no unique key/);
  });

  it('logs a client that disconnected as 499, without an error', async () => {
    const { file } = temporaryDatabase();
    const { origin, output, curl } = await startServer([
      '--database',
      `sqlite:${file}`,
      '--expose',
      'all',
    ]);
    const authorization = /Bearer dq_[\w-]+/.exec(curl)?.[0] ?? '';
    const headers = { authorization, 'content-type': 'application/json', 'content-length': '100' };
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('{')),
    });
    const request = new Request(origin + QUERY_PATH, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      signal: AbortSignal.timeout(300),
    });
    await expect(fetch(request)).rejects.toThrow(/timeout/);
    await until(() => output().includes('"status":499'));
    expect(output()).not.toContain('"level":50');
  });
});

describe('a process that cannot start says why in one line, ends with its exit code and leaves nothing behind', () => {
  it.each([
    [
      'a file that is no database',
      ['--database', 'sqlite:FILE'],
      {},
      /^dynamic-query: database: it cannot be read \(\/\S+: file is not a database\)\.\n$/,
    ],
    [
      'an address beyond loopback without a token',
      ['--host', '0.0.0.0', '--database', 'sqlite:FILE'],
      {},
      /^dynamic-query: host: 0\.0\.0\.0 .*no token is set\..*\n$/,
    ],
    [
      'an unknown flag',
      ['--prot', '80'],
      {},
      /^dynamic-query: unknown option '--prot' \(Did you mean --port\?\)\n$/,
    ],
  ])('%s', async (what, args, env, message) => {
    const { file } = temporaryDatabase();
    writeFileSync(file, 'not a database '.repeat(100));
    const { code, stdout, stderr } = await launch(
      args.map((arg) => arg.replace('FILE', file)),
      env,
    ).ended;
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: what === 'an unknown flag' ? 2 : 1, stdout: '' });
    expect(readersOf(file)).toEqual([]);
  });
});

it('serve --help says what each flag means, names its variable, and gives examples and where to read on', async () => {
  const { code, stdout, stderr } = await launch(['serve', '--help']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const help = stdout.replace(/\s+/g, ' ');
  expect(help).toContain(
    '--database <value> [DATABASE_URL] URL of the database: `sqlite:/data/shop.db`. It is only read.',
  );
  expect(help).toContain('--drain-ms <value> [DRAIN_MS] How long a stopping server still serves');
  const silent = SETTING_SOURCES.filter(
    ({ flag, env }) =>
      flag !== undefined &&
      !new RegExp(`--${flag} [<[]value[\\]>] \\[${env}\\] [A-Z\`].*?\\.`).test(help),
  );
  expect(silent).toEqual([]);
  expect(help).toContain('dynamic-query serve --database sqlite:/data/shop.db --expose all');
  expect(help).toContain('docs/settings.md');
});
