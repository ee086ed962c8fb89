import { limitSettings, modelsSettings, named, roleSettings } from '@proj/fastify/settings';
import * as z from 'zod';

import { tokenSettings } from './groups/tokens.ts';
import { accelerationSettings } from './groups/acceleration.ts';
import { brandingSettings } from './groups/branding.ts';
import { SETTING_EXAMPLES } from './groups/examples.ts';
import { clusterSettings } from './groups/cluster.ts';
import { duckdbSettings } from './groups/duckdb.ts';
import { databaseIssues, databasesSettings, PER_DATABASE } from './groups/databases.ts';
import { followSettings } from './groups/follow.ts';
import { jwtIssuers } from './groups/jwt.ts';
import { oidcIssuerError, oidcSettings } from './groups/oidc.ts';
import { rateLimitSettings } from './groups/rate-limits.ts';
import { replicaSettings } from './groups/replicas.ts';
import { tracesSettings } from './groups/traces.ts';

const positive = z.int().min(1);

/** A separate listener, so that callers cannot reach the metrics. */
const metricsSettings = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'Address on which `GET /metrics` answers Prometheus, once `metrics` is set. ' +
        'It asks for no token: keep it from the public.',
    ),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(9464)
    .describe(
      'TCP port on which `GET /metrics` answers, once `metrics` is set (`metrics: ' +
        '{}` will do); 0 takes a free one, which is printed at the start. Without `metrics` ' +
        'nothing is counted.',
    ),
});

