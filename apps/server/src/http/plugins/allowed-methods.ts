import { METHODS } from 'node:http';

import { HttpProblem } from '@proj/fastify/host';
import type { FastifyInstance } from 'fastify';

interface AllowedMethodsOptions {
  readonly routes: (scope: FastifyInstance) => Promise<void>;
}

/** Answers every other method on the routes' paths with 405 and `Allow` (RFC 9110 §15.5.6). */
export async function allowedMethodsPlugin(
  app: FastifyInstance,
  { routes }: AllowedMethodsOptions,
): Promise<void> {
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const allowed = new Map<string, Set<string>>();
  await app.register(async (scope) => {
    scope.addHook('onRoute', ({ url, method }) => {
      const methods = allowed.get(url) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      allowed.set(url, methods);
    });
    await routes(scope);
  });
  for (const [url, methods] of allowed) refuseOthers(app, url, [...methods]);
}

function refuseOthers(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  const allow = [...allowed].toSorted().join(', ');
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    config: { access: 'public' },
    // Before the body is read, because any body has the wrong method.
    onRequest: () => {
      throw new HttpProblem('method_not_allowed', `${url} takes ${allow}.`, { headers: { allow } });
    },
    handler: () => undefined,
  });
}
