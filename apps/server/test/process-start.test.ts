import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { SETTING_SOURCES } from '../src/settings/file/sources.ts';
import { CITIES, QUERY_PATH, temporaryDatabase, until } from './helper.ts';
import { readersOf } from './processes.ts';
import { runHere } from './run-here.ts';
import { launch, shell, startServer } from './server-process.ts';

/** A database in a folder that is the working directory until the end of the test. */
function workingDirectory(): { readonly directory: string; readonly file: string } {
  const made = temporaryDatabase();
  const before = process.cwd();
  process.chdir(made.directory);
  onTestFinished(() => process.chdir(before));
  return made;
}

it.each(['check', 'serve'])(
  '%s reads the dynamic-query.yaml of the working directory where no other file is named, and says so',
  async (command) => {
    const { file } = workingDirectory();
    writeFileSync('named.yaml', `database: sqlite:${file}\nlog_level: named\n`);
    writeFileSync('dynamic-query.yaml', `database: sqlite:${file}\nmodels: { towns: {} }\n`);
    const { stdout, stderr } = await runHere([command]);
    expect(stdout + stderr).toContain('Settings are those of ./dynamic-query.yaml;');
    expect(stderr).toMatch(/^dynamic-query: dynamic-query\.yaml:2: models\.towns: /m);
    for (const refused of [
      await runHere([command, '--config', 'named.yaml']),
      await runHere([command], { CONFIG: 'named.yaml' }),
    ])
      expect(refused.stderr).toMatch(/^dynamic-query: named\.yaml:2: log_level: /);
  },
);

it('serve says that no database is given where there is no file of settings either', async () => {
  workingDirectory();
  const { stderr } = await runHere(['serve']);
  expect(stderr).toMatch(/^dynamic-query: database: none is given/);
});

describe('a started server', () => {
  it('without a token makes one on loopback, prints a line that works in a shell, and logs a client that disconnected as 499, without an error', async () => {
    // A name that a shell would read as its own.
    const name = `it's "$HOME" \`x\` \\ !! *`;
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const { file } = temporaryDatabase(
      `create table ${quoted} (id integer primary key, ${quoted} text); insert into ${quoted} values (1, 'x');`,
    );
    const flags = ['--expose', 'all', '--max-page-size', '5'];
    const { curl, origin, output } = await startServer(['--database', `sqlite:${file}`, ...flags]);
    expect(JSON.parse((await shell(curl)).stdout)).toEqual({
      result: [{ id: '1', [name]: 'x' }],
      page: { page: '1', size: '5', total: '1', has_next: false },
    });
    expect(output()).toMatch(/^ {2}export DYNAMIC_QUERY_TOKEN=dq_[\w-]{43}$/m);

    const { port } = new URL(origin);
    const socket = connect(Number(port), '127.0.0.1');
    const authorization = /Bearer dq_[\w-]+/.exec(curl)?.[0] ?? '';
    socket.write(
      `POST ${QUERY_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{',
    );
    // The server has read the head.
    await once(socket, 'data');
    socket.destroy();
    await until(() => output().includes('"status":499'));
    expect(output()).not.toContain('"level":50');
  });

  it('with a token in the environment listens beyond loopback and shows the token nowhere, and leaves out, with a reason, what it cannot serve', async () => {
    const { directory, file } = temporaryDatabase(
      `${CITIES} create view names as select name from cities;`,
    );
    const config = join(directory, 'settings.yaml');
    writeFileSync(config, 'models:\n  cities: { max_page_size: 7 }\n');
    const token = 'a-token.of~my+own/1==';
    const { curl, output } = await startServer(['--config', config], {
      DYNAMIC_QUERY_ADMIN_TOKEN: token,
      HOST: '0.0.0.0',
      DATABASE_URL: `sqlite:${file}`,
      EXPOSE: 'all',
    });
    const { stdout } = await shell(curl, { DYNAMIC_QUERY_TOKEN: token });
    expect(JSON.parse(stdout)).toMatchObject({
      result: Array.from({ length: 7 }, (_, index) => ({ name: `city ${index + 1}` })),
      page: { page: '1', size: '7', total: '42', has_next: true },
    });
    const wrong = await shell(curl, { DYNAMIC_QUERY_TOKEN: 'wrong' });
    expect(JSON.parse(wrong.stdout)).toMatchObject({ code: 'unauthenticated' });
    await until(() => output().includes('"status":401'));
    expect(output()).not.toContain(token);
    expect(output()).not.toContain('No token is set');
    expect(output()).toMatch(/^Models: cities$/m);
    expect(output()).toMatch(/left out: names: The view has no unique key/);
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
  const { code, stdout, stderr } = await runHere(['serve', '--help']);
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
  expect(help).toContain('docs/reference/settings.md');
});
