import type { Statement } from '@proj/engine/database';

import { quoted } from '../values/sql-text.ts';
import { RELIED_SETTINGS, type ReliedSetting } from './settings.ts';

/** A statement, and how a session runs it. */
export interface SessionStatement {
  readonly statement: Statement;
  /** Whether the session keeps the statement's plan. */
  readonly named: boolean;
}

/** Settings of a session, or of a transaction, by name. Undefined: what the session began with. */
export type SessionSettings = ReadonlyMap<string, string | undefined>;

/** Settings with the values that they are given. */
export type GivenSettings = ReadonlyMap<string, string>;

/** What every statement that reads runs under. */
export const STATEMENT_SETTINGS = given(({ place }) => place !== 'own session');

/** What a session is set to beside, where it is ours alone. */
export const OWN_SESSION_SETTINGS = given(({ place }) => place === 'own session');

/** What the connections of the feed run under, whose values have to look as those that are read. */
export const FEED_SETTINGS = given(({ place }) => place === 'everywhere');

/** What a session begins with, and a pooler's session may have lost. */
export const KEPT_SETTINGS: SessionSettings = new Map(
  RELIED_SETTINGS.filter(({ value }) => value === undefined).map(({ name }) => [name, undefined]),
);

function given(isChosen: (setting: ReliedSetting) => boolean): GivenSettings {
  const chosen = RELIED_SETTINGS.filter(isChosen);
  return new Map(chosen.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/**
 * The start-up parameter `options`, by which a session has its settings from its first moment:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-OPTIONS
 *
 * @param options those of the operator, over which ours win
 */
export function startUpOptions(settings: GivenSettings, options = ''): string {
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
  const set = [...settings].map(
    ([name, value]) => `; set local ${written(name)} ${assigned(name, value)}`,
  );
  return `begin isolation level ${isolation} read only${set.join('')}`;
}

/** The parts of a caller's setting may be words of SQL. */
function written(name: string): string {
  return name.includes('.') ? name.split('.').map(quoted).join('.') : name;
}

/** A list of names in quotes would be the name of one schema. */
function assigned(name: string, value: string | undefined): string {
  if (value === undefined) return 'to default';
  return name === 'search_path' ? `= ${value}` : `= '${value}'`;
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
