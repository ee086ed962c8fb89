import { SettingsError } from '@proj/engine';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { loadSettings } from '../src/settings/file/load.ts';
import type { Settings } from '../src/settings/schema.ts';
import { SETTING_SOURCES, type SettingSource } from '../src/settings/file/sources.ts';
import { present } from './helper.ts';
import { errorOf, settingsFile } from './settings-files.ts';
import type { Schema } from './settings-values.ts';

/** Two values for every row of the table, as text. */
const SAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  database: ['sqlite:/a.db', 'sqlite:/b.db'],
  files: ['./data', './data/*.parquet'],
  startup: ['exit', 'wait'],
  pooler: ['transaction', 'none'],
  follow: ['true', 'false'],
  'follow.url': ['postgres://feed@db/shop', 'postgresql://feed@other/shop'],
  replicas: ['postgres://standby/x', 'postgres://one/x,postgres://two/x'],
  host: ['127.0.0.2', '::1'],
  port: ['8080', '0'],
  workers: ['2', '4'],
  expose: ['all', 'listed'],
  verify_keys: ['start', 'off'],
  token: ['first-token', 'second-token'],
  log_level: ['warn', 'silent'],
  log_values: ['true', 'false'],
  audit: ['stdout', '/var/log/audit.jsonl'],
  audit_failure: ['refuse', 'continue'],
  'metrics.host': ['127.0.0.1', '0.0.0.0'],
  'metrics.port': ['9464', '0'],
  'traces.endpoint': ['http://collector:4318', 'https://traces.example.com'],
  'traces.service_name': ['shop', 'stock'],
  'traces.sampler': ['always_on', 'traceidratio'],
  'traces.sample_ratio': ['0.25', '1'],
  'limits.max_page_size': ['50', '1'],
  'limits.max_up_to': ['1000', '9007199254740991'],
  'limits.max_reply_bytes': ['1000', '2000000'],
  'limits.query_timeout_ms': ['700', '20000'],
  'limits.exports': ['1', '16'],
  'limits.export_timeout_ms': ['700', '20000'],
  'limits.index_build_ms': ['5000', '90000'],
  'limits.drain_ms': ['0', '15000'],
};

const ROWS = SETTING_SOURCES.map((source) => [source.path.join('.'), source] as const);

describe('a setting of the table', () => {
  it.each(ROWS)('%s is read from its environment variable', async (key, { path, env }) => {
    for (const text of samples(key)) {
      const settings = await loadSettings({
        flags: {},
        env: { DATABASE_URL: 'postgres://db/x', [env]: text },
      });
      expect(String(valueAt(settings, path))).toBe(text);
    }
  });

  it.each(ROWS)(
    '%s: a flag wins over the environment, which wins over the file',
    async (key, { path, env, flag }) => {
      const [first, second] = samples(key);
      const config = settingsFile(yaml({ database: 'postgres://db/x' }, path, first));
      const fromEnv = await loadSettings({ flags: { config }, env: { [env]: second } });
      expect(String(valueAt(fromEnv, path))).toBe(second);
      const flags = flag === undefined ? { config } : { config, [flag]: first };
      const fromFlag = await loadSettings({ flags, env: { [env]: second } });
      expect(String(valueAt(fromFlag, path))).toBe(flag === undefined ? second : first);
    },
  );

  it.each(ROWS)('%s: an empty environment variable is not set', async (key, { path, env }) => {
    const [first] = samples(key);
    const config = settingsFile(yaml({ database: 'postgres://db/x' }, path, first));
    expect(
      String(valueAt(await loadSettings({ flags: { config }, env: { [env]: '' } }), path)),
    ).toBe(first);
  });

  it('has its own variable and its own flag, and a secret has no flag', () => {
    expect(new Set(SETTING_SOURCES.map(({ env }) => env)).size).toBe(SETTING_SOURCES.length);
    const flags = SETTING_SOURCES.flatMap(({ flag }) => flag ?? []);
    expect(new Set(flags).size).toBe(flags.length);
    expect(
      SETTING_SOURCES.filter(({ flag }) => flag === undefined).map(({ path }) => path),
    ).toEqual([['follow', 'url'], ['replicas'], ['token']]);
    expect(Object.keys(SAMPLES)).toEqual(ROWS.map(([key]) => key));
  });
});

