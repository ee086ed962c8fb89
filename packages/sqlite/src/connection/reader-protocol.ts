import {
  type Lists,
  type Read,
  Reads,
  type RelationPath,
  type WholeListStatements,
} from '@proj/engine/database';

import type { StatementReport } from './statement-report.ts';

/** What the server asks a reader process, one request at a time. */
export type ReaderRequest =
  | Read
  | { readonly kind: 'list'; readonly list: WholeListStatements }
  | { readonly kind: 'introspect' }
  | { readonly kind: 'ping' };

/** A request, and which generation of the file it is about: an older connection is opened again. */
export interface ReaderMessage {
  readonly generation: number;
  readonly request: ReaderRequest;
  /** Whether the statements that it takes are reported. Default: they are not. */
  readonly traced?: boolean;
}

/** The relations that a request reads; undefined where what it reads needs no version. */
export function relationsOf(request: ReaderRequest): readonly RelationPath[] | undefined {
  if (request.kind === 'list') return request.list.relations;
  return request.kind === 'introspect' || request.kind === 'ping'
    ? undefined
    : Reads.termsOf(request).relations;
}

/** Why a request failed. */
export interface ReaderError {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly errcode: number | undefined;
  /** Node's code. */
  readonly code: string | undefined;
  /** Whether the statement did not even begin to run. */
  readonly preparing: boolean;
}

/** What the reader found in one snapshot of the file. */
export interface ReaderFinding {
  readonly value: unknown;
  /** Whether what was read has the version of the file. */
  readonly versioned: boolean;
}

/** What a reader finds of a whole list before it is through. */
export type ListProgress =
  | (Pick<Lists.ListBeginning, 'total' | 'misfit'> & { readonly versioned: boolean })
  | { readonly lines: Lists.RecordLines };

/** How many bytes the reply has that is sent next, where it is large. */
export interface ReplySize {
  readonly replyBytes: number;
}

/** Sent while a request is under way. The reader goes on when the server has taken it. */
export interface ReaderProgress {
  readonly progress: ListProgress | ReplySize;
}

/** The server has taken the last progress. */
export interface ProgressTaken {
  readonly taken: true;
}

/** What the reader answers, with its statements where the message asked for them. */
export type ReaderReply = { readonly report?: StatementReport } & (
  | ({ readonly ok: true } & ReaderFinding)
  | ({ readonly ok: false } & ReaderError)
);
