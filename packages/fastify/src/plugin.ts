import { createClient, type DynamicQueryClient } from '@proj/client';
import { SettingsError } from '@proj/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { NOWHERE, nothingHere, refusals } from './endpoint/route.ts';
import { askOf, rawBody, send, serve } from './fastify/fastify-ask.ts';
import type { DataOptions } from './service/data-options.ts';
import { type DataService, openData } from './service/data-service.ts';
import { webHandler } from './web/web-handler.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Reads as the caller of this request, without a connection. */
    readonly dynamicQuery: DynamicQueryClient;
  }
}

export interface DynamicQueryOptions extends DataOptions<FastifyRequest> {
  /** Name on requests; a second instance needs another one. @default 'dynamicQuery' */
  readonly decorator?: string;
}

/**
 * Serves the models of a database below a prefix. Outside it adds only `request.dynamicQuery`: no
 * hook, parser, error handler or method.
 *
 * @throws {SettingsError} when it is registered, naming each invalid option
 */
export const dynamicQuery = fp<DynamicQueryOptions>(
  async (app, options) => {
    const { decorator = 'dynamicQuery' } = options;
    if (app.hasRequestDecorator(decorator))
      throw new SettingsError(
        `decorator: request.${decorator} is taken. Give this instance a name of its own.`,
      );
    const data = await openData(options);
    app.decorateRequest(decorator, { getter: clientsOf(data) });
    await app.register(async (scope) => serveData(scope, data), { prefix: data.prefix });
  },
  { name: '@proj/fastify', fastify: '5.x' },
);

function serveData(scope: FastifyInstance, { routes, pipeline, endReplies, close }: DataService) {
  // First: a route that the app has already would leave the database open.
  scope.addHook('onClose', close);
  rawBody(scope);
  // OPTIONS is for the app's CORS.
  const methods = scope.supportedMethods.filter((method) => method !== 'OPTIONS');
  for (const route of [...routes, ...refusals(routes, methods)])
    // The app may allow parameters of fewer characters than a name has.
    serve(scope, { ...route, path: route.path.replace(/:\w+$/, '*') }, { pipeline });
  // At an app's own root, the app decides.
  if (scope.prefix !== '')
    scope.setNotFoundHandler(async (request, reply) =>
      send(reply, await pipeline.fail(NOWHERE, askOf(request, reply), nothingHere())),
    );
  scope.addHook('preClose', async () => endReplies());
}

/** The client of each request, made on first use. */
function clientsOf({ routes, pipeline }: DataService) {
  const handle = webHandler({ routes, pipeline, prefix: '' });
  const clients = new WeakMap<FastifyRequest, DynamicQueryClient>();
  return function clientOf(this: FastifyRequest): DynamicQueryClient {
    const known = clients.get(this);
    if (known !== undefined) return known;
    const { id, log } = this;
    const client = createClient({
      // Nothing leaves the process, and the app has identified the caller.
      baseUrl: 'http://localhost',
      token: 'none',
      fetch: (request) => handle(request, { origin: this, id, log }),
      retries: 0,
      method: 'post',
    });
    clients.set(this, client);
    return client;
  };
}
