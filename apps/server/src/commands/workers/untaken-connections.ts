import type { ChildProcess, Serializable } from 'node:child_process';

/** What `node:cluster` sends with a connection. */
interface Handover {
  readonly seq?: number;
}

/** What a worker answers to it, whether it takes the connection or not. */
interface Acknowledgement {
  readonly ack?: number;
}

/** A connection before it has a socket. */
interface Handle {
  close(): void;
}

type Send = (message: Serializable, handle?: unknown, ...rest: unknown[]) => boolean;

/**
 * Closes the connections that a worker was sent and had not taken when it ended. `node:cluster`
 * forgets them, and their clients would wait for ever.
 */
export function closeUntaken(worker: ChildProcess): void {
  const untaken = new Map<number, Handle>();
  const send = worker.send.bind(worker) as Send;
  const sendNoting: Send = (message, handle, ...rest) => {
    const { seq } = message as Handover;
    if (isHandle(handle) && seq !== undefined) untaken.set(seq, handle);
    return send(message, handle, ...rest);
  };
  worker.send = sendNoting;
  worker.on('internalMessage', ({ ack }: Acknowledgement) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  // Whatever it has acknowledged is read by then. Where something is untaken, Node does not emit
  // `disconnect`.
  worker.once('close', () => {
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
  });
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value;
}
