import { createServer } from 'node:http';

import { listenOnFreePort } from '@proj/test-servers';

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
  const port = await listenOnFreePort(server);
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() };
}
