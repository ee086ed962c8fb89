import type { Socket } from 'node:net';

import { QueryFailedError, type QueryFailure, SettingsError } from '@proj/engine';

/** By name: what is sent, and what comes back. */
export type Questions = Readonly<Record<string, readonly [sent: unknown, answer: unknown]>>;

export type Handlers<Answered extends Questions> = {
  readonly [Name in keyof Answered]: (
    sent: Answered[Name][0],
    connection?: Socket,
  ) => Answered[Name][1] | Promise<Answered[Name][1]>;
};

export interface Port {
  send(message: object, connection?: Socket): void;
  onMessage(listener: (message: unknown, connection?: Socket) => void): void;
}

/** No id: nobody waits for the answer. */
interface Question {
  readonly name: string;
  readonly sent: unknown;
  readonly id?: number;
}

interface SentError {
  readonly message: string;
  /** Undefined for unforeseen errors. */
  readonly kind: 'settings' | QueryFailure | undefined;
  readonly stack: string | undefined;
}

type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: SentError };

export class Channel<Asked extends Questions, Answered extends Questions> {
  readonly #port: Port;
  readonly #handlers: Handlers<Answered>;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #closed: Error | undefined;

  constructor(port: Port, handlers: Handlers<Answered>) {
    this.#port = port;
    this.#handlers = handlers;
    port.onMessage((message, connection) => this.#take(message as Question | Reply, connection));
  }

  /** @param connection handed over with the question, and kept open here too */
  async ask<Name extends keyof Asked & string>(
    name: Name,
    sent: Asked[Name][0],
    connection?: Socket,
  ): Promise<Asked[Name][1]> {
    if (this.#closed !== undefined) throw this.#closed;
    const id = (this.#lastId += 1);
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#port.send({ name, sent, id } satisfies Question, connection);
    return pending.promise;
  }

  tell<Name extends keyof Asked & string>(name: Name, sent: Asked[Name][0]): void {
    if (this.#closed === undefined) this.#port.send({ name, sent } satisfies Question);
  }

  /** Stops answering, and rejects pending answers. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  #take(message: Question | Reply, connection?: Socket): void {
    if (this.#closed !== undefined) return;
    if ('name' in message) {
      void this.#answer(message, connection);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('error' in message) pending?.reject(fromSentError(message.error));
    else pending?.resolve(message.answer);
  }

  async #answer({ name, sent, id }: Question, connection?: Socket): Promise<void> {
    try {
      const answer: unknown = await this.#handlers[name]?.(sent, connection);
      if (id !== undefined) this.#reply({ id, answer });
    } catch (error) {
      if (id === undefined) throw error;
      this.#reply({ id, error: toSentError(error) });
    }
  }

  #reply(reply: Reply): void {
    if (this.#closed === undefined) this.#port.send(reply);
  }
}

function toSentError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof SettingsError) return { message, stack, kind: 'settings' };
  const kind = error instanceof QueryFailedError ? error.code : undefined;
  return { message, stack, kind };
}

function fromSentError({ message, kind, stack }: SentError): Error {
  if (kind === 'settings') return new SettingsError(message);
  if (kind !== undefined) return new QueryFailedError(kind, message);
  return Object.assign(new Error(message), { stack });
}
