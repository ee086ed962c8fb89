/** A process that follows the changes of a server, and says so when it does. */
import { ReplicationConnection } from '../../../postgres/src/feed/protocol/replication.ts';

const [url = '', senderTimeoutMs] = process.argv.slice(2);

const connection = new ReplicationConnection({ connectionString: url }, Number(senderTimeoutMs));
await connection.connect();
await connection.createSlot('followed');
await connection.start(
  'followed',
  { publication: 'dynamic_query', serverVersion: 130_000 },
  { onMessage: () => undefined, onPosition: () => undefined },
);
process.send?.('follows');
