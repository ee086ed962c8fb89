import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { listenOnFreePort } from '@proj/test-servers';

/** Stands for a proxy that leads the statements of one session to several servers. */
export interface StatementRouter {
  readonly url: string;
  close(): Promise<void>;
}

const HEADER = 4;

/** The version of the protocol, and the server's own version behind it, before the number. */
const GREETED = HEADER + 1;

const QUERY = 3;

/** What a router may send to all servers; each answers with one packet. */
const SESSION_WIDE = /^(set|start|commit|rollback)\b/;

/**
 * Starts a test double of a proxy before two MariaDB servers that ask for no passwords. It sends
 * texts of statements to them in turn, and prepared ones to the first.
 *
 * @param sharesSettings whether settings and transactions reach both
 */
export async function startStatementRouter(
  servers: readonly [string, string],
  { sharesSettings }: { readonly sharesSettings: boolean },
): Promise<StatementRouter> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const [first, second] = servers.map((url) => connect(Number(new URL(url).port), '127.0.0.1'));
    if (first === undefined || second === undefined) throw new Error('Two servers are needed.');
    for (const socket of [client, first, second]) {
      open.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => [first, second].forEach((socket) => socket.destroy()));
    void route(client, [first, second], sharesSettings).catch(() => client.destroy());
  });
  const port = await listenOnFreePort(server);
  return {
    url: `mysql://root@127.0.0.1:${port}/test`,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

async function route(
  client: Socket,
  [first, second]: readonly [Socket, Socket],
  sharesSettings: boolean,
): Promise<void> {
  const greetings = await Promise.all([first, second].map((socket) => once(socket, 'data')));
  const [[greeting]] = greetings as [[Buffer], [Buffer]];
  const number = greeting.indexOf(0, GREETED) + 1;
  greeting.writeUInt32LE(4_000_000_000, number);
  client.write(greeting);
  const [login] = (await once(client, 'data')) as [Buffer];
  const welcomes = [first, second].map((socket) => once(socket, 'data'));
  first.write(login);
  second.write(login);
  const [[welcome]] = (await Promise.all(welcomes)) as [[Buffer], [Buffer]];
  client.write(welcome);
  let turn = 0;
  /** What the first has answered while the second has not, whose answer nobody gets. */
  let held: Buffer[] | undefined;
  first.on('data', (chunk: Buffer) => (held ? held.push(chunk) : client.write(chunk)));
  second.on('data', (chunk: Buffer) => {
    for (const answer of held ?? [chunk]) client.write(answer);
    held = undefined;
  });
  client.on('data', (command: Buffer) => {
    const isText = command[HEADER] === QUERY;
    const text = command.toString('utf8', HEADER + 1).toLowerCase();
    const isShared = sharesSettings && isText && SESSION_WIDE.test(text);
    const isFirst = isShared || !isText || turn++ % 2 === 0;
    if (isShared) held = [];
    if (isFirst) first.write(command);
    if (isShared || !isFirst) second.write(command);
  });
}
