// Asks for pages with several clients that keep their connections, until SIGTERM. Then it
// prints how many replies were right, and what was wrong with the others.
// Arguments: the URL to ask, the token, the number of clients, the total that is expected.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

const [url = '', token = '', clients = '', total = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) });
const body = JSON.stringify({
  query_model: 'orders',
  query_attributes: ['id', 'customer'],
  page: { page: 2, size: 10 },
});

const stopping = new AbortController();
let right = 0;
const wrong: string[] = [];

process.on('SIGTERM', () => stopping.abort());
await Promise.all(Array.from({ length: Number(clients) }, askOnAndOn));
agent.destroy();
console.log(JSON.stringify({ right, wrong: wrong.slice(0, 5), wrongCount: wrong.length }));

async function askOnAndOn(): Promise<void> {
  while (!stopping.signal.aborted) {
    const reply = await ask().catch(String);
    if (reply.includes(`"total":"${total}"`) && reply.includes('{"id":"11"')) right++;
    else wrong.push(reply);
  }
}

async function ask(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  request(url, { agent, method: 'POST', headers })
    .on('response', (response) => void text(response).then(resolve, reject))
    .on('error', reject)
    .end(body);
  return promise;
}
