import type { RawBuilder } from 'kysely';

import type { DatabaseSession } from '../catalogue/database-session.ts';
import type { RelationPath } from '../catalogue/relation.ts';

export type Expression = RawBuilder<unknown>;

/** Whom a statement reads as, and how its transaction begins. */
export interface StatementSession extends Pick<DatabaseSession, 'settings'> {
  /** Undefined for the service. */
  readonly role: string | undefined;
  /** Locks what is read, also by policies; undefined where nothing can be locked. */
  readonly lock: Statement | undefined;
  /** Whether policies affect the version: it must be unchanged after the read. */
  readonly endsWithVersion: boolean;
  /** Functions that policies call, in the source's words. */
  readonly calls: readonly string[];
  /** Whether policies may read unlocked tables, which may be emptied under a snapshot. */
  readonly readsUnlocked: boolean;
  /** Tables on several servers, read in one state of all or not at all. */
  readonly cut: readonly RelationPath[];
  /** Undefined where other data decides which rows are shown. */
  readonly shownBy?: ShownBy | undefined;
  /** An exported snapshot to import. Default: its own. */
  readonly snapshot?: string | undefined;
}

/** What decides, beside a row itself, whether a caller is shown it. */
export interface ShownBy {
  /** As in `RoleAccess`; undefined where everybody is shown all rows. */
  readonly definition: string | undefined;
  /** Settings that decide it, with their values. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Plain data that can travel to another process. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly relations?: readonly RelationPath[] | undefined;
  /** Begins a transaction around it, so that functions it calls see its snapshot. */
  readonly lock?: Statement | undefined;
  /** Text that ties its version to how relations are defined. */
  readonly proof?: string | undefined;
  readonly session?: StatementSession | undefined;
  /** As in {@link StatementTerms}. */
  readonly mayCall?: boolean | undefined;
  readonly collects?: { readonly reversed: boolean; readonly maxBytes: number } | undefined;
}

/** A parameter that is bound for each page. */
export type Placeholder =
  | { readonly placeholder: 'limit' | 'offset' | 'count' }
  | { readonly placeholder: 'key'; readonly index: number };

/** With {@link Placeholder}s among its parameters. */
export type Template = Statement;

export interface Bindings {
  readonly limit: unknown;
  readonly offset: unknown;
  readonly count?: unknown;
  readonly key?: readonly unknown[];
}

export const LIMIT: Placeholder = Object.freeze({ placeholder: 'limit' });
export const OFFSET: Placeholder = Object.freeze({ placeholder: 'offset' });
export const COUNT: Placeholder = Object.freeze({ placeholder: 'count' });

export function bind(template: Template, { key = [], ...range }: Bindings): Statement {
  const parameters = template.parameters.map((one) => {
    if (!isPlaceholder(one)) return one;
    return one.placeholder === 'key' ? key[one.index] : range[one.placeholder];
  });
  return { ...template, parameters };
}

function isPlaceholder(parameter: unknown): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && 'placeholder' in parameter;
}
