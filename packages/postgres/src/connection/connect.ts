import {
  QueryFailedError,
  SettingsError,
  type SourceSettings,
  type Statement,
} from '@proj/engine/database';
import type { ClientConfig } from 'pg';

import { type Address, withoutTls } from './url.ts';
import { Connection, type Row } from './connection.ts';
import { sqlState } from './errors.ts';
import { isRelayed, proveServer, refuseBalancer, type ServerFinding } from './server-proof.ts';
import {
  beginStatement,
  type GivenSettings,
  KEPT_SETTINGS,
  ON_PRIMARY,
  OWN_SESSION_SETTINGS,
  type SessionTerms,
  startUpOptions,
  STATEMENT_SETTINGS,
  statementTimeout,
} from './session.ts';
import { MARKER, RELIED_SETTINGS } from './settings.ts';

export interface SessionRules {
  readonly pooler: NonNullable<SourceSettings['pooler']>;
  readonly queryTimeoutMs: number;
}

const WHOSE_SESSION: Statement = {
  parameters: [],
  sql: `select pg_backend_pid()::text, current_setting('${MARKER}', true),
    (select reset_val from pg_catalog.pg_settings where name = 'statement_timeout'),
    (select reset_val from pg_catalog.pg_settings where name = 'search_path')`,
};

/** A pooler shares the session: our settings may be missing, or move to other clients. */
class SharedSessionError extends Error {
  override readonly name = 'SharedSessionError';
}

/** The session showed the settings that another one should be opened with. */
class OpenAgainError extends Error {
  override readonly name = 'OpenAgainError';
}

/**
 * A pooler shows itself, without any change of a session, when it refuses start-up parameters, when
 * they do not reach the session, or when cancel keys name another process.
 */
export class Connector {
  readonly #rules: SessionRules;
  readonly #address: Address;
  readonly #refused = new Set<string>();
  #callerSettings: ReadonlySet<string> = new Set();
  #client: ClientConfig;
  #isShared: boolean;
  #administratorsMs: number | undefined;
  #searchPath: string | undefined;
  #isRelayed = false;
  #finding: ServerFinding | undefined;

  constructor(address: Address, rules: SessionRules) {
    this.#rules = rules;
    this.#address = address;
    this.#client = address.client;
    this.#isShared = rules.pooler === 'transaction';
  }

  get server(): ServerFinding {
    if (this.#finding === undefined) throw new Error('No connection was opened yet.');
    return this.#finding;
  }

  get isRelayed(): boolean {
    return this.#isRelayed || this.#isShared;
  }

  /** Starts sessions with empty texts for these, not NULL. Ends sessions without them. */
  nameSettings(names: readonly string[]): void {
    const all = new Set([...this.#callerSettings, ...names]);
    if (all.size > this.#callerSettings.size) this.#callerSettings = all;
  }

  /** @throws {SettingsError} where the server or a pooler offers no usable sessions */
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
    return Connection.open({ ...this.#client, options }, async (connection) => {
      const shown = await connection.query(WHOSE_SESSION, false);
      const [backend, marker] = shown;
      const isOurs = this.#rules.pooler === 'none' || backend === String(connection.processId);
      if (marker !== 'on' || !isOurs)
        throw new SharedSessionError('The settings of a session do not last.');
      if (this.#address.needsPrimary) await connection.begin('begin read write; rollback');
      const terms = this.#ownTerms(shown);
      await this.#checkServer(connection);
      return terms;
    });
  }

  #openShared(): Promise<Connection> {
    const settings = this.#known(
      new Map([...STATEMENT_SETTINGS, ...KEPT_SETTINGS, ...this.#emptySettings]),
    );
    const access = this.#address.needsPrimary ? ON_PRIMARY : 'read only';
    return Connection.open(this.#client, async (connection) => {
      // Alone: a pooler without transactions closes the connection, and more text would hide why.
      await connection.begin(beginStatement(settings, 'read committed', access));
      const shown = await connection.query(WHOSE_SESSION, false);
      await connection.command('commit');
      await this.#checkServer(connection);
      const { timeoutMs, searchPath } = administrators(shown);
      const own = new Map(searchPath === undefined ? [] : [['search_path', searchPath]]);
      const terms = { isOwn: false, access, timeoutMs: 0, administratorsMs: timeoutMs };
      return { ...terms, settings: new Map([...settings, ...own]) };
    });
  }

  /** Checks for proxies and balancers, and that the server is as at the first connection. */
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

  /** The administrator's settings, which start-up parameters override, from the first session. */
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

  /** Opens the next session differently; throws where that can't help. */
  #learnFrom(error: unknown): void {
    if (error instanceof OpenAgainError) return;
    const plain = withoutTls(this.#client, this.#address, error);
    if (plain !== undefined) {
      this.#client = plain;
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
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

/** The administrator's time limit, and a safe search path where the administrator's is not. */
function administrators([, , timeoutMs, searchPath]: Row): {
  readonly timeoutMs: number;
  readonly searchPath: string | undefined;
} {
  return { timeoutMs: Number(timeoutMs ?? 0), searchPath: saferSearchPath(searchPath ?? '') };
}

const BUILT_IN = 'pg_catalog';

const NAME = /"(?:[^"]|"")*"|[^\s,"]+/g;

/** Looks functions and operators up in PostgreSQL's own schema first; undefined for safe paths. */
export function saferSearchPath(path: string): string | undefined {
  const names = path.match(NAME) ?? [];
  const others = names.filter((name) => !isBuiltIn(name));
  const [first] = names;
  if (first === undefined || isBuiltIn(first) || others.length === names.length) return undefined;
  return others.map((name) => (name.startsWith('"') ? name : `"${name.toLowerCase()}"`)).join(', ');
}

function isBuiltIn(name: string): boolean {
  return name === `"${BUILT_IN}"` || name.toLowerCase() === BUILT_IN;
}
