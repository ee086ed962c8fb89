import type { AnsweringEngine, DatabaseKind } from '@proj/engine';
import type * as z from 'zod';

import type { modelsSettings } from '../settings/models.ts';
import type { rolesSettings } from '../settings/roles.ts';

const DATA_ROUTES = ['query', 'models', 'facets', 'export', 'watch', 'openapi'] as const;
export const ROUTE_NAMES = [...DATA_ROUTES, 'explorer'] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

/** All but the page, which is a package of its own. */
export const DEFAULT_ROUTES: readonly RouteName[] = DATA_ROUTES;

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
  /** URL of the database, such as `sqlite:/data/shop.db`; opened and closed with the app. */
  readonly database?: string;
  /** The installed database packages, such as `[postgres]`; with `database`. */
  readonly kinds?: readonly DatabaseKind[];
  /** Models by name as in the settings file, or `all` tables with a key. With `database`. */
  readonly models?: 'all' | z.input<typeof modelsSettings>;
  /** An engine that the app has opened, and closes. */
  readonly engine?: AnsweringEngine;
  /** By role, as in the settings file or the models alone. Default: callers see everything. */
  readonly roles?: Readonly<Record<string, RoleInput>> | undefined;
  /** Identifies the caller; null answers 401. Long replies ask again each second. */
  readonly principal: (request: Origin) => Caller | null | Promise<Caller | null>;
  /** The `WWW-Authenticate` of a 401, such as `Bearer` (RFC 9110 §11.6.1). Default: none. */
  readonly challenge?: string;
  /** @default all but `explorer`, which needs the package `@proj/explorer` */
  readonly routes?: readonly RouteName[];
  readonly onQuery?: (report: QueryReport) => void;
  readonly limits?: {
    /** Where a model does not set its own. @default 1000 */
    readonly max_page_size?: number;
    /** In milliseconds. @default 10_000 */
    readonly query_timeout_ms?: number;
  };
}

/** Also those of the plugin, of `createHandler` and of Fastify's `register`. */
export const OPTIONS = {
  database: true,
  kinds: true,
  models: true,
  engine: true,
  roles: true,
  principal: true,
  challenge: true,
  routes: true,
  onQuery: true,
  limits: true,
  prefix: true,
  decorator: true,
  logLevel: true,
  logSerializers: true,
} as const satisfies Record<
  keyof DataOptions<never> | 'prefix' | 'decorator' | 'logLevel' | 'logSerializers',
  true
>;

type RoleSettings = z.input<typeof rolesSettings>[string];

/** In short a role is its models alone. */
type RoleInput = RoleSettings | Exclude<RoleSettings['models'], string | readonly string[]>;
