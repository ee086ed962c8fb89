import { beginStatement, type SessionSettings } from './session-settings.ts';

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

export function statementTerms(session: SessionTerms, timeLimitMs: number): StatementTerms {
  const wanted = statementTimeout(timeLimitMs, session.administratorsMs);
  const isSet = session.isOwn && wanted <= session.timeoutMs;
  const settings = isSet
    ? session.settings
    : new Map([...session.settings, ['statement_timeout', String(wanted)]]);
  return {
    keepsPlans: session.isOwn,
    needsTransaction: !isSet,
    begin: beginStatement(settings),
    timeoutMs: isSet ? session.timeoutMs : wanted,
  };
}
