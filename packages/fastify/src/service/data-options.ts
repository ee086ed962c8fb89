import type { AnsweringEngine, DatabaseKind } from '@proj/engine';
import type * as z from 'zod';

import type { modelsSettings } from '../settings/models.ts';
import type { rolesSettings } from '../settings/roles.ts';

/** What can be served. */
export const ROUTE_NAMES = ['query', 'models', 'facets', 'export', 'watch', 'openapi'] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

/** Who asks, as the app knows it. */
export interface Caller {
  /** Names the caller in `onQuery`, and keeps callers apart where they wait for each other. */
  readonly id: string;
  /** One of `roles`; needed where there are any. */
  readonly role?: string;
  /** What `$claims` in the filters of the role stands for. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** One query, once its reply is out. */
export interface QueryReport {
  readonly principal: Caller;
  readonly model: string | null;
  readonly records: number;
  readonly milliseconds: number;
}

/** What is served, and to whom. */
export interface DataOptions<Origin> {
  /** URL of the database, such as `sqlite:/data/shop.db`; it is opened, and closed with the app. */
  readonly database?: string;
  /** The database packages that are installed, such as `[postgres]`; with `database`. */
  readonly kinds?: readonly DatabaseKind[];
  /**
   * The models by name, as in the settings file; `all` is every table that has a key. With
   * `database`.
   */
  readonly models?: 'all' | z.input<typeof modelsSettings>;
  /** An engine that the app has opened, and closes. */
  readonly engine?: AnsweringEngine;
  /**
   * What callers see, by the name of their role: as in the settings file, or the models alone.
   * Default: everything.
   */
  readonly roles?: Readonly<Record<string, RoleInput>> | undefined;
  /** Who asks; null for nobody, which is answered with 401. Long replies ask again each second. */
  readonly principal: (request: Origin) => Caller | null | Promise<Caller | null>;
  /** The `WWW-Authenticate` of a 401, such as `Bearer` (RFC 9110 §11.6.1). Default: none. */
  readonly challenge?: string;
  /** @default all of them */
  readonly routes?: readonly RouteName[];
  readonly onQuery?: (report: QueryReport) => void;
  readonly limits?: {
    /** The largest page size, where a model does not set its own. @default 1000 */
    readonly max_page_size?: number;
    /** How long a query may run, in milliseconds. @default 10_000 */
    readonly query_timeout_ms?: number;
  };
}

type RoleSettings = z.input<typeof rolesSettings>[string];

/** In short a role is its models alone. */
type RoleInput = RoleSettings | Exclude<RoleSettings['models'], string | readonly string[]>;
