/** Settings of a session, or of a transaction, by name. */
export type SessionSettings = ReadonlyMap<string, string>;

/**
 * What every statement runs under, where the server knows the setting: a role or a database may
 * have others, which would cost exactness.
 */
export const STATEMENT_SETTINGS: SessionSettings = new Map([
  // Behind a table that somebody alters, queries must not queue up.
  ['lock_timeout', '2000'],
  // The server notices by itself that a caller's connection is closed, and stops the statement.
  ['client_connection_check_interval', '1000'],
  // A page has an expression for each attribute; compiling them takes longer than running them.
  ['jit', 'off'],
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, MDY'],
  ['intervalstyle', 'postgres'],
  ['extra_float_digits', '1'],
  ['bytea_output', 'hex'],
  ['standard_conforming_strings', 'on'],
]);

/** Means nothing to the server. A session that has it was started with our settings. */
export const MARKER = 'dynamic_query.session';

/** What a session is set to beside, where it is ours alone. */
export const OWN_SESSION_SETTINGS: SessionSettings = new Map([
  ['default_transaction_read_only', 'on'],
  [MARKER, 'on'],
]);

/**
 * The start-up parameter `options`, by which a session has its settings from its first moment:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-OPTIONS
 *
 * @param options those of the operator, over which ours win
 */
export function startUpOptions(settings: SessionSettings, options = ''): string {
  const ours = [...settings].map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
  );
  return [options, ...ours].join(' ').trim();
}

/**
 * Which statements of a transaction see one state: a single one, whose snapshot is taken when it
 * has locked what it reads, or all of them, whose snapshot the first one takes before it locks.
 */
export type Isolation = 'read committed' | 'repeatable read';

/**
 * Opens a transaction that reads, with settings that end with it. `set` takes no snapshot, so that
 * locks may come first.
 */
export function beginStatement(settings: SessionSettings, isolation: Isolation): string {
  const set = [...settings].map(([name, value]) => `; set local ${name} = '${value}'`);
  return `begin isolation level ${isolation} read only${set.join('')}`;
}

/** How much later than the engine the database itself stops a statement. */
const BACKSTOP_MS = 1000;

/**
 * The `statement_timeout`, in milliseconds, for a query with a time limit: an administrator's own
 * stays where it is smaller.
 */
export function statementTimeout(timeLimitMs: number, administratorsMs: number): number {
  const backstop = Math.ceil(timeLimitMs) + BACKSTOP_MS;
  return administratorsMs > 0 ? Math.min(administratorsMs, backstop) : backstop;
}

/** What of a session lasts from one statement to the next, and what has to be said for each. */
export interface SessionTerms {
  /**
   * Whether the next statement meets the same session, with its settings and its prepared
   * statements.
   */
  readonly isOwn: boolean;
  /** What each transaction has to set; nothing where the session is set up. */
  readonly settings: SessionSettings;
  /** The session's `statement_timeout` in milliseconds; 0 where it is set with each transaction. */
  readonly timeoutMs: number;
  /**
   * The `statement_timeout` that the administrator gave the role, the database or the server; 0 is
   * none.
   */
  readonly administratorsMs: number;
}

/** How the statements of a query are sent under the terms of a session. */
export interface StatementTerms {
  /** Whether statements may keep their plans under a name. */
  readonly keepsPlans: boolean;
  /** Whether a single statement needs a transaction of its own. */
  readonly needsTransaction: boolean;
  /** What opens a transaction. */
  readonly begin: string;
  /** After so many milliseconds the database itself stops a statement. */
  readonly timeoutMs: number;
}

export function statementTerms(
  session: SessionTerms,
  timeLimitMs: number,
  isolation: Isolation,
): StatementTerms {
  const wanted = statementTimeout(timeLimitMs, session.administratorsMs);
  const isSet = session.isOwn && wanted <= session.timeoutMs;
  const settings = isSet
    ? session.settings
    : new Map([...session.settings, ['statement_timeout', String(wanted)]]);
  return {
    keepsPlans: session.isOwn,
    needsTransaction: !isSet,
    begin: beginStatement(settings, isolation),
    timeoutMs: isSet ? session.timeoutMs : wanted,
  };
}
