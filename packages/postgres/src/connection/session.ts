import type { Statement } from '@proj/engine/database';

import { quoted } from '../values/sql-text.ts';
import { RELIED_SETTINGS, type ReliedSetting } from './settings.ts';

export interface SessionStatement extends Statement {
  /** Whether the server keeps its plan under a name. Default: false. */
  readonly named?: boolean;
}

/** Settings by name. Undefined: the session's initial value. */
export type SessionSettings = ReadonlyMap<string, string | undefined>;

export type GivenSettings = ReadonlyMap<string, string>;

export const STATEMENT_SETTINGS = given(({ place }) => place !== 'own session');

export const OWN_SESSION_SETTINGS = given(({ place }) => place === 'own session');

/** For the feed's connections, whose values must look like those read. */
export const FEED_SETTINGS = given(({ place }) => place === 'everywhere');

/** Initial values that a pooler's session may have lost. */
export const KEPT_SETTINGS: SessionSettings = new Map(
  RELIED_SETTINGS.filter(({ value }) => value === undefined).map(({ name }) => [name, undefined]),
);

function given(isChosen: (setting: ReliedSetting) => boolean): GivenSettings {
  const chosen = RELIED_SETTINGS.filter(isChosen);
  return new Map(chosen.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/** https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-OPTIONS; ours win. */
export function startUpOptions(settings: GivenSettings, options = ''): string {
  const ours = [...settings].map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
  );
  return [options, ...ours].join(' ').trim();
}

/** `read committed`: snapshots follow locks. `repeatable read`: one snapshot precedes the locks. */
export type Isolation = 'read committed' | 'repeatable read';

/** A standby, to which a pooler may lead at any time, refuses the first part. */
export const ON_PRIMARY = 'read write; set transaction read only';

/** Opens a read transaction with settings. `set` takes no snapshot, so locks may come first. */
export function beginStatement(
  settings: SessionSettings,
  isolation: Isolation,
  access = 'read only',
): string {
  const set = [...settings].map(([name, value]) => {
    // Parts of a caller's setting may be SQL keywords.
    const written = name.includes('.') ? name.split('.').map(quoted).join('.') : name;
    if (value === undefined) return `; set local ${written} to default`;
    // A quoted list of names would name one schema.
    return `; set local ${written} = ${name === 'search_path' ? value : `'${value}'`}`;
  });
  return `begin isolation level ${isolation} ${access}${set.join('')}`;
}

const BACKSTOP_MS = 1000;

/** In milliseconds; an administrator's smaller limit stays. */
export function statementTimeout(timeLimitMs: number, administratorsMs: number): number {
  const backstop = Math.ceil(timeLimitMs) + BACKSTOP_MS;
  return administratorsMs > 0 ? Math.min(administratorsMs, backstop) : backstop;
}

export interface SessionTerms {
  readonly isOwn: boolean;
  /** How its transactions begin. Default: `read only`. */
  readonly access?: string;
  /** What each transaction must set; empty where the session is set up. */
  readonly settings: SessionSettings;
  /** The session's `statement_timeout` in milliseconds; 0 where each transaction sets it. */
  readonly timeoutMs: number;
  /** The administrator's `statement_timeout`; 0 is none. */
  readonly administratorsMs: number;
}

export interface StatementTerms {
  readonly keepsPlans: boolean;
  readonly needsTransaction: boolean;
  readonly begin: string;
  /** Milliseconds until the database itself stops a statement. */
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
    begin: beginStatement(settings, isolation, session.access),
    timeoutMs: isSet ? session.timeoutMs : wanted,
  };
}
