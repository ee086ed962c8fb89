import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';

/** Which server process runs the statement, and the proof that one may stop it. */
export interface BackendKey {
  readonly processId: number;
  readonly secret: number;
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, CancelRequest */
const CANCEL_REQUEST_CODE = 80_877_102;

/**
 * Asks the server to stop what a process of it runs. The request goes over a connection of its own,
 * which needs no login and so succeeds where the server has no free connection. When the server has
 * closed it, the process has been notified: a statement that begins later is safe.
 *
 * @returns whether the server closed the connection in time
 */
export async function sendCancelRequest(
  address: NetConnectOpts,
  key: BackendKey,
  timeoutMs: number,
): Promise<boolean> {
  const socket = connect(address);
  try {
    socket.resume().write(cancelMessage(key));
    await once(socket, 'end', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function cancelMessage({ processId, secret }: BackendKey): Buffer {
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  message.writeInt32BE(processId, 8);
  message.writeInt32BE(secret, 12);
  return message;
}
