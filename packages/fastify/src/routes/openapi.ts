import type { Route } from '../endpoint/route.ts';
import { tagged } from '../endpoint/entity-tag.ts';
import type { Described, OpenApiVersion } from '../openapi/document.ts';
import { JSON_TYPE } from '../endpoint/content-type.ts';

/** By version of OpenAPI. */
const DOCUMENTS = {
  'openapi-3.0.json': '3.0.4',
  'openapi.json': '3.1.1',
  'openapi-3.2.json': '3.2.0',
} as const satisfies Record<string, OpenApiVersion>;

/** `GET /openapi.json` and other versions. They name no model, so anybody may read them. */
export function openApiRoutes(described: Described): Route[] {
  return Object.entries(DOCUMENTS).map(([path, version]) => openApiRoute(path, version, described));
}

function openApiRoute(path: string, version: OpenApiVersion, described: Described): Route {
  let text: Promise<string> | undefined;
  return {
    methods: ['GET'],
    path,
    access: 'public',
    answer: async (ask) => {
      text ??= writeDocument(version, described);
      const headers = { 'cache-control': 'public, no-cache', 'content-type': JSON_TYPE };
      return tagged(ask, { status: 200, headers, body: await text });
    },
  };
}

/** Made on the first request, so that the start does not wait for it. */
async function writeDocument(version: OpenApiVersion, described: Described): Promise<string> {
  const { openApiDocument } = await import('../openapi/document.ts');
  return JSON.stringify(openApiDocument(version, described));
}
