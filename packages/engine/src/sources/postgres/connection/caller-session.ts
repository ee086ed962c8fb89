import { hash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { QueryFailedError, type QueryFailure } from '../../../errors.ts';
import type { Statement, StatementSession } from '../../../sql/statement.ts';
import { quoted } from '../values/identifier.ts';
import { roleState } from '../versions/role-state.ts';
import { SNAPSHOT_VERSION_TEXT } from '../versions/version.ts';
import type { Connection, Row } from './connection.ts';
import { ConnectionLostError, RoleChangedError, sqlState } from './errors.ts';
import type { SessionStatement, SessionTerms } from './session.ts';

/** Has another text in each read, by which a statement finds that it is part of that read. */
const CALLER = 'dynamic_query.caller';

/** What comes before the rows of a statement that reads some. */
const READING =
  /^(?:explain \(format json\) |declare \w+ no scroll cursor for )?(?=select\b|with\b)/i;

const ROLE_STATE = roleState('current_user');

/**
 * What a function of a policy has set for the rest of the session ends with a transaction that is
 * rolled back, and not with one that is committed.
 */
const ROLLBACK: Statement = { sql: 'rollback', parameters: [] };

const VERSION: Statement = { sql: `select ${SNAPSHOT_VERSION_TEXT}`, parameters: [] };

/** The connection that a caller's read runs on. */
type CallersConnection = Pick<Connection, 'roleStates' | 'terms'>;

/**
 * One read as a caller: a transaction that has the role and the settings of the caller until it
 * ends. Nothing that it reads is delivered unless it began so, and each statement that reads finds
 * out for itself: where `begin` was cancelled, or a pooler led what follows to another session, it
 * fails and reads nothing.
 */
export class CallerSession {
  readonly #session: StatementSession;
  readonly #connection: CallersConnection;
  readonly #nonce: string = randomUUID();
  /** What the role could do when its statements got the plans that the connection keeps. */
  readonly #planned: string | undefined;
  #isPlanned = false;

  constructor(session: StatementSession, connection: CallersConnection) {
    this.#session = session;
    this.#connection = connection;
    this.#planned = connection.roleStates.get(session.role);
  }

  /** Those of the connection, with what an earlier caller must not have changed. */
  get terms(): SessionTerms {
    const { settings, ...terms } = this.#connection.terms;
    return { ...terms, settings: new Map([['search_path', undefined], ...settings]) };
  }

  /** What opens the transaction: no snapshot is taken yet. */
  begin(begin: string): string {
    return `${begin}; set local role ${quoted(this.#session.role)}`;
  }

  /**
   * What the transaction has before it reads. Calling a function takes the snapshot, which a lock
   * does not: a table that was emptied while its lock was waited for is empty in the snapshot.
   */
  get opening(): readonly SessionStatement[] {
    const { lock, settings } = this.#session;
    const values = [[CALLER, this.#nonce], ...Object.entries(settings)];
    const calls = values.map(
      (_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`,
    );
    const found = [ROLE_STATE, ...calls].join(', ');
    const set = { statement: { sql: `select ${found}`, parameters: values.flat() }, named: true };
    return lock === undefined ? [set] : [{ statement: lock, named: false }, set];
  }

  /**
   * Takes what the opening answered.
   *
   * @throws {RoleChangedError} where statements were sent by plans that are not those of the role
   *   any longer
   */
  opened(rows: readonly Row[]): void {
    const { role } = this.#session;
    const state = rows.at(-1)?.[0] ?? '';
    this.#connection.roleStates.set(role, state);
    if (this.#isPlanned && state !== this.#planned)
      throw new RoleChangedError(`The role ${role} was changed.`);
  }

  /**
   * A statement that fails where it is not part of this read. Its text has the name of the role,
   * and what the role can do: a connection keeps a plan for each, since policies make another one.
   *
   * @throws {Error} where the statement is of another caller, which is a bug of ours
   */
  guarded({ statement, named }: SessionStatement): SessionStatement {
    refuseOther(statement, this.#session);
    const { sql, parameters } = statement;
    const [start] = READING.exec(sql) ?? [];
    if (start === undefined) return { statement, named };
    const plan = named ? this.#planned : undefined;
    this.#isPlanned ||= plan !== undefined;
    const rows = quoted(this.#session.role);
    const [nonce, role] = [parameters.length + 1, parameters.length + 2];
    const isOurs = `(current_setting('${CALLER}', true), current_user) = ($${nonce}, $${role})`;
    const guard = `(case when ${isOurs} then 'true' else '${CALLER}' end)::bool`;
    const read = `select ${rows}.* from (${sql.slice(start.length)}) as ${rows} where ${guard}`;
    const ours = {
      ...statement,
      sql: `${start}${read}${plan === undefined ? '' : ` /* ${shortOf(plan)} */`}`,
      parameters: [...parameters, this.#nonce, this.#session.role],
    };
    return { statement: ours, named: plan !== undefined };
  }

  /**
   * What ends the transaction, and reads the version of the data behind it where that decides
   * whether the read has one.
   */
  get closing(): readonly SessionStatement[] {
    const end = { statement: ROLLBACK, named: false };
    return this.#session.endsWithVersion ? [end, { statement: VERSION, named: true }] : [end];
  }
}

function shortOf(state: string): string {
  return hash('sha256', state, 'base64url').slice(0, 16);
}

/** Refuses a statement of a caller outside of a read of that caller. */
export function refuseOther({ session }: Statement, own: StatementSession | undefined): void {
  if (session === undefined || session === own) return;
  const isOwn = own?.role === session.role && isDeepStrictEqual(own.settings, session.settings);
  if (!isOwn) throw new Error('A statement of a caller is not part of a read of that caller.');
}

/** What the errors of a read as a caller mean, by their SQLSTATE. */
const MEANINGS = [
  // A role that may not be set, or that does not exist; a right that it lacks; a setting that
  // nobody has made. Another catalogue would not help.
  [/^(42501|42704|22023)$/, 'session_refused'],
  // What was raised, or a setting that cannot be read as what a policy compares it with.
  [/^(P0|22P02$|22007$|22008$)/, 'policy_failed'],
] as const satisfies readonly (readonly [RegExp, QueryFailure])[];

/** The error of what was read as a caller. */
export function explainedToCaller(error: unknown): unknown {
  const code = sqlState(error);
  const message = error instanceof Error ? error.message : '';
  // No transaction is there, or it is that of somebody else.
  if (code === '25P01' || (code === '22P02' && message.includes(CALLER)))
    return new ConnectionLostError('A statement was not run in the transaction of its read.');
  const [, failure] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  if (failure === undefined) return error;
  // Texts that cannot be read are quoted, and may be those of the caller.
  const reason =
    code.startsWith('22P') || code.startsWith('2200') ? 'a text cannot be read' : message;
  return new QueryFailedError(failure, `PostgreSQL ${code}: ${reason}`);
}
