import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import {
  Pools,
  QueryFailedError,
  type RelationPath,
  type Statement,
  type StatementSession,
} from '@proj/engine/database';

import { quoted, textLiteral } from '../values/sql-text.ts';
import {
  CLUSTER_STATE,
  demandState,
  ONE_CONNECTION,
  SERVER_STATE,
} from '../states/cluster-state.ts';
import { functionStates, HAS_READ_EMPTIED, isPlainWithMembers } from '../states/relation-state.ts';
import { roleState } from '../states/role-state.ts';
import { SNAPSHOT_VERSION_TEXT } from '../states/version.ts';
import type { Row } from './connection.ts';
import type { Cut } from './cut.ts';
import { raised, ReplacedMeanwhileError, sqlState } from './errors.ts';
import { readWhere } from './read-where.ts';
import type { SessionStatement, SessionTerms } from './session.ts';

/** Has another text in each read, by which a statement finds that it is part of that read. */
const CALLER = 'dynamic_query.caller';

/**
 * What a function of a policy has set for the rest of the session ends with a transaction that is
 * rolled back, and not with one that is committed.
 */
const ROLLBACK: Statement = { sql: 'rollback', parameters: [] };

/** Tables that policies read by functions are not locked before the snapshot. */
const EMPTIED: Statement = { sql: HAS_READ_EMPTIED, parameters: [] };

/**
 * One read as a caller, or of several servers, or both: a transaction that has the role and the
 * settings of the caller, and one connection to each server, until it ends. Nothing that it reads
 * is delivered unless it began so. Each statement that reads as a caller finds out for itself:
 * where `begin` was cancelled, or a pooler led what follows to another session, it fails and reads
 * nothing.
 */
export class CallerSession {
  readonly #session: StatementSession;
  /**
   * What the snapshots of all servers, which are taken before anything is read, have to be of.
   * Undefined where none are.
   */
  readonly #states: readonly string[] | undefined;
  readonly #nonce: string = randomUUID();
  /**
   * What PostgreSQL looks up as it is at the moment, and not as it was in the snapshot, as SQL:
   * what the role is a member of, the functions that policies call, and where tables are.
   */
  readonly #unlocked: string;

  /** @param cut in which several servers are read. Default: they are not */
  constructor(session: StatementSession, cut?: Pick<Cut, 'isKnown' | 'states'>) {
    this.#session = session;
    this.#states = cut?.isKnown === true ? undefined : (cut?.states ?? []);
    const { role, calls, cut: tables } = session;
    const ofRole = role === undefined ? [] : [roleState(textLiteral(role))];
    // Nothing of the cluster has changed where a known state is that of the end.
    const ofCluster = tables.length === 0 || cut?.isKnown === true ? [] : [CLUSTER_STATE];
    const unlocked = [...ofRole, ...functionStates(calls), ...ofCluster];
    this.#unlocked = unlocked.length === 0 ? `''` : `concat_ws('|', ${unlocked.join(', ')})`;
  }

