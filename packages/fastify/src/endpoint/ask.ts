import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import type { ProblemCode } from '@proj/contract';
import type { BodyNotes, Call, Grant, ReplicaCall } from '@proj/engine';
import Negotiator from 'negotiator';

/** Fits 200 attribute names of 300 bytes. */
export const BODY_LIMIT = 64 * 1024;

export interface Principal {
  readonly name: string;
  /** Opaque and unique, unlike names: an issuer may name somebody like a token. */
  readonly id: string;
  /** Null for the admin token. */
  readonly role: string | null;
  /** Read it in the synchronous step that uses it: a reload changes the catalogue. */
  readonly grant: Grant;
  /** As whom the database reads, with names of settings only; absent: as the service. */
  readonly session?: { readonly role: string; readonly settings: string[] } | undefined;
  /** Whether replies hide the version of the data. @default false */
  readonly hidesDataVersion?: boolean;
  /** Whether replicas may answer. @default false */
  readonly usesReplicas?: boolean;
}

/** What a query read: names and numbers, no values. */
export interface QueryFacts {
  readonly model: string | null;
  readonly models: string[];
  readonly attributes: string[];
  readonly page: number | null;
  readonly size: number | null;
  readonly rows: number;
}

type Say = (facts: object, message: string) => void;

export type AskLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', Say>>;

const say = (): void => undefined;

export const SILENT: AskLog = { debug: say, info: say, warn: say, error: say };

/** A request as an adapter sees it, and what becomes of it. Computes lazily. */
export abstract class Ask implements Call {
  abstract readonly id: string;
  /** The host's request, which identifies the caller. */
  abstract readonly origin: unknown;
  abstract readonly method: string;
  /** With the prefix of the app, without a query. */
  abstract readonly path: string;
  abstract readonly address: string;
  /** HTTP/1.0 has no chunks. */
  abstract readonly isHttp10: boolean;
  abstract readonly log: AskLog;
  /** Of the reply, once it is sent. */
  abstract readonly status: number;
  /** Whether the whole reply was handed over, which its caller may not have taken yet. */
  abstract readonly isWritten: boolean;
  abstract readonly isSent: boolean;
  /** Whether nobody waits for the reply any longer. */
  abstract readonly isOver: boolean;
  /** A stream of events may write to it directly; undefined where only its bytes are read. */
  abstract readonly response: ServerResponse | undefined;
  readonly #began = performance.now();
  /** The JSON of the body, once it was read. */
  body: unknown;
  notes: BodyNotes | undefined;
  replicas: ReplicaCall | undefined;
  /** Undefined until identified, and on public paths. */
  principal: Principal | undefined;
  accessMs = 0;
  read: QueryFacts | undefined;
  problem: ProblemCode | undefined;
  /** Why the reply was cut after its first byte. */
  cutBy: ProblemCode | undefined;
  #left: AbortController | undefined;

  abstract header(name: string): string | undefined;
  abstract parameter(name: string): string;
  abstract onEnd(listener: () => void): void;

  get caller(): string | undefined {
    return this.principal?.id;
  }

  get elapsedMs(): number {
    return performance.now() - this.#began;
  }

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

  /** Releases something when the reply has ended; at once if the caller has already left. */
  releaseAtEnd(release: () => void): void {
    if (this.isOver) release();
    else this.onEnd(release);
  }

  /** The caller's preferred type (RFC 9110 §12.5.1); undefined where it takes none. */
  accepts<Type extends string>(types: readonly Type[]): Type | undefined {
    const asked = this.header('accept') || '*/*';
    const isPlain = asked === '*/*' || asked === types[0];
    const type = isPlain ? types[0] : this.#negotiator('accept').mediaType([...types]);
    return types.find((known) => known === type);
  }

  /** The caller's preferred coding of these, or `identity` (RFC 9110 §12.5.3). */
  acceptsEncoding(codings: readonly string[]): string {
    return this.#negotiator('accept-encoding').encoding([...codings, 'identity']) ?? 'identity';
  }

  #negotiator(name: string): Negotiator {
    return new Negotiator({ headers: { [name]: this.header(name) || undefined } });
  }
}

/** The caller's `X-Request-Id` if short and plain enough for a log, or a new one. */
export function requestId(given: unknown): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(given)
    ? given
    : randomUUID();
}

export function principalOf({ principal }: Pick<Ask, 'principal'>): Principal {
  if (principal === undefined) throw new Error('The path does not ask who calls.');
  return principal;
}

export interface Answer {
  readonly status: number;
  /** A header without a value is not sent, even if the host adds it to other replies. */
  headers: Record<string, string | undefined>;
  readonly body?: string | Uint8Array | Readable;
  /** Sent after a stream, to callers who take trailers. */
  readonly trailers?: Readonly<Record<string, () => string>>;
  /** Sends the headers at once, where the first byte may take long. */
  readonly beginsEarly?: true;
}
