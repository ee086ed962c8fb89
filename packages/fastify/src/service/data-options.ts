import type { AnsweringEngine, DatabaseKind } from '@proj/engine';
import * as z from 'zod';

import { limitSettings } from '../settings/limits.ts';
import { modelsSettings } from '../settings/models.ts';
import { rolesSettings } from '../settings/roles.ts';
import { aFunction, checkedOptions } from '../settings/setting-message.ts';
import { entriesOf, fromEntries, isRecord } from '../settings/mappings.ts';

const DATA_ROUTES = ['query', 'models', 'facets', 'export', 'watch', 'openapi'] as const;
const ROUTE_NAMES = [...DATA_ROUTES, 'explorer'] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

export interface Caller {
  /** Names the caller in `onQuery`, and separates the queues of callers. */
  readonly id: string;
  /** One of `roles`; required if there are any. */
  readonly role?: string;
  /** Values of `$claims` in the filters of the role. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface QueryReport {
  readonly principal: Caller;
  readonly model: string | null;
  readonly records: number;
  readonly milliseconds: number;
}

export interface DataOptions<Origin> {
  /** Precedes all paths, such as `/data`. @default '' */
  readonly prefix?: string;
  /** URL of the database, such as `sqlite:/data/shop.db`; opened and closed with the app. */
  readonly database?: string;
  /** The installed database packages, such as `[postgres]`; with `database`. */
  readonly kinds?: readonly DatabaseKind[];
  /** Models by name as in the settings file, or `all` tables with a key. With `database`. */
  readonly models?: 'all' | z.input<typeof modelsSettings>;
  /** An engine that the app has opened, and closes. */
  readonly engine?: AnsweringEngine;
  /** By role, as in the settings file or the models alone. Default: callers see everything. */
  readonly roles?: Readonly<Record<string, RoleSettings | RoleSettings['models']>> | undefined;
  /** Identifies the caller; null answers 401. Exports ask each second, watches every 15. */
  readonly principal: (request: Origin) => Caller | null | Promise<Caller | null>;
  /** The `WWW-Authenticate` of a 401, such as `Bearer` (RFC 9110 §11.6.1). Default: none. */
  readonly challenge?: string;
  /** @default all but `explorer`, which needs the package `@proj/explorer` */
  readonly routes?: readonly RouteName[];
  readonly onQuery?: (report: QueryReport) => void;
  /** As in the settings file, with `database`. @default 1000 records a page, 10 seconds a query */
  readonly limits?: z.input<typeof limitSettings>;
}

type RoleSettings = z.input<typeof rolesSettings>[string];

const passed = z.any().optional();

/** Refuses what it doesn't know: without `roles` every caller sees everything. */
const optionsSchema = z.strictObject({
  prefix: z.string().optional(),
  database: z.string().optional(),
  kinds: z.array(z.any()).optional(),
  models: z
    .union(
      [z.literal('all'), modelsSettings],
      'expected `all`, a list of models, or a mapping of models by name',
    )
    .optional(),
  engine: passed,
  roles: rolesSettings.optional(),
  principal: aFunction,
  challenge: z.string().optional(),
  // All but the page, which is a package of its own.
  routes: z.array(z.enum(ROUTE_NAMES)).default([...DATA_ROUTES]),
  onQuery: aFunction.optional(),
  limits: limitSettings.optional(),
  // Of the plugin and of Fastify's `register`.
  decorator: z.string().optional(),
  logLevel: passed,
  logSerializers: passed,
} satisfies Record<keyof DataOptions<never>, z.ZodType> & Record<string, z.ZodType>);

type Read = 'models' | 'roles' | 'routes' | 'limits';
export type ReadOptions<Origin> = Omit<DataOptions<Origin>, Read> &
  Pick<z.output<typeof optionsSchema>, Read>;

/** @throws {SettingsError} naming each mistake by its place */
export function readOptions<Origin>(options: DataOptions<Origin>): ReadOptions<Origin> {
  const roles = entriesOf(options.roles)?.map(([name, role]) => {
    const isInFull = isRecord(role) && Object.hasOwn(role, 'models');
    return [name, isInFull ? role : { models: role }] as const;
  });
  const given = { ...options, ...(roles && { roles: fromEntries(roles) }) };
  return checkedOptions(optionsSchema, given) as ReadOptions<Origin>;
}