  /** Those of a connection, with what an earlier caller must not have changed. */
  termsOn({ settings, ...terms }: SessionTerms): SessionTerms {
    const others = [...settings].filter(([name]) => !Object.hasOwn(this.#session.settings, name));
    return { ...terms, settings: new Map([['search_path', undefined], ...others]) };
  }

  /** What opens the transaction: no snapshot is taken yet. */
  begin(begin: string): string {
    const { role, cut } = this.#session;
    const asRole = role === undefined ? [] : [`set local role ${quoted(role)}`];
    return [begin, ...asRole, ...(cut.length === 0 ? [] : [ONE_CONNECTION])].join('; ');
  }

  /**
   * What the transaction has before it reads. Calling a function takes the snapshot, which a lock
   * does not: a table that was emptied while its lock was waited for is empty in the snapshot.
   */
  get opening(): readonly SessionStatement[] {
    const { lock, settings, cut, snapshot } = this.#session;
    const values = [[CALLER, this.#nonce], ...Object.entries(settings)];
    const calls = values.map(
      (_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`,
    );
    const plain = cut.map((path) => isPlainWithMembers(`${textLiteral(nameOf(path))}::regclass`));
    const server = cut.length === 0 ? [] : [`(${plain.join(' and ')})::text`, SERVER_STATE];
    const sql = `select ${[this.#unlocked, ...calls, ...server].join(', ')}`;
    const set = { statement: { sql, parameters: values.flat() }, named: true };
    const locked = lock === undefined ? [] : [{ statement: lock, named: false }];
    const imported = snapshot === undefined ? [] : [importOf(snapshot)];
    const met = this.#states === undefined ? [] : cut;
    const demand = demandState(this.#states ?? []);
    const taken = met.map((path) => ({ statement: firstRowOf(path, demand), named: false }));
    return [...locked, ...imported, set, ...taken];
  }

  /**
   * The state of the server that a cut was read through.
   *
   * @param opened what {@link opening} answered
   */
  stateOf(opened: readonly Row[]): string | undefined {
    return this.#set(opened)?.at(-1) ?? undefined;
  }

  /**
   * Whether all rows of the tables of a cut are in heaps, and shown to everybody alike.
   *
   * @param opened what {@link opening} answered
   */
  isPlain(opened: readonly Row[]): boolean {
    return this.#set(opened)?.at(-2) === 'true';
  }

  /**
   * A statement that fails where it is not part of this read. It keeps no plan: PostgreSQL would go
   * on with the policies of the moment at which the plan was made when memberships change.
   *
   * @throws {Error} where the statement is of another caller, which is a bug of ours
   */
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

  /** What ends the transaction, and reads behind it what may have changed meanwhile. */
  get closing(): readonly SessionStatement[] {
    const sql = `select ${this.#unlocked}, ${SNAPSHOT_VERSION_TEXT}`;
    return [
      ...(this.#session.readsUnlocked ? [{ statement: EMPTIED, named: true }] : []),
      { statement: ROLLBACK, named: false },
      { statement: { sql, parameters: [] }, named: true },
    ];
  }

  /**
   * The version of the data behind the read.
   *
   * @param opened what {@link opening} answered
   * @param closed what {@link closing} answered
   * @throws {ReplacedMeanwhileError} where a part of the read may be by other policies than another
   *   part
   */
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

  /** The answer of the statement that sets what the caller has. */
  #set(opened: readonly Row[]): Row | undefined {
    const { lock, snapshot } = this.#session;
    return opened[[lock, snapshot].filter((one) => one !== undefined).length];
  }
}

/** Makes a transaction see what an exported snapshot sees, before it reads anything. */
export function importOf(snapshot: string): SessionStatement {
  const sql = `set transaction snapshot '${snapshot}'`;
  return { statement: { sql, parameters: [] }, named: false };
}

/**
 * Takes a snapshot of each server that has shards of a table. A statement without rows would be
 * sent to none of them.
 */
function firstRowOf(path: RelationPath, demand: string): Statement {
  return { sql: `select 1 from ${nameOf(path)} where ${demand} limit 1`, parameters: [] };
}

function nameOf(path: RelationPath): string {
  return path.map(quoted).join('.');
}

/** Refuses a statement of a caller outside of a read of that caller. */
export function refuseOther({ session }: Statement, own: StatementSession | undefined): void {
  if (session === undefined || session === own) return;
  const isOwn =
    own !== undefined &&
    own.role === session.role &&
    isDeepStrictEqual(own.settings, session.settings);
  if (!isOwn) throw new Error('A statement of a caller is not part of a read of that caller.');
}

/** What the errors of a read as a caller mean, by their SQLSTATE. */
const MEANINGS = [
  // A role that may not be set, or that does not exist; a right that it lacks; a setting that
  // nobody has made. Another catalogue would not help.
  [/^(42501|42704|22023)$/, 'session_refused'],
  // What was raised, a setting that cannot be read as what a policy compares it with, or a function
  // that cannot be parsed, as PostgreSQL finds one whose language is replaced at that moment.
  [/^(P0|22P02$|22007$|22008$|42601$)/, 'policy_failed'],
] as const satisfies readonly (readonly [RegExp, QueryFailedError['code']])[];

/** The error of what was read as a caller. */
export function explainedToCaller(error: unknown): unknown {
  const code = sqlState(error);
  const message = error instanceof Error ? error.message : '';
  // No transaction is there, or it is that of somebody else.
  if (code === '25P01' || (code === '22P02' && message.includes(CALLER)))
    return new Pools.ConnectionLostError('A statement was not run in the transaction of its read.');
  const [, failure] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  if (failure === undefined) return error;
  return failure === 'policy_failed'
    ? raised(failure, error)
    : new QueryFailedError(failure, `PostgreSQL ${code}: ${message}`);
}
