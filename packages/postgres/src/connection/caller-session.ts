import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import {
  Pools,
  QueryFailedError,
  type Statement,
  type StatementSession,
} from '@proj/engine/database';

import { quoted, quotedPath, textLiteral } from '../values/sql-text.ts';
import {
  CLUSTER_STATE,
  demandState,
  ONE_CONNECTION,
  SERVER_STATE,
} from '../states/cluster-state.ts';
import {
  allMembersAre,
  functionStates,
  HAS_READ_EMPTIED,
  IS_PLAIN,
} from '../states/relation-state.ts';
import { roleState, SNAPSHOT_VERSION_TEXT } from '../states/version.ts';
import type { Row } from './connection.ts';
import { type Cut, readWhere } from './distribution.ts';
import { raised, ReplacedMeanwhileError, sqlState } from './errors.ts';
import type { SessionStatement, SessionTerms } from './session.ts';

/** Unique to each read, so that statements recognise their own. */
const CALLER = 'dynamic_query.caller';

/** Undoes what a policy's function set for the session; a commit would keep it. */
const ROLLBACK: Statement = { sql: 'rollback', parameters: [] };

/** Tables that policies read by functions are not locked before the snapshot. */
const EMPTIED: Statement = { sql: HAS_READ_EMPTIED, parameters: [] };

/**
 * Each statement checks role and settings itself: where `begin` was cancelled, or a pooler switched
 * sessions, it fails and reads nothing.
 */
export class CallerSession {
  readonly #session: StatementSession;
  /** What all servers' snapshots must be of; undefined for one server. */
  readonly #states: readonly string[] | undefined;
  readonly #nonce: string = randomUUID();
  /** SQL of what PostgreSQL looks up as of now: memberships, functions, places of tables. */
  readonly #unlocked: string;

  constructor(session: StatementSession, cut?: Pick<Cut, 'isKnown' | 'states'>) {
    this.#session = session;
    this.#states = cut?.isKnown === true ? undefined : (cut?.states ?? []);
    const { role, calls, cut: tables } = session;
    const ofRole = role === undefined ? [] : [roleState(textLiteral(role))];
    // The cluster is unchanged where a known state is also that of the end.
    const ofCluster = tables.length === 0 || cut?.isKnown === true ? [] : [CLUSTER_STATE];
    const unlocked = [...ofRole, ...functionStates(calls), ...ofCluster];
    this.#unlocked = unlocked.length === 0 ? `''` : `concat_ws('|', ${unlocked.join(', ')})`;
  }