const settingsMembers = z.strictObject({
  database: z
    .string()
    .min(1)
    .describe('URL of the database: `sqlite:/data/shop.db`. It is only read.'),
  files: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Parquet, CSV and JSON files that `database: "duckdb:"` shows, beside those of `models`: a ' +
        "folder, or a pattern such as `'./data/*.parquet'`. Each file, and each folder of a " +
        'folder, is a model whose key is the number of the row. See docs/guides/files.md; ' +
        'a change needs a restart.',
    ),
  duckdb: duckdbSettings
    .prefault({})
    .describe(
      'What `duckdb:` may take of the machine, within the process of the service; ' +
        'a change needs a restart.',
    ),
  startup: z
    .enum(['wait', 'exit'])
    .default('wait')
    .describe(
      'What happens when the database server does not answer at the start. `wait`: the service ' +
        'listens, `/readyz` fails and queries get 503 until it answers; `exit`: the process ' +
        'ends with 1. A wrong login, a database that does not exist and a SQLite file that is ' +
        'not there end it in any case.',
    ),
  pooler: z
    .enum(['auto', 'none', 'transaction'])
    .default('auto')
    .describe(
      'What is between the service and PostgreSQL. `auto` finds out; `none`: ' +
        'nothing, or a pooler in session mode that passes start-up parameters on; ' +
        '`transaction`: a pooler such as PgBouncer. See docs/databases.md.',
    ),
  follow: followSettings
    .optional()
    .describe(
      'Whether the changes of a PostgreSQL server are followed, so that totals and deep pages ' +
        'of its tables stay quick while they are written; not by default. ' +
        '`dynamic-query check` says what the server needs. See docs/guides/follow-changes.md; ' +
        'a change needs a restart.',
    ),
  cluster: clusterSettings
    .optional()
    .describe(
      'How tables are read that Citus distributes over several servers: see docs/databases.md; ' +
        'a change needs a restart.',
    ),
  replicas: replicaSettings
    .optional()
    .describe(
      'Replicas of a PostgreSQL or MariaDB server, a list of URLs. Queries that may cost the ' +
        'database much go to them, for roles with `replicas: allowed` only. ' +
        'See docs/guides/read-replicas.md; a change needs a restart.',
    ),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on. Beyond loopback a token must be set.'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(3000)
    .describe('TCP port to listen on; 0 takes a free one.'),
  workers: z
    .union(
      [z.int().min(1).max(64), z.literal('auto')],
      'expected a whole number from 1 to 64, or `auto`',
    )
    .default(1)
    .describe(
      'How many processes answer on the port; `auto`: one for each processor core. ' +
        'Limits hold for all of them together. See docs/guides/use-all-cores.md; ' +
        'a change needs a restart.',
    ),
  expose: z
    .enum(['listed', 'all'])
    .default('listed')
    .describe(
      '`listed`: only what `models` names. `all`: every table and view that has a unique key.',
    ),
  models: modelsSettings
    .default({})
    .describe(
      'The models by name, or a list of those that are shown as they are; ' +
        'what is said here wins over what the database says.',
    )
    .meta({ examples: [SETTING_EXAMPLES.models] }),
  verify_keys: z
    .enum(['background', 'start', 'off'])
    .default('background')
    .describe(
      'When it is checked that a `key` of `models` is unique, which reads its relation: ' +
        '`background`: after the start and after each reload, ' +
        'and one that is not is logged and counted; `start`: ' +
        'before the start already, and one that is not ends it; ' +
        '`--verify-keys` alone means this.',
    ),
  token: z
    .string()
    .regex(
      /^[A-Za-z0-9._~+/-]+=*$/,
      'expected the characters of a bearer token (RFC 6750 §2.1): letters, digits, - . _ ~ + /',
    )
    .optional()
    .describe('A bearer token that may read every exposed model. Keep it in the environment.'),
  roles: named(z.string(), roleSettings)
    .default({})
    .describe('What tokens may see, by role. See docs/access.md.')
    .meta({ examples: [SETTING_EXAMPLES.roles] }),
  tokens: z
    .array(tokenSettings)
    .default([])
    .describe('The tokens that were handed out, as `dynamic-query token create` prints them.')
    .meta({ examples: [SETTING_EXAMPLES.tokens] }),
  log_level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('What is logged, as JSON lines on standard output.'),
  log_values: z
    .boolean()
    .default(false)
    .describe(
      'Whether the log has what the database says where data or a policy fail (`data_error`, ' +
        '`policy_failed`), which may quote values of rows. By default it has the code of the ' +
        'error; a change needs a restart.',
    ),
  jwt: jwtIssuers
    .describe('Identity providers whose access tokens are taken.')
    .meta({ examples: [SETTING_EXAMPLES.jwt] }),
  oidc: oidcSettings
    .optional()
    .describe(
      'Where people sign in to the explorer by OpenID Connect; without it they paste a token. ' +
        'See docs/guides/sign-in.md.',
    ),
  rate_limits: rateLimitSettings.prefault({}).describe('How much callers may ask for.'),
  cors_origins: z
    .array(z.url())
    .default([])
    .describe(
      'Origins whose pages may call the service from a browser, ' +
        'such as `https://app.example.com`; none by default.',
    ),
  trust_proxy: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
    .default([])
    .describe(
      'Addresses or networks of proxies whose `X-Forwarded-For` is believed; none by default.',
    ),
  audit: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where one line for each query goes: `stdout`, or the path of a file. ' +
        'Without it there is none.',
    ),
  audit_failure: z
    .enum(['continue', 'refuse'])
    .default('continue')
    .describe(
      'While no audit line can be written: queries go on unrecorded, ' +
        'or are refused with 503. See docs/access.md.',
    ),
  explorer: z
    .boolean()
    .default(true)
    .describe(
      'Whether `/` shows the explorer: a page on which the holder of a token looks at any ' +
        'model that the token may see.',
    ),
  mcp: z
    .boolean()
    .default(false)
    .describe(
      'Whether `/mcp` serves the models to agents, by the Model Context Protocol, each as the ' +
        'holder of its token. See docs/guides/agents.md; a change needs a restart.',
    ),
  public_url: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .optional()
    .describe(
      'Where callers reach the service, such as `https://example.com/data`: the `type` of ' +
        'problems and the OpenAPI documents begin with it. `/mcp` answers at ' +
        'its host and at loopback addresses only; a change needs a restart.',
    ),
  branding: brandingSettings
    .prefault({})
    .describe('How the explorer calls itself and looks; a change needs a restart.'),
  metrics: metricsSettings
    .optional()
    .describe('Where Prometheus reads metrics. Without it nothing is counted.'),
  traces: tracesSettings
    .optional()
    .describe('Where traces of requests go; a change needs a restart.'),
  acceleration: accelerationSettings
    .prefault({})
    .describe(
      'The access paths of pages. Every reply is exact whatever is said here; ' +
        'a change needs a restart.',
    ),
  limits: z
    .strictObject({
      max_page_size: limitSettings.shape.max_page_size,
      max_up_to: positive
        .default(1_000_000)
        .describe(
          'To how many records a caller may have a total counted that is not wanted exactly: ' +
            "the largest `up_to` of a request's `query_total`.",
        ),
      max_reply_bytes: positive
        .max(2 ** 28)
        .default(64 * 2 ** 20)
        .describe(
          'How many bytes the records of one page may take as JSON, ' +
            'white space inside `json` columns included. ' +
            'A larger page is refused as `reply_too_large` before the service holds it; ' +
            'a change needs a restart.',
        ),
      reply_memory_mb: positive
        .optional()
        .describe(
          'What large replies under way may take in memory together, in MiB, from their arrival ' +
            'from the database until they are sent, four times their length each. Beyond, they ' +
            'wait for up to two seconds, then they get 503. ' +
            'By default 40 % of the memory that the process may use, and at least four times ' +
            '`max_reply_bytes`. Workers share it in equal parts; a change needs a restart.',
        ),
      max_unsent_bytes: positive
        .default(256 * 2 ** 20)
        .describe(
          'How many bytes of large replies may wait to be read in all; ' +
            'beyond, queries get 503. A change needs a restart.',
        ),
      max_unsent_bytes_per_token: positive
        .default(64 * 2 ** 20)
        .describe(
          'How many bytes of large replies may wait for one token; ' +
            'beyond, its queries get 429. A change needs a restart.',
        ),
      send_timeout_ms: positive
        .max(2 ** 31 - 1)
        .default(30_000)
        .describe(
          'How long a connection may take nothing of its reply, in milliseconds, ' +
            'before it is closed. A change needs a restart.',
        ),
      query_timeout_ms: limitSettings.shape.query_timeout_ms,
      exports: positive
        .default(2)
        .describe(
          'How many exports run at once, over all workers; each worker runs one in any case. ' +
            'Each holds a connection of its own and a snapshot. Others wait up to ten seconds, ' +
            'then they get 503. Of those of a worker, one token runs all but one at most, and ' +
            'half while others export too, but one in any case. A change needs a restart.',
        ),
      export_timeout_ms: positive
        .max(2 ** 31 - 1)
        .default(600_000)
        .describe(
          'How long one export may take, in milliseconds, until its caller has read all of it; ' +
            'then it is cut. Of a SQLite file without a write-ahead log, whose writers wait for ' +
            'readers, no longer than `query_timeout_ms`. A change needs a restart.',
        ),
      watches: positive
        .default(10_000)
        .describe(
          'How many lists may be watched at once in all; beyond, watches get 503. Workers share ' +
            'it in equal parts. Of those of a worker, one token watches all but one at most, but ' +
            'one in any case. A change needs a restart.',
        ),
      watch_check_ms: z
        .int()
        .min(100)
        .max(3_600_000)
        .default(1000)
        .describe(
          'How often the database is asked for the version of its data while lists are watched, ' +
            'in milliseconds, where their changes are not followed (`follow`). A change needs a ' +
            'restart.',
        ),
      watch_read_ms: z
        .int()
        .min(1000)
        .max(3_600_000)
        .default(10_000)
        .describe(
          'How often the total and the first 100 records of a watched list are read, in ' +
            'milliseconds, where the database tells no version of what it reads: once for all ' +
            'who watch it and may see the same. A change needs a restart.',
        ),
      index_build_ms: positive
        .max(2 ** 31 - 1)
        .default(60_000)
        .describe(
          'How long building one index of deep pages may take, in milliseconds, with the pauses ' +
            'between its short statements. It ends at once when the data changes. One that takes ' +
            'longer is given up, and tried again after at least four times as long. An order ' +
            'that no index of the database has gets none, unless the list can be sorted in ' +
            'memory: 32 MiB, no more than `work_mem` on PostgreSQL, `sort_buffer_size` on ' +
            'MariaDB.',
        ),
      drain_ms: z
        .int()
        .min(0)
        .default(0)
        .describe(
          'How long a stopping server still serves, in milliseconds, ' +
            'after `/readyz` has fallen. Set it above the time that your balancer takes to ' +
            'notice.',
        ),
    })
    .prefault({})
    .describe('How long and how large anything may be.'),
});

const perDatabase = settingsMembers.pick(PER_DATABASE);

const { database, ...otherMembers } = settingsMembers.shape;

/** The YAML file. Source of documentation and defaults. */
export const settingsSchema = z
  .strictObject({
    database: database.optional(),
    databases: databasesSettings(perDatabase.shape).optional(),
    ...otherMembers,
  })
  .refine((settings) => settings.database !== undefined || settings.databases !== undefined, {
    path: ['database'],
    // Beside other errors too.
    when: ({ value }) => typeof value === 'object' && value !== null,
    error: 'expected a URL',
  })
  .check(({ value: { oidc, jwt }, issues }) => {
    const message = oidc && oidcIssuerError(oidc, jwt);
    if (message !== undefined)
      issues.push({ code: 'custom', input: oidc, path: ['oidc', 'issuer'], message });
  })
  .check(({ value, issues }) => {
    for (const { path, message } of databaseIssues(value, perDatabase.parse({})))
      issues.push({ code: 'custom', input: value, path: [...path], message });
  });

export const addressSchema = settingsMembers.pick({ host: true, port: true });

export type Settings = z.output<typeof settingsSchema>;
