import type { ClientConfig } from 'pg';

import { QueryFailedError, SettingsError } from '../../errors.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Address } from './url.ts';
import type { Pooler } from '../source-settings.ts';
import { Connection } from './connection.ts';
import { sqlState } from './errors.ts';
import { refuseBalancer } from './refuse-balancer.ts';
import {
  beginStatement,
  MARKER,
  OWN_SESSION_SETTINGS,
  type SessionSettings,
  startUpOptions,
  STATEMENT_SETTINGS,
  type SessionTerms,
  statementTimeout,
} from './session.ts';

/** By what sessions are opened. */
export interface SessionRules {
  readonly pooler: Pooler;
  /** The usual time limit of a query, in milliseconds. */
  readonly queryTimeoutMs: number;
}

/** Opening a connection takes so long at most, login included. */
const CONNECT_MS = 2000;

const WHOSE_SESSION: Statement = {
  parameters: [],
  sql: `select pg_backend_pid()::text, current_setting('${MARKER}', true),
    (select reset_val from pg_catalog.pg_settings where name = 'statement_timeout')`,
};

const IS_STANDBY: Statement = { parameters: [], sql: 'select pg_is_in_recovery()::text' };

/** The session lacks our settings, or another client may get it after any transaction. */
class SharedSessionError extends Error {
  override readonly name = 'SharedSessionError';
}

/** The session was only opened to learn what the next is opened with. */
class OpenAgainError extends Error {
  override readonly name = 'OpenAgainError';
}

/**
 * Opens sessions of one server. A session that is ours alone has its settings from start-up
 * parameters; where a pooler hands the server's sessions around, each transaction brings its own,
 * so that nothing remains for others.
 *
 * A pooler is known by three things, none of which changes a session: it refuses start-up
 * parameters, or they do not reach the session, or the key for cancel requests is not that of the
 * process that answers, since a pooler has to hand out keys of its own.
 */
export class Connector {
  readonly #rules: SessionRules;
  readonly #prefersTls: boolean;
  readonly #needsPrimary: boolean;
  /** Whether what is between us and the server was looked at. */
  #isKnown = false;
  /** Settings that the server does not know, or does not let us set. */
  readonly #refused = new Set<string>();
  #client: ClientConfig;
  #isShared: boolean;
  #administratorsMs: number | undefined;

  constructor({ client, prefersTls, needsPrimary }: Address, rules: SessionRules) {
    this.#rules = rules;
    this.#client = client;
    this.#prefersTls = prefersTls;
    this.#needsPrimary = needsPrimary;
    this.#isShared = rules.pooler === 'transaction';
  }

  /**
   * @throws {SettingsError} when the server, or a pooler before it, has no sessions that statements
   * can be read in
   */
  async connect(): Promise<Connection> {
    for (;;) {
      try {
        return await (this.#isShared ? this.#openShared() : this.#openOwn());
      } catch (error) {
        this.#learnFrom(error);
      }
    }
  }

  #openOwn(): Promise<Connection> {
    const options = startUpOptions(this.#ownSettings(), this.#client.options);
    return Connection.open({ ...this.#client, options }, CONNECT_MS, async (connection) => {
      const [backend, marker, timeoutMs] = await connection.query(WHOSE_SESSION, false);
      const isOurs = this.#rules.pooler === 'none' || backend === String(connection.processId);
      if (marker !== 'on' || !isOurs)
        throw new SharedSessionError('The settings of a session do not last.');
      await this.#checkServer(connection);
      return this.#ownTerms(Number(timeoutMs));
    });
  }

  #openShared(): Promise<Connection> {
    const settings = this.#known(STATEMENT_SETTINGS);
    return Connection.open(this.#client, CONNECT_MS, async (connection) => {
      await this.#checkServer(connection);
      // Alone: a pooler that allows no transactions closes the connection, and what is sent after
      // it would hide the reason.
      await connection.command(beginStatement(settings, 'read committed'));
      const [, , timeoutMs] = await connection.query(WHOSE_SESSION, false);
      await connection.command('commit');
      return { isOwn: false, settings, timeoutMs: 0, administratorsMs: Number(timeoutMs ?? 0) };
    });
  }

  /** While a standby is promoted, whoever decides that may call it the primary already. */
  async #checkServer(connection: Connection): Promise<void> {
    if (!this.#isKnown) await refuseBalancer(connection);
    this.#isKnown = true;
    if (!this.#needsPrimary) return;
    const [isStandby] = await connection.query(IS_STANDBY, false);
    if (isStandby === 'true')
      throw new QueryFailedError(
        'database_unavailable',
        'The server is a standby, where the URL asks for a primary by target_session_attrs.',
      );
  }

  /** The first session shows the administrator's limit, over which ours would win. */
  #ownTerms(timeoutMs: number): SessionTerms {
    const isFirst = this.#administratorsMs === undefined;
    const administratorsMs = (this.#administratorsMs ??= timeoutMs);
    if (
      isFirst &&
      administratorsMs !== statementTimeout(this.#rules.queryTimeoutMs, administratorsMs)
    ) {
      throw new OpenAgainError('The next session has a time limit.');
    }
    return { isOwn: true, settings: new Map(), timeoutMs, administratorsMs };
  }

  #ownSettings(): SessionSettings {
    const settings = this.#known(new Map([...OWN_SESSION_SETTINGS, ...STATEMENT_SETTINGS]));
    if (this.#administratorsMs === undefined) return settings;
    const timeout = statementTimeout(this.#rules.queryTimeoutMs, this.#administratorsMs);
    return new Map([...settings, ['statement_timeout', String(timeout)]]);
  }

  #known(settings: SessionSettings): SessionSettings {
    return new Map([...settings].filter(([name]) => !this.#refused.has(name)));
  }

  /** Changes how the next session is opened, or throws what would fail in any other way too. */
  #learnFrom(error: unknown): void {
    if (error instanceof OpenAgainError) return;
    const message = error instanceof Error ? error.message : String(error);
    if (
      this.#prefersTls &&
      this.#client.ssl !== false &&
      message === 'The server does not support SSL connections'
    ) {
      this.#client = { ...this.#client, ssl: false };
      return;
    }
    const refused = [...OWN_SESSION_SETTINGS, ...STATEMENT_SETTINGS].find(
      ([name]) => !this.#refused.has(name) && new RegExp(`"${name}"`, 'i').test(message),
    );
    if (refused !== undefined) this.#refused.add(refused[0]);
    else this.#learnOfPooler(error, message);
  }

  #learnOfPooler(error: unknown, message: string): void {
    const refusesParameters = sqlState(error) === '08P01' && /start-?up parameter/i.test(message);
    if (this.#isShared) {
      if (/transactions? (blocks )?not allowed/i.test(message)) {
        throw new SettingsError(
          'database: the pooler is in statement mode, where no page can be read from one ' +
            `snapshot: ${message}. Use transaction or session mode.`,
        );
      }
      if (refusesParameters)
        throw new SettingsError(`database: the pooler refuses what the URL says: ${message}.`);
      throw error;
    }
    if (!refusesParameters && !(error instanceof SharedSessionError)) throw error;
    if (this.#rules.pooler === 'none') {
      throw new SettingsError(
        'database: a pooler is before the server, and does not pass on our settings: ' +
          `${message}. Set pooler: transaction, or leave it out.`,
      );
    }
    this.#isShared = true;
  }
}
