import {
  limitSettings,
  milliseconds,
  modelsSettings,
  named,
  positive,
  roleSettings,
} from '@proj/fastify/settings';
import * as z from 'zod';

import { tokenSettings } from './groups/tokens.ts';
import { accelerationSettings } from './groups/acceleration.ts';
import { brandingSettings } from './groups/branding.ts';
import { databaseIssues, databasesSettings, PER_DATABASE } from './groups/databases.ts';
import { followSettings } from './groups/follow.ts';
import { jwtIssuers } from './groups/jwt.ts';
import { oidcIssuerError, oidcSettings } from './groups/oidc.ts';
import { originSetting } from './groups/origin.ts';
import { rateLimitSettings } from './groups/rate-limits.ts';
import { replicaSettings } from './groups/replicas.ts';
import { tracesSettings } from './groups/traces.ts';

const host = z.string().min(1).default('127.0.0.1');
const port = z.int().min(0).max(65_535);

const ip = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'expected an IP address or range');

const size = z.string().regex(/^\d+ ?([KMGT]i?)?B$/, 'expected a size such as 2GB');

const address = z.string().regex(/^[^\s,/]+:\d{1,5}$/, 'expected an address such as 10.0.0.7:5432');

const settingsMembers = z.strictObject({
  database: z.string().min(1),
  files: z.string().min(1).optional(),
  duckdb: z
    .strictObject({
      memory: size.default('1GB'),
      threads: z.int().min(1).max(1024).optional(),
      spill_folder: z.string().min(1).optional(),
      spill: size.default('10GB'),
    })
    .prefault({}),
  startup: z.enum(['wait', 'exit']).default('wait'),
  pooler: z.enum(['auto', 'none', 'transaction']).default('auto'),
  follow: followSettings.optional(),
  cluster: z
    .strictObject({
      cut: z.enum(['auto', 'validated', 'locked', 'none']).default('auto'),
      addresses: named(address, address).optional(),
    })
    .optional(),
  replicas: replicaSettings.optional(),
  host,
  port: port.default(3000),
  workers: z
    .union([positive.max(64), z.literal('auto')], 'expected a whole number from 1 to 64, or `auto`')
    .default(1),
  expose: z.enum(['listed', 'all']).default('listed'),
  models: modelsSettings.default({}),
  verify_keys: z.enum(['background', 'start', 'off']).default('background'),
  token: z
    .string()
    .regex(
      /^[A-Za-z0-9._~+/-]+=*$/,
      'expected the characters of a bearer token (RFC 6750 §2.1): letters, digits, - . _ ~ + /',
    )
    .optional(),
  roles: named(z.string(), roleSettings).default({}),
  tokens: z.array(tokenSettings).default([]),
  log_level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  log_values: z.boolean().default(false),
  jwt: jwtIssuers,
  oidc: oidcSettings.optional(),
  rate_limits: rateLimitSettings.prefault({}),
  cors_origins: z.array(originSetting).default([]),
  trust_proxy: z.array(ip).default([]),
  audit: z.string().min(1).optional(),
  audit_failure: z.enum(['continue', 'refuse']).default('continue'),
  explorer: z.boolean().default(true),
  mcp: z.boolean().default(false),
  public_url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).optional(),
  branding: brandingSettings.prefault({}),
  // A separate listener, so that callers cannot reach the metrics.
  metrics: z.strictObject({ host, port: port.default(9464) }).optional(),
  traces: tracesSettings.optional(),
  acceleration: accelerationSettings.prefault({}),
  limits: z
    .strictObject({
      max_page_size: limitSettings.shape.max_page_size,
      max_up_to: positive.default(1_000_000),
      max_reply_bytes: positive.max(2 ** 28).default(64 * 2 ** 20),
      reply_memory_mb: positive.optional(),
      max_unsent_bytes: positive.default(256 * 2 ** 20),
      max_unsent_bytes_per_token: positive.default(64 * 2 ** 20),
      send_timeout_ms: milliseconds.default(30_000),
      query_timeout_ms: limitSettings.shape.query_timeout_ms,
      exports: positive.default(2),
      export_timeout_ms: milliseconds.default(600_000),
      watches: positive.default(10_000),
      watch_check_ms: z.int().min(100).max(3_600_000).default(1000),
      watch_read_ms: z.int().min(1000).max(3_600_000).default(10_000),
      index_build_ms: milliseconds.default(60_000),
      drain_ms: z.int().min(0).default(0),
    })
    .prefault({}),
});

const perDatabase = settingsMembers.pick(PER_DATABASE);

const { database, ...otherMembers } = settingsMembers.shape;

/** The YAML file. What each setting means is in `settings.schema.json`. */
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
