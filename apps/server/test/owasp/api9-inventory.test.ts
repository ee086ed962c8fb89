import { METHODS } from 'node:http';

import { expect, it } from 'vitest';

import { registeredPaths } from './routes.ts';
import { openShop } from './shop.ts';

const shop = await openShop();

/** Every route there is. A new one is added here on purpose, or not at all. */
const ROUTES = [
  'GET /api/v1/dynamic/models',
  'GET /api/v1/dynamic/models/:name',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/swagger-ui-bundle.js',
  'GET /docs/swagger-ui.css',
  'GET /livez',
  'GET /openapi-3.0.json',
  'GET /openapi-3.2.json',
  'GET /openapi.json',
  'GET /problems',
  'GET /problems/:code',
  'GET /readyz',
  'HEAD /api/v1/dynamic/models',
  'HEAD /api/v1/dynamic/models/:name',
  'HEAD /docs',
  'HEAD /docs/start.js',
  'HEAD /docs/swagger-ui-bundle.js',
  'HEAD /docs/swagger-ui.css',
  'HEAD /livez',
  'HEAD /openapi-3.0.json',
  'HEAD /openapi-3.2.json',
  'HEAD /openapi.json',
  'HEAD /problems',
  'HEAD /problems/:code',
  'HEAD /readyz',
  'POST /api/v1/dynamic/export',
  'POST /api/v1/dynamic/facets',
  'POST /api/v1/dynamic/query',
  'POST /api/v1/dynamic/watch',
  'QUERY /api/v1/dynamic/export',
  'QUERY /api/v1/dynamic/facets',
  'QUERY /api/v1/dynamic/query',
  'QUERY /api/v1/dynamic/watch',
];

it('the routes that take a method are those of the list', async () => {
  const found: string[] = [];
  for (const path of registeredPaths(shop.app)) {
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      const url = path.replace(':name', 'orders').replace(':code', 'internal');
      const { statusCode } = await shop.app.inject({ method: method as 'GET', url });
      if (statusCode !== 405) found.push(`${method} ${path}`);
    }
  }
  expect(found.toSorted()).toEqual(ROUTES);
});

it('no path is registered that the list does not name', () => {
  const paths = new Set(ROUTES.map((route) => route.replace(/^\w+ /, '')));
  expect(registeredPaths(shop.app)).toEqual([...paths].toSorted());
});
