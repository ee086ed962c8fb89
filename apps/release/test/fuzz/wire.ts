import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { FuzzRequest } from './request.ts';
import { type RawReply, readReplies } from './replies.ts';

/** What came back. */
export interface Exchange {
  readonly replies: readonly RawReply[];
  /** What came and is no whole reply. */
  readonly rest: string;
  /** Whether nothing came, nor the end of the connection, in the time that there was. */
  readonly hung: boolean;
}

/** A connection on which usual requests follow one another, and new ones for the others. */
export class Wire {
  readonly #port: number;
  readonly #timeoutMs: number;
  #kept: Socket | undefined;

  /** @param timeoutMs how long a reply may take, in milliseconds */
  constructor(port: number, timeoutMs: number) {
    this.#port = port;
    this.#timeoutMs = timeoutMs;
  }

  async send({ kind, method, bytes }: FuzzRequest): Promise<Exchange> {
    const isUsual = kind === 'body';
    const socket = (isUsual ? this.#kept : undefined) ?? (await this.#open());
    if (isUsual) this.#kept = socket;
    const read = this.#read(socket, method, (replies) => isUsual && replies.length > 0);
    socket.write(bytes, 'latin1');
    // The service may wait for the rest of a request that will not come.
    if (!isUsual) socket.end();
    const exchange = await read;
    const mayGoOn = isUsual && socket.writable && exchange.rest === '';
    const says = exchange.replies.at(-1)?.headers['connection'];
    if (!mayGoOn || says === 'close') this.#drop(socket);
    return exchange;
  }

  close(): void {
    this.#kept?.destroy();
  }

  async #open(): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    socket.setMaxListeners(0);
    await once(socket, 'connect');
    // A server may close while the rest is still on its way; what it said before counts.
    socket.on('error', () => undefined);
    return socket;
  }

  #drop(socket: Socket): void {
    socket.destroy();
    if (this.#kept === socket) this.#kept = undefined;
  }

  async #read(
    socket: Socket,
    method: string,
    isEnough: (replies: readonly RawReply[]) => boolean,
  ): Promise<Exchange> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (isEnough(readReplies(text, method).replies)) resolve(false);
    };
    const onClose = (): void => resolve(false);
    // That nothing comes can only be said of a time.
    const timer = setTimeout(() => resolve(true), this.#timeoutMs);
    socket.on('data', onData).once('close', onClose);
    const hung = await promise;
    clearTimeout(timer);
    socket.off('data', onData).off('close', onClose);
    return { ...readReplies(text, method), hung };
  }
}
