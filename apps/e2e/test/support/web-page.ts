import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { anyPort } from './any-port.ts';

/** A page on an origin of its own. */
export interface WebPage {
  readonly origin: string;
  readonly stop: () => void;
}

/** Serves a page that consists of one script. */
export async function serveScript(script: string): Promise<WebPage> {
  const server = createServer((request, response) => {
    if (request.url === '/script.js')
      response.setHeader('content-type', 'text/javascript').end(script);
    else
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><script type="module" src="script.js"></script>');
  });
  const port = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() };
}

/** A port that somebody else has taken costs another try. */
async function listen(server: Server): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = anyPort();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
}
