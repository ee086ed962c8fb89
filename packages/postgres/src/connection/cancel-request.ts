import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';

import type { Client } from 'pg';

export interface BackendKey {
  readonly processId: number;
  readonly secret: number;
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, CancelRequest */
const CANCEL_REQUEST_CODE = 80_877_102;

export function backendKeyOf(client: Client): BackendKey {
  const { processID, secretKey } = client as Client & {
    processID: number | null;
    secretKey: number | null;
  };
  return { processId: processID ?? 0, secret: secretKey ?? 0 };
}

/** Works on a full server, as it needs no login. True: later statements are safe. */
export async function sendCancelRequest(client: Client, timeoutMs: number): Promise<boolean> {
  const socket = connect(addressOf(client));
  try {
    socket.resume().write(cancelMessage(backendKeyOf(client)));
    await once(socket, 'end', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The connection's own server: its name may resolve to another by now. */
function addressOf({ host, port, connection }: Client): NetConnectOpts {
  if (host.startsWith('/')) return { path: `${host}/.s.PGSQL.${port}` };
  const { remoteAddress, remotePort } = connection.stream as Socket;
  return { host: remoteAddress ?? host, port: remotePort ?? port };
}

function cancelMessage({ processId, secret }: BackendKey): Buffer {
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  message.writeInt32BE(processId, 8);
  message.writeInt32BE(secret, 12);
  return message;
}
