import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterFile } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { CITIES, makeDatabase } from './helper.ts';
import { readersOf } from './processes.ts';
import { type RunHere, runHere } from './run-here.ts';

// Each service that is refused in this process has listened for the end of it.
process.setMaxListeners(0);

const { directory, file } = makeDatabase(CITIES);
writeFileSync(join(directory, 'text.db'), 'not a database '.repeat(100));
writeFileSync(join(directory, 'empty.db'), '');
const bare = new DatabaseSync(join(directory, 'bare.db'));
bare.exec('pragma user_version = 1');
bare.close();
writeFileSync(join(directory, 'away.yaml'), 'expose: all\ndatabase: sqlite:none.db\n');
writeFileSync(join(directory, 'wrong.yaml'), `database: sqlite:${file}\nprot: 1\n`);
afterFile(() => rmSync(directory, { recursive: true, force: true }));

/** Behind it comes the name of a file. */
const AT = '--expose all --database sqlite:DIR';

/** What is wrong by itself, whatever the database, ends with 2 as of `dq`, and all else with 1. */
it.each<[what: string, code: 1 | 2, typed: string, message: RegExp]>([
  ['no database', 2, '', /database: none is given/],
  ['a database that is not there', 1, `${AT}/none.db`, /database: no file is at .*none\.db/],
  [
    'a database that is not there, in a settings file',
    1,
    '--config DIR/away.yaml',
    /away\.yaml:2: database: no file is at .*none\.db/,
  ],
  ['a directory for a database', 1, AT, /database: no file is at/],
  [
    'a file that is no database',
    1,
    `${AT}/text.db`,
    /database: it cannot be read \(\/\S+text\.db: file is not a database\)/,
  ],
  [
    'a database of another kind',
    1,
    '--database oracle://user:hunter2@host/db',
    /database: expected a URL that begins with sqlite:/,
  ],
  ['a path for a URL', 1, '--database DIR/data.db', /database: expected a URL/],
  [
    'an empty file',
    1,
    `${AT}/empty.db`,
    /database: \S+\/empty\.db is empty: .* Create its tables first/,
  ],
  [
    'a database without tables',
    1,
    `${AT}/bare.db`,
    /models: none is exposed\. The database has no table/,
  ],
  [
    'a settings file that is not there',
    2,
    '--config DIR/none.yaml',
    /none\.yaml: the settings file cannot be read/,
  ],
  [
    'a settings file with an error',
    2,
    '--config DIR/wrong.yaml',
    /wrong\.yaml:2: prot: there is no such setting\. Did you mean port\?/,
  ],
  [
    'an address beyond loopback without a token',
    1,
    `${AT}/data.db --host 0.0.0.0`,
    /host: 0\.0\.0\.0 can be reached from other machines, and no token is set\. Set DYNAMIC_QUERY_ADMIN_TOKEN/,
  ],
  ['every IPv6 address without a token', 1, `${AT}/data.db --host ::`, /host: :: can be reached/],
  ['an unknown flag', 2, '--prot 80', /unknown option '--prot' \(Did you mean --port\?\)/],
  [
    'a URL without its flag',
    2,
    'serve postgres://me:hunter2@db/shop',
    /^dynamic-query: serve has too many arguments: it takes options, such as --database <url>\. See: dynamic-query serve --help\n$/,
  ],
  [
    'a URL in the place of a command',
    2,
    'postgres://me:hunter2@db/shop',
    /^dynamic-query: a URL needs its flag: --database <url>\.\n$/,
  ],
  ['a token as a flag', 2, '--token=hunter2', /unknown option '--token'/],
  ['a flag without its value', 2, '--port', /option '--port <value>' argument missing/],
  ['an unknown command', 2, 'launch', /no command "launch"\. There are: .*serve/],
  [
    'a port that is no number',
    2,
    `${AT}/data.db --port x`,
    /--port: port: expected a whole number from 0 to 65535/,
  ],
])(
  'the command refuses in one line, with its exit code: %s',
  async (_what, code, typed, message) => {
    const args = typed.split(' ').filter((word) => word !== '');
    const refused = await runHere(args.map((arg) => arg.replace('DIR', directory)));
    expect(refused.code).toBe(code);
    expectOneLine(refused, message);
  },
);

it('the command refuses a token with a space in one line', async () => {
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: 'hunter2 x' };
  const refused = await runHere(['--database', `sqlite:${file}`], env);
  expect(refused.code).toBe(2);
  expectOneLine(refused, /DYNAMIC_QUERY_ADMIN_TOKEN: token: expected the characters/);
});

function expectOneLine({ stderr }: RunHere, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr.replaceAll(/^left out: .*\n/gm, '')).toMatch(/^dynamic-query: [^\n]+\n$/);
  expect(stderr).not.toMatch(/hunter2|node:internal|\n\s+at /);
}

it('the command refuses a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const typed = `--database sqlite:${file} --expose all --port ${port} --log-level silent`;
  const { code, stderr } = await runHere(typed.split(' '));
  other.close();
  expect(stderr).toMatch(
    /^dynamic-query: port: cannot listen on 127\.0\.0\.1:\d+ \(.*EADDRINUSE.*\)\. Choose another with --port or PORT\.\n$/,
  );
  expect(code).toBe(1);
});

it('no command that has refused leaves a reader', () => {
  expect(readersOf(directory)).toEqual([]);
});
