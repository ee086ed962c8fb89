import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import {
  type Lists,
  type Read,
  Reads,
  type RelationPath,
  Tracing,
  type WholeListStatements,
} from '@proj/engine/database';

/** What the server asks a reader process, one request at a time. */
export type ReaderRequest =
  | Read
  | { readonly kind: 'list'; readonly list: WholeListStatements }
  | { readonly kind: 'introspect' }
  | { readonly kind: 'columns'; readonly sql: string }
  | { readonly kind: 'ping' };

/** A reader reopens a connection that is of an older generation of the file. */
export interface ReaderMessage {
  readonly generation: number;
  readonly request: ReaderRequest;
  /** Whether to report statements. Default: false. */
  readonly traced?: boolean;
}

export function relationsOf(request: ReaderRequest): readonly RelationPath[] | undefined {
  if (request.kind === 'list') return request.list.relations;
  return request.kind === 'introspect' || request.kind === 'columns' || request.kind === 'ping'
    ? undefined
    : Reads.termsOf(request).relations;
}

export interface ReaderError {
  readonly message: string;
  readonly errcode: number | undefined;
  readonly code: string | undefined;
  /** Whether the statement failed before it ran. */
  readonly preparing: boolean;
}

export interface ReaderFinding {
  readonly value: unknown;
  readonly versioned: boolean;
}

export type ListProgress =
  | (Pick<Lists.ListBeginning, 'total' | 'misfit'> & { readonly versioned: boolean })
  | { readonly lines: Lists.RecordLines };

export interface ReplySize {
  readonly replyBytes: number;
}

/** Sent during a request. The reader waits until the server has taken it. */
export interface ReaderProgress {
  readonly progress: ListProgress | ReplySize;
}

export interface ProgressTaken {
  readonly taken: true;
}

export type ReaderReply = { readonly report?: StatementReport } & (
  | ({ readonly ok: true } & ReaderFinding)
  | ({ readonly ok: false } & ReaderError)
);

/** The statement names something that is missing, or reads a broken view. */
export class PrepareError extends Error {
  override readonly name = 'PrepareError';
}

/** The file cannot be read now, whatever SQLite makes of its contents. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  readonly code = 'UNREADABLE_FILE';
}

/** SQLite may cache pages that the file no longer has, so another connection is needed. */
export class StaleConnectionError extends UnreadableFileError {}

export function describeError(error: unknown): ReaderError {
  const preparing = error instanceof PrepareError;
  const reason: unknown = preparing ? error.cause : error;
  if (!(reason instanceof Error))
    return { message: String(reason), errcode: undefined, code: undefined, preparing };
  const errcode =
    'errcode' in reason && typeof reason.errcode === 'number' ? reason.errcode : undefined;
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined;
  return { message: reason.message, errcode, code, preparing };
}

/** Times are those of the reader's `performance.now()`. */
export interface StatementReport {
  readonly takenAt: number;
  readonly statements: readonly Tracing.TracedStatement[];
}

export async function reportStatements<Value>(
  work: () => Promise<Value>,
): Promise<Value & { readonly report: StatementReport }> {
  const takenAt = performance.now();
  const statements: Tracing.TracedStatement[] = [];
  const note = (statement: unknown): void =>
    void statements.push(statement as Tracing.TracedStatement);
  subscribe(Tracing.ENGINE_CHANNELS.statement, note);
  try {
    return { ...(await work()), report: { takenAt, statements } };
  } finally {
    unsubscribe(Tracing.ENGINE_CHANNELS.statement, note);
  }
}

export function publishReport({ takenAt, statements }: StatementReport, sentAt: number): void {
  const shift = sentAt - takenAt;
  for (const { startedAt, endedAt, ...statement } of statements)
    Tracing.publishStatement({
      ...statement,
      startedAt: startedAt + shift,
      endedAt: endedAt + shift,
    });
}