  /** A connection's terms, with what an earlier caller must not have changed. */
  termsOn({ settings, ...terms }: SessionTerms): SessionTerms {
    const others = [...settings].filter(([name]) => !Object.hasOwn(this.#session.settings, name));
    return { ...terms, settings: new Map([['search_path', undefined], ...others]) };
  }

  begin(begin: string): string {
    const { role, cut } = this.#session;
    const asRole = role === undefined ? [] : [`set local role ${quoted(role)}`];
    return [begin, ...asRole, ...(cut.length === 0 ? [] : [ONE_CONNECTION])].join('; ');
  }

  /** Functions take the snapshot, locks don't: a table emptied before its lock is empty in it. */
  get opening(): readonly SessionStatement[] {
    const { lock, settings, cut, snapshot } = this.#session;
    const values = [[CALLER, this.#nonce], ...Object.entries(settings)];
    const calls = values.map(
      (_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`,
    );
    const plain = cut.map((path) =>
      allMembersAre(`${textLiteral(quotedPath(path))}::regclass`, IS_PLAIN),
    );
    const server = cut.length === 0 ? [] : [`(${plain.join(' and ')})::text`, SERVER_STATE];
    const sql = `select ${[this.#unlocked, ...calls, ...server].join(', ')}`;
    const set = { sql, parameters: values.flat(), named: true };
    const locked = lock === undefined ? [] : [lock];
    const imported = snapshot === undefined ? [] : [importOf(snapshot)];
    const met = this.#states === undefined ? [] : cut;
    const demand = demandState(this.#states ?? []);
    // Take a snapshot of each server with shards; a statement without rows would reach none.
    const first = met.map((path) => ({
      sql: `select 1 from ${quotedPath(path)} where ${demand} limit 1`,
      parameters: [],
    }));
    return [...locked, ...imported, set, ...first];
  }

  stateOf(opened: readonly Row[]): string | undefined {
    return this.#set(opened)?.at(-1) ?? undefined;
  }

  /** Whether a cut's tables are in heaps and shown to everybody alike; from {@link opening}. */
  isPlain(opened: readonly Row[]): boolean {
    return this.#set(opened)?.at(-2) === 'true';
  }

  /** Keeps no plan: its policies would outlive changed memberships. */
  guarded(statement: Statement): Statement {
    refuseOther(statement, this.#session);
    const { parameters } = statement;
    const { role: asked } = this.#session;
    if (asked === undefined) return statement;
    const [nonce, role] = [parameters.length + 1, parameters.length + 2];
    const sql = `(current_setting('${CALLER}', true), current_user) = ($${nonce}, $${role})`;
    const read = readWhere(statement, { sql, named: CALLER, rows: asked });
    if (read === statement) return statement;
    return { ...read, parameters: [...parameters, this.#nonce, asked] };
  }

  /** Ends the transaction, then reads what may have changed meanwhile. */
  get closing(): readonly SessionStatement[] {
    const sql = `select ${this.#unlocked}, ${SNAPSHOT_VERSION_TEXT}`;
    return [
      ...(this.#session.readsUnlocked ? [{ ...EMPTIED, named: true }] : []),
      ROLLBACK,
      { sql, parameters: [], named: true },
    ];
  }

  /** @throws {ReplacedMeanwhileError} where policies may have changed within the read */
  versionAfter(opened: readonly Row[], closed: readonly Row[]): string | undefined {
    const [before, after] = [this.#set(opened)?.[0], closed.at(-1)?.[0]];
    if (before !== after)
      throw new ReplacedMeanwhileError(
        'A function, a membership or the place of a table was changed meanwhile.',
      );
    if (this.#session.readsUnlocked && closed[0]?.[0] !== 'false')
      throw new ReplacedMeanwhileError('A table that policies read was emptied meanwhile.');
    return closed.at(-1)?.[1] ?? undefined;
  }

  #set(opened: readonly Row[]): Row | undefined {
    const { lock, snapshot } = this.#session;
    return opened[[lock, snapshot].filter((one) => one !== undefined).length];
  }
}

export function importOf(snapshot: string): Statement {
  return { sql: `set transaction snapshot '${snapshot}'`, parameters: [] };
}

/** Refuses a caller's statement outside of that caller's read. */
export function refuseOther({ session }: Statement, own: StatementSession | undefined): void {
  if (session === undefined || session === own) return;
  const isOwn =
    own !== undefined &&
    own.role === session.role &&
    isDeepStrictEqual(own.settings, session.settings);
  if (!isOwn) throw new Error('A statement of a caller is not part of a read of that caller.');
}

const MEANINGS = [
  // An unknown or forbidden role, a missing right, or an unknown setting, in any catalogue.
  [/^(42501|42704|22023)$/, 'session_refused'],
  // Raised by a policy, a setting that it can't compare, or a function that is being replaced.
  [/^(P0|22P02$|22007$|22008$|42601$)/, 'policy_failed'],
] as const satisfies readonly (readonly [RegExp, QueryFailedError['code']])[];

export function explainedToCaller(error: unknown): unknown {
  const code = sqlState(error);
  const message = error instanceof Error ? error.message : '';
  // No transaction, or somebody else's.
  if (code === '25P01' || (code === '22P02' && message.includes(CALLER)))
    return new Pools.ConnectionLostError('A statement was not run in the transaction of its read.');
  const [, failure] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  if (failure === undefined) return error;
  return failure === 'policy_failed'
    ? raised(failure, error)
    : new QueryFailedError(failure, `PostgreSQL ${code}: ${message}`);
}
