import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import type { ProblemCode } from '@proj/contract';
import accepts from 'accepts';

import type { Principal } from './principal.ts';

/** The largest body: 200 attribute names of 300 bytes fit. */
export const BODY_LIMIT = 64 * 1024;

/** What a query read: names and numbers, and no values. */
export interface QueryFacts {
  readonly model: string | null;
  readonly models: string[];
  readonly attributes: string[];
  readonly page: number | null;
  readonly size: number | null;
  readonly rows: number;
}

/** What writes the log of a request. */
export interface AskLog {
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/**
 * A request, as any adapter tells of it, and what becomes of it. Nothing is made before it is asked
 * for.
 */
export abstract class Ask {
  abstract readonly id: string;
  /** The request of the host, of which it finds out who asks. */
  abstract readonly origin: unknown;
  abstract readonly method: string;
  /** The address that the request came from. */
  abstract readonly address: string;
  /** Whether the caller's HTTP has no chunks. */
  abstract readonly isHttp10: boolean;
  /** The JSON of the body, once it was read. */
  abstract readonly body: unknown;
  abstract readonly log: AskLog;
  /** Whether the last byte of the reply was sent. */
  abstract readonly isSent: boolean;
  /** Whether nobody waits for the reply any longer. */
  abstract readonly isOver: boolean;
  /** What a stream of events may write to directly; undefined where only its bytes are read. */
  abstract readonly response: ServerResponse | undefined;
  /** Undefined until that is known, and on public paths. */
  principal: Principal | undefined;
  /** How long finding that out took, in milliseconds. */
  accessMs = 0;
  /** What was read; undefined as long as nothing was. */
  read: QueryFacts | undefined;
  /** The code of the problem that it met. */
  problem: ProblemCode | undefined;
  /** The code of the problem for which the reply was cut after its first byte. */
  cutBy: ProblemCode | undefined;
  #left: AbortController | undefined;

  abstract header(name: string): string | undefined;
  /** A part of the path that the route names. */
  abstract parameter(name: string): string;
  /** Calls back when the reply is out, or the caller has left before that. */
  abstract onEnd(listener: () => void): void;

  /** Aborts when the caller leaves before the last byte of the reply. */
  get signal(): AbortSignal {
    if (this.#left !== undefined) return this.#left.signal;
    const left = new AbortController();
    this.#left = left;
    if (this.isOver) left.abort();
    this.onEnd(() => {
      if (!this.isSent) left.abort();
    });
    return left.signal;
  }

  /** Releases something when the reply has ended; at once where its caller has already left. */
  releaseAtEnd(release: () => void): void {
    if (this.isOver) release();
    else this.onEnd(release);
  }

  /** The type that the caller takes first (RFC 9110 §12.5.1); undefined where it takes none. */
  accepts<Type extends string>(types: readonly Type[]): Type | undefined {
    const type = accepts({ headers: { accept: this.header('accept') } } as never).type([...types]);
    return types.find((known) => known === type);
  }
}

/** The caller of a path that asks who calls. */
export function principalOf({ principal }: Pick<Ask, 'principal'>): Principal {
  if (principal === undefined) throw new Error('The path does not ask who calls.');
  return principal;
}

/** A reply, before any adapter sends it. */
export interface Answer {
  readonly status: number;
  /** A header without a value is not sent, though the host sends it with other replies. */
  headers: Record<string, string | undefined>;
  readonly body?: string | Readable;
  /** Sent after a stream, to callers who take trailers. */
  readonly trailers?: Readonly<Record<string, () => string>>;
  /** Whether the headers are sent at once: the first byte may be long in coming. */
  readonly beginsEarly?: true;
}
