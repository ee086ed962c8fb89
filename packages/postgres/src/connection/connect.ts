import {
  QueryFailedError,
  SettingsError,
  type SourceSettings,
  type Statement,
} from '@proj/engine/database';
import type { ClientConfig } from 'pg';

import type { Address } from './url.ts';
import { Connection, type Row } from './connection.ts';
import { sqlState } from './errors.ts';
import { isRelayed, refuseBalancer } from './refuse-balancer.ts';
import { saferSearchPath } from './search-path.ts';
import {
  beginStatement,
  type GivenSettings,
  KEPT_SETTINGS,
  OWN_SESSION_SETTINGS,
  startUpOptions,
  STATEMENT_SETTINGS,
  type SessionTerms,
  statementTimeout,
} from './session.ts';
import { proveServer, type ServerFinding } from './server-proof.ts';
import { MARKER, RELIED_SETTINGS } from './settings.ts';

/** The settings by which sessions are opened. */
export interface SessionRules {
  readonly pooler: NonNullable<SourceSettings['pooler']>;
  /** The usual time limit of a query, in milliseconds. */
  readonly queryTimeoutMs: number;
}

/** Opening a connection takes so long at most, login included. */
const CONNECT_MS = 2000;

const WHOSE_SESSION: Statement = {
  parameters: [],
  sql: `select pg_backend_pid()::text, current_setting('${MARKER}', true),
    (select reset_val from pg_catalog.pg_settings where name = 'statement_timeout'),
    (select reset_val from pg_catalog.pg_settings where name = 'search_path')`,
};

const IS_STANDBY: Statement = { parameters: [], sql: 'select pg_is_in_recovery()::text' };

/**
 * A pooler shares the session with other clients: it lacks our settings, or may pass to another
 * client after any transaction.
 */
class SharedSessionError extends Error {
  override readonly name = 'SharedSessionError';
}

/** The session showed with which settings it should have been opened, so another one is opened. */
class OpenAgainError extends Error {
  override readonly name = 'OpenAgainError';
}

/**
 * Opens sessions of one server. Where each connection has a session of its own, settings are
 * start-up parameters. Where a pooler shares sessions between clients, each transaction sets them
 * with `set local`, so that nothing remains for other clients.
 *
 * A pooler is recognised by any of three signs, and looking for them changes no session: it refuses
 * start-up parameters; or the parameters do not reach the session; or the key for cancel requests
 * names another process than the one that answers, since a pooler hands out keys of its own.
 */
export class Connector {
  readonly #rules: SessionRules;
  readonly #prefersTls: boolean;
  readonly #needsPrimary: boolean;
  /** Settings that the server does not know, or does not let us set. */
  readonly #refused = new Set<string>();
  /** Settings of callers, which every session has from its beginning. */
  #callerSettings: ReadonlySet<string> = new Set();
  #client: ClientConfig;
  #isShared: boolean;
  #administratorsMs: number | undefined;
  /** The search path that takes the place of that of the role. */
  #searchPath: string | undefined;
  #isRelayed = false;
  /** What the first session showed of the server. */
  #finding: ServerFinding | undefined;

  constructor({ client, prefersTls, needsPrimary }: Address, rules: SessionRules) {
    this.#rules = rules;
    this.#client = client;
    this.#prefersTls = prefersTls;
    this.#needsPrimary = needsPrimary;
    this.#isShared = rules.pooler === 'transaction';
  }

