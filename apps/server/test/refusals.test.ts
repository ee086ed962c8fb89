import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterFile } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { CITIES, makeDatabase } from './helper.ts';
import { readersOf } from './processes.ts';
import { runHere } from './run-here.ts';

// Each service that is refused in this process has listened for the end of it.
process.setMaxListeners(0);

/** What is wrong by itself, whatever the database: 2 as of `dq`, and 1 for all else. */
const USAGE: ReadonlySet<string> = new Set([
  'no database',
  'a settings file that is not there',
  'a settings file with an error',
  'a token with a space',
  'an unknown flag',
  'a URL without its flag',
  'a URL in the place of a command',
  'a token as a flag',
  'a flag without its value',
  'an unknown command',
  'a port that is no number',
]);

const { directory, file } = makeDatabase(CITIES);
writeFileSync(join(directory, 'text.db'), 'not a database '.repeat(100));
writeFileSync(join(directory, 'empty.db'), '');
const bare = new DatabaseSync(join(directory, 'bare.db'));
bare.exec('pragma user_version = 1');
bare.close();
writeFileSync(join(directory, 'away.yaml'), 'expose: all\ndatabase: sqlite:none.db\n');
writeFileSync(join(directory, 'wrong.yaml'), `database: sqlite:${file}\nprot: 1\n`);
afterFile(() => rmSync(directory, { recursive: true, force: true }));

it.each([
  ['no database', [], {}, /database: none is given/],
  [
    'a database that is not there',
    ['--database', 'sqlite:DIR/none.db', '--expose', 'all'],
    {},
    /database: no file is at .*none\.db/,
  ],
  [
    'a database that is not there, in a settings file',
    ['--config', 'DIR/away.yaml'],
    {},
    /away\.yaml:2: database: no file is at .*none\.db/,
  ],
  [
    'a directory for a database',
    ['--database', 'sqlite:DIR', '--expose', 'all'],
    {},
    /database: no file is at/,
  ],
  [
    'a file that is no database',
    ['--database', 'sqlite:DIR/text.db', '--expose', 'all'],
    {},
    /database: it cannot be read \(\/\S+text\.db: file is not a database\)/,
  ],
  [
    'a database of another kind',
    ['--database', 'oracle://user:hunter2@host/db'],
    {},
    /database: expected a URL that begins with sqlite:/,
  ],
  ['a path for a URL', ['--database', 'DIR/data.db'], {}, /database: expected a URL/],
  [
    'an empty file',
    ['--database', 'sqlite:DIR/empty.db', '--expose', 'all'],
    {},
    /database: \S+\/empty\.db is empty: .* Create its tables first/,
  ],
  [
    'a database without tables',
    ['--database', 'sqlite:DIR/bare.db', '--expose', 'all'],
    {},
    /models: none is exposed\. The database has no table/,
  ],
  [
    'a settings file that is not there',
    ['--config', 'DIR/none.yaml'],
    {},
    /none\.yaml: the settings file cannot be read/,
  ],
  [
    'a settings file with an error',
    ['--config', 'DIR/wrong.yaml'],
    {},
    /wrong\.yaml:2: prot: there is no such setting\. Did you mean port\?/,
  ],
  [
    'an address beyond loopback without a token',
    ['--database', 'sqlite:DIR/data.db', '--expose', 'all', '--host', '0.0.0.0'],
    {},
    /host: 0\.0\.0\.0 can be reached from other machines, and no token is set\. Set DYNAMIC_QUERY_ADMIN_TOKEN/,
  ],
  [
    'every IPv6 address without a token',
    ['--database', 'sqlite:DIR/data.db', '--expose', 'all', '--host', '::'],
    {},
    /host: :: can be reached/,
  ],
  [
    'a token with a space',
    ['--database', 'sqlite:DIR/data.db'],
    { DYNAMIC_QUERY_ADMIN_TOKEN: 'hunter2 x' },
    /DYNAMIC_QUERY_ADMIN_TOKEN: token: expected the characters/,
  ],
  ['an unknown flag', ['--prot', '80'], {}, /unknown option '--prot' \(Did you mean --port\?\)/],
  [
    'a URL without its flag',
    ['serve', 'postgres://me:hunter2@db/shop'],
    {},
    /^dynamic-query: serve has too many arguments: it takes options, such as --database <url>\. See: dynamic-query serve --help\n$/,
  ],
  [
    'a URL in the place of a command',
    ['postgres://me:hunter2@db/shop'],
    {},
    /^dynamic-query: a URL needs its flag: --database <url>\.\n$/,
  ],
  ['a token as a flag', ['--token=hunter2'], {}, /unknown option '--token'/],
  ['a flag without its value', ['--port'], {}, /option '--port <value>' argument missing/],
  ['an unknown command', ['launch'], {}, /no command "launch"\. There are: .*serve/],
  [
    'a port that is no number',
    ['--database', 'sqlite:DIR/data.db', '--port', 'x'],
    {},
    /--port: port: expected a whole number from 0 to 65535/,
  ],
])('the command refuses in one line, with its exit code: %s', async (what, args, env, message) => {
  const { code, stderr } = await runHere(
    args.map((arg) => arg.replace('DIR', directory)),
    env,
  );
  expect(stderr).toMatch(message);
  expect(stderr.replaceAll(/^left out: .*\n/gm, '')).toMatch(/^dynamic-query: [^\n]+\n$/);
  expect(stderr).not.toMatch(/hunter2|node:internal|\n\s+at /);
  expect(code).toBe(USAGE.has(what) ? 2 : 1);
});

it('the command refuses a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await runHere([
    '--database',
    `sqlite:${file}`,
    '--expose',
    'all',
    '--port',
    String(port),
    '--log-level',
    'silent',
  ]);
  other.close();
  expect(stderr).toMatch(
    /^dynamic-query: port: cannot listen on 127\.0\.0\.1:\d+ \(.*EADDRINUSE.*\)\. Choose another with --port or PORT\.\n$/,
  );
  expect(code).toBe(1);
});

it('no command that has refused leaves a reader', () => {
  expect(readersOf(directory)).toEqual([]);
});
