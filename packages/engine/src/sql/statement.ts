import type { DatabaseSession } from '../catalogue/database-session.ts';
import type { RelationPath } from '../catalogue/relation.ts';

/** As whom a statement reads, and what a transaction that it is part of begins with. */
export interface StatementSession extends Pick<DatabaseSession, 'settings'> {
  /** Undefined where that is the service. */
  readonly role: string | undefined;
  /** Locks what is read, with what policies read; undefined where nothing of it can be locked. */
  readonly lock: Statement | undefined;
  /**
   * Whether policies have part in the version: it holds only where that of the data is still the
   * same after the read.
   */
  readonly endsWithVersion: boolean;
  /** The numbers of the functions that policies call, in the words of the source. */
  readonly calls: readonly string[];
  /**
   * Whether policies may read tables that are not locked, as functions do: those of one snapshot
   * may be emptied then while it is read.
   */
  readonly readsUnlocked: boolean;
  /**
   * The tables on several servers that are read, which the transaction meets in one state of all
   * servers or not at all. Empty where there are none.
   */
  readonly cut: readonly RelationPath[];
  /** Undefined where more is read to decide which rows are shown. */
  readonly shownBy?: ShownBy | undefined;
  /** The exported snapshot that the transaction imports. Default: it has one of its own. */
  readonly snapshot?: string | undefined;
}

/** By what it is decided which rows of a relation a caller is shown, beside the row itself. */
export interface ShownBy {
  /** As in `RoleAccess`; undefined where all rows are shown to everybody. */
  readonly definition: string | undefined;
  /** The settings by which it is decided, with their values. */
  readonly settings: Readonly<Record<string, string>>;
}

/** How records that come in rows of their own are made one text. */
export interface CollectedRecords {
  /** Whether the last of them comes first. */
  readonly reversed: boolean;
  /** A longer text is none. */
  readonly maxBytes: number;
}

/** SQL text with its parameters, ready to send. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Which relations it reads, for those who follow statements; absent where it is none. */
  readonly relations?: readonly RelationPath[] | undefined;
  /**
   * What a transaction around it begins with, where functions that it calls are to see the snapshot
   * that it sees itself.
   */
  readonly lock?: Statement | undefined;
  /** The part of the text without which its version does not cover how relations are defined. */
  readonly proof?: string | undefined;
  /** Undefined where that is the service. */
  readonly session?: StatementSession | undefined;
  /** Set where each row that it selects is one record. */
  readonly collects?: CollectedRecords | undefined;
}

/** A place in a statement's parameters whose value is bound for each page. */
export type Placeholder =
  | { readonly placeholder: 'limit' | 'offset' | 'count' }
  | { readonly placeholder: 'key'; readonly index: number };

/**
 * SQL text some of whose parameters are placeholders. It is plain data, so that it can travel to
 * another process.
 */
export interface Template {
  readonly sql: string;
  /** Values, and {@link Placeholder}s. */
  readonly parameters: readonly unknown[];
  /** As in {@link Statement}. */
  readonly relations?: readonly RelationPath[] | undefined;
  /** As in {@link Statement}. */
  readonly lock?: Statement | undefined;
  /** As in {@link Statement}. */
  readonly proof?: string | undefined;
  /** As in {@link Statement}. */
  readonly session?: StatementSession | undefined;
  /** As in {@link Statement}. */
  readonly collects?: CollectedRecords | undefined;
}

/** The values of the placeholders, in the form in which the database binds them. */
export interface Bindings {
  readonly limit: unknown;
  readonly offset: unknown;
  /** How many records are counted at most, for templates that count to a limit. */
  readonly count?: unknown;
  /** The values of the key to seek, for templates that seek one. */
  readonly key?: readonly unknown[];
}

export const LIMIT: Placeholder = Object.freeze({ placeholder: 'limit' });
export const OFFSET: Placeholder = Object.freeze({ placeholder: 'offset' });
export const COUNT: Placeholder = Object.freeze({ placeholder: 'count' });

/** The statement that a template makes. */
export function bind(template: Template, bindings: Bindings): Statement {
  const { sql, parameters, relations, lock, proof, session, collects } = template;
  return {
    sql,
    relations,
    ...(lock && { lock }),
    ...(proof !== undefined && { proof }),
    ...(session && { session }),
    ...(collects && { collects }),
    parameters: parameters.map((parameter) =>
      isPlaceholder(parameter) ? valueOf(parameter, bindings) : parameter,
    ),
  };
}

function valueOf(placeholder: Placeholder, { key = [], ...range }: Bindings): unknown {
  return placeholder.placeholder === 'key'
    ? key[placeholder.index]
    : range[placeholder.placeholder];
}

function isPlaceholder(parameter: unknown): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && 'placeholder' in parameter;
}