const fileWithClaim = (id: string): string =>
  settingsFile(`database: postgres://db/x
tokens:
  - name: a
    sha256: ${'a'.repeat(64)}
    role: a
    claims:
      region: { id: 9007199254740991 }
      tenant: { ids: [1, ${id}] }
`);

describe('the settings', () => {
  it('need a database and nothing else, and have the defaults of settings.schema.json', async () => {
    const settings = await loadSettings({ flags: { database: 'sqlite:/x.db' }, env: {} });
    const schema = readFileSync(new URL('../settings.schema.json', import.meta.url), 'utf8');
    const defaults = defaultsOf(JSON.parse(schema) as Schema);
    expect(settings).toEqual({ database: 'sqlite:/x.db', ...defaults });
    expect(defaults).toMatchObject({ port: 3000, limits: { max_page_size: 1000 } });
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it('hold the models of the file', async () => {
    const config = settingsFile(
      'database: sqlite:/x.db\nmodels:\n  towns: { source: cities, key: [id], max_page_size: 5 }\n  empty: {}\n',
    );
    const { models } = await loadSettings({ flags: { config }, env: {} });
    expect(models).toEqual({
      towns: { source: 'cities', key: ['id'], max_page_size: 5 },
      empty: {},
    });
  });

  it('switch the change feed on by its URL, beside what the file says of it', async () => {
    const env = { FOLLOW_URL: 'postgres://feed@db/shop' };
    const followOf = async (text: string): Promise<unknown> => {
      const config = settingsFile(`database: postgres://db/shop\n${text}`);
      return (await loadSettings({ flags: { config }, env })).follow;
    };
    const url = env.FOLLOW_URL;
    expect(await followOf('')).toEqual({ url });
    expect(await followOf('follow: true')).toEqual({ url });
    expect(await followOf('follow: { publication: shop }')).toEqual({ publication: 'shop', url });
    expect(await followOf('follow: false')).toBe(false);
    expect(await followOf('follow: { snapshot_seconds: 0 }')).toEqual({ snapshot_seconds: 0, url });
  });

  it('refuse to follow a database that has no change feed, with the place and the remedy', async () => {
    const [sqlite, mariadb] = ['sqlite:/x.db', 'mariadb://db/x'].map((database) =>
      settingsFile(`database: ${database}\nfollow: {}\n`),
    );
    for (const config of [sqlite, mariadb]) {
      expect(await errorOf({ flags: { config }, env: {} })).toBe(
        `${config}:2: follow: only changes of a PostgreSQL server can be followed. Leave it out.`,
      );
    }
    const off = { database: 'sqlite:/x.db', follow: 'false' };
    expect((await loadSettings({ flags: off, env: {} })).follow).toBe(false);
  });

  it.each([
    ['follow: yes, please', 'follow: expected `true`, `false`, or a mapping'],
    ['follow: { url: "mysql://db/x" }', 'follow.url: expected a URL such as postgres://'],
    ['follow: { slot: x }', 'follow.slot: '],
  ])('refuse what is no description of a feed: %s', async (text, start) => {
    const config = settingsFile(`database: postgres://db/x\n${text}\n`);
    expect(await errorOf({ flags: { config }, env: {} })).toContain(`${config}:2: ${start}`);
  });

  it('refuse numbers in claims that the file cannot hold exactly, and take them in quotes', async () => {
    const config = fileWithClaim('9007199254740993');
    expect(await errorOf({ flags: { config }, env: {} })).toBe(
      `${config}:8: tokens.0.claims.tenant: ` +
        'expected no number beyond 9007199254740991. Write it in quotes',
    );
    const quoted = fileWithClaim('"9007199254740993"');
    const { tokens } = await loadSettings({ flags: { config: quoted }, env: {} });
    expect(tokens[0]?.claims).toMatchObject({ tenant: { ids: [1, '9007199254740993'] } });
  });

  it('take their file from CONFIG, unless a flag names another', async () => {
    const [one, two] = [
      settingsFile('database: sqlite:/1.db'),
      settingsFile('database: sqlite:/2.db'),
    ];
    expect((await loadSettings({ flags: {}, env: { CONFIG: one } })).database).toBe('sqlite:/1.db');
    expect((await loadSettings({ flags: { config: two }, env: { CONFIG: one } })).database).toBe(
      'sqlite:/2.db',
    );
    expect(
      (await loadSettings({ flags: {}, env: { CONFIG: '', DATABASE_URL: 'sqlite:/3.db' } }))
        .database,
    ).toBe('sqlite:/3.db');
  });

  it('without a database say how to give one', async () => {
    for (const env of [{}, { DATABASE_URL: '' }]) {
      expect(await errorOf({ flags: {}, env })).toMatch(
        /^database: none is given\. Pass --database .*DATABASE_URL/,
      );
    }
  });
});

describe('a value of the wrong kind is named with its place', () => {
  const database = 'postgres://db/x';
  it.each([
    [{ PORT: 'http' }, 'PORT: port: '],
    [{ PORT: '65536' }, 'PORT: port: '],
    [{ PORT: '-1' }, 'PORT: port: '],
    [{ PORT: '80.5' }, 'PORT: port: '],
    [{ PORT: ' 80' }, 'PORT: port: '],
    [{ PORT: '0x50' }, 'PORT: port: '],
    [{ PORT: '9'.repeat(30) }, 'PORT: port: '],
    [{ EXPOSE: 'everything' }, 'EXPOSE: expose: '],
    [{ FOLLOW: 'always' }, 'FOLLOW: follow: '],
    [{ FOLLOW_URL: 'db:5432' }, 'FOLLOW_URL: follow.url: '],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: log_level: '],
    [{ MAX_PAGE_SIZE: '0' }, 'MAX_PAGE_SIZE: limits.max_page_size: '],
    [{ QUERY_TIMEOUT_MS: '10s' }, 'QUERY_TIMEOUT_MS: limits.query_timeout_ms: '],
    [{ METRICS_PORT: '65536' }, 'METRICS_PORT: metrics.port: '],
    [{ DRAIN_MS: '-1' }, 'DRAIN_MS: limits.drain_ms: '],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint: expected a URL such as http://',
    ],
    [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG: traces.sample_ratio: '],
    [{ DYNAMIC_QUERY_ADMIN_TOKEN: 'two words' }, 'DYNAMIC_QUERY_ADMIN_TOKEN: token: '],
  ])('in the environment: %j', async (env, start) => {
    const message = await errorOf({ flags: {}, env: { DATABASE_URL: database, ...env } });
    expect(message.split('\n').filter((line) => !line.startsWith(start))).toEqual([]);
  });

  it('on the command line', async () => {
    expect(await errorOf({ flags: { database, port: 'x' }, env: { PORT: '80' } })).toMatch(
      /^--port: port: /,
    );
    expect(await errorOf({ flags: { database, 'log-level': 'x' }, env: {} })).toMatch(
      /^--log-level: log_level: /,
    );
  });

  it('all of them together', async () => {
    const message = await errorOf({ flags: { port: 'x' }, env: { EXPOSE: 'y', DRAIN_MS: 'z' } });
    expect(message.split('\n').map((line) => line.split(':', 1)[0])).toEqual([
      '--port',
      'EXPOSE',
      'DRAIN_MS',
      'database',
    ]);
  });

  it('as an error of its own class', async () => {
    await expect(loadSettings({ flags: {}, env: {} })).rejects.toBeInstanceOf(SettingsError);
  });
});

/** What a setting is where the file says nothing, or nothing of a part of it. */
function defaultsOf({ properties = {} }: Schema): object {
  const members = Object.entries(properties).flatMap(([key, setting]) => {
    if (setting.default === undefined) return [];
    return [[key, setting.properties ? defaultsOf(setting) : setting.default]];
  });
  return Object.fromEntries(members) as object;
}

function samples(key: string): readonly [string, string] {
  return present(SAMPLES[key]);
}

function valueAt(settings: Settings, path: SettingSource['path']): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);
}

/** A settings file with one more setting; the text is written as YAML would have it. */
function yaml(
  settings: Readonly<Record<string, string>>,
  [first = '', second]: SettingSource['path'],
  sample: string,
): string {
  const text = first === 'replicas' ? `[${sample}]` : sample;
  const lines = Object.entries(settings).flatMap(([key, value]) =>
    key === first ? [] : [`${key}: ${value}`],
  );
  return [
    ...lines,
    second === undefined ? `${first}: ${text}` : `${first}:\n  ${second}: ${text}`,
    '',
  ].join('\n');
}