  /** What the server was found to be, once a connection was opened. */
  get server(): ServerFinding {
    if (this.#finding === undefined) throw new Error('No connection was opened yet.');
    return this.#finding;
  }

  /** Whether something is between us and the server, once a connection was opened. */
  get isRelayed(): boolean {
    return this.#isRelayed || this.#isShared;
  }

  /**
   * Has sessions begin with these settings of callers, as empty texts: one that was never made is
   * NULL, and would be an empty text from the first caller on. Sessions without them end.
   */
  nameSettings(names: readonly string[]): void {
    const all = new Set([...this.#callerSettings, ...names]);
    if (all.size > this.#callerSettings.size) this.#callerSettings = all;
  }

  /**
   * @throws {SettingsError} when the server, or a pooler before it, has no sessions that statements
   * can be read in
   */
  async connect(): Promise<Connection> {
    for (;;) {
      const names = this.#callerSettings;
      try {
        const connection = await (this.#isShared ? this.#openShared() : this.#openOwn());
        connection.outdatedWhen(() => this.#callerSettings !== names);
        return connection;
      } catch (error) {
        this.#learnFrom(error);
      }
    }
  }

  #openOwn(): Promise<Connection> {
    const options = startUpOptions(this.#ownSettings(), this.#client.options);
    return Connection.open({ ...this.#client, options }, CONNECT_MS, async (connection) => {
      const shown = await connection.query(WHOSE_SESSION, false);
      const [backend, marker] = shown;
      const isOurs = this.#rules.pooler === 'none' || backend === String(connection.processId);
      if (marker !== 'on' || !isOurs)
        throw new SharedSessionError('The settings of a session do not last.');
      if (this.#needsPrimary) await refuseStandby(connection);
      const terms = this.#ownTerms(shown);
      await this.#checkServer(connection);
      return terms;
    });
  }

  #openShared(): Promise<Connection> {
    const settings = this.#known(
      new Map([...STATEMENT_SETTINGS, ...KEPT_SETTINGS, ...this.#emptySettings]),
    );
    return Connection.open(this.#client, CONNECT_MS, async (connection) => {
      // Alone: a pooler that allows no transactions closes the connection, and what is sent after
      // it would hide the reason.
      await connection.command(beginStatement(settings, 'read committed'));
      const shown = await connection.query(WHOSE_SESSION, false);
      if (this.#needsPrimary) await refuseStandby(connection);
      await connection.command('commit');
      await this.#checkServer(connection);
      const { timeoutMs, searchPath } = administrators(shown);
      const own = new Map(searchPath === undefined ? [] : [['search_path', searchPath]]);
      const terms = { isOwn: false, timeoutMs: 0, administratorsMs: timeoutMs };
      return { ...terms, settings: new Map([...settings, ...own]) };
    });
  }

  /**
   * Checks whether a proxy or balancer is between us and the server, and that the server shows the
   * same as at the first connection.
   */
  async #checkServer(connection: Connection): Promise<void> {
    if (this.#finding === undefined) {
      this.#isRelayed = await isRelayed(connection);
      if (this.#isRelayed) await refuseBalancer(connection);
    } else if (this.#finding.gap !== undefined) return;
    const found = await proveServer((statement) => connection.query(statement, false));
    if (this.#finding !== undefined && found.gap !== undefined)
      throw new QueryFailedError(
        'database_unavailable',
        `The server is another one than at the start: of ${found.name}, ${found.gap}.`,
      );
    this.#finding ??= found;
  }

  /**
   * Reads from the first session what the administrator has set, which start-up parameters would
   * override. If later sessions need other parameters, this one is given up.
   */
  #ownTerms(shown: Row): SessionTerms {
    const { timeoutMs, searchPath } = administrators(shown);
    const isFirst = this.#administratorsMs === undefined;
    const administratorsMs = (this.#administratorsMs ??= timeoutMs);
    if (isFirst) this.#searchPath = searchPath;
    const wantedMs = statementTimeout(this.#rules.queryTimeoutMs, administratorsMs);
    if (isFirst && (administratorsMs !== wantedMs || searchPath !== undefined))
      throw new OpenAgainError('The next session has other settings.');
    return { isOwn: true, settings: new Map(), timeoutMs, administratorsMs };
  }

  #ownSettings(): GivenSettings {
    const settings = this.#known(
      new Map([...OWN_SESSION_SETTINGS, ...STATEMENT_SETTINGS, ...this.#emptySettings]),
    );
    if (this.#searchPath !== undefined) settings.set('search_path', this.#searchPath);
    if (this.#administratorsMs === undefined) return settings;
    const timeout = statementTimeout(this.#rules.queryTimeoutMs, this.#administratorsMs);
    return settings.set('statement_timeout', String(timeout));
  }

  get #emptySettings(): GivenSettings {
    return new Map([...this.#callerSettings].map((name) => [name, '']));
  }

  #known<Value>(settings: ReadonlyMap<string, Value>): Map<string, Value> {
    return new Map([...settings].filter(([name]) => !this.#refused.has(name)));
  }

  /**
   * Changes how the next session is opened after an error; throws the error where no change would
   * help.
   */
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
    const names = [...RELIED_SETTINGS.map(({ name }) => name), ...this.#callerSettings];
    const refused = names.find(
      (name) =>
        !this.#refused.has(name) && message.toLowerCase().includes(`"${name.toLowerCase()}"`),
    );
    if (refused !== undefined) this.#refused.add(refused);
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

/**
 * The administrator's time limit, and the search path to use in place of the administrator's, where
 * that is not safe.
 */
function administrators([, , timeoutMs, searchPath]: Row): {
  readonly timeoutMs: number;
  readonly searchPath: string | undefined;
} {
  return { timeoutMs: Number(timeoutMs ?? 0), searchPath: saferSearchPath(searchPath ?? '') };
}

/** Refuses a standby. During a failover the proxy may lead to a standby before it is promoted. */
async function refuseStandby(connection: Connection): Promise<void> {
  const [isStandby] = await connection.query(IS_STANDBY, false);
  if (isStandby === 'true')
    throw new QueryFailedError(
      'database_unavailable',
      'The server is a standby, where the URL asks for a primary by target_session_attrs.',
    );
}
