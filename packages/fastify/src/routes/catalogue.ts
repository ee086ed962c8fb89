import { API_PATHS } from '@proj/contract';
import { catalogueDocument, catalogueEntry } from '@proj/engine';

import { type Answer, type Ask, principalOf } from '../endpoint/ask.ts';
import type { Route } from '../endpoint/route.ts';
import { tagged } from '../endpoint/entity-tag.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { acceptsJson, JSON_TYPE } from '../endpoint/content-type.ts';
import type { RouteParts } from './route-parts.ts';

export function catalogueRoutes({ engine }: RouteParts): Route[] {
  const route = { methods: ['GET'], access: 'caller', check: acceptsJson } as const;
  return [
    {
      ...route,
      path: API_PATHS.models,
      answer: (ask) => json(ask, catalogueDocument(engine.catalogue, principalOf(ask).grant)),
    },
    {
      ...route,
      path: `${API_PATHS.models}/:name`,
      answer: (ask) => {
        const { grant } = principalOf(ask);
        const entry = catalogueEntry(engine.catalogue, grant, ask.parameter('name'));
        if (entry !== undefined) return json(ask, entry);
        throw new HttpProblem('not_found', 'No model of this name is visible to the token.');
      },
    },
  ];
}

function json(ask: Ask, document: object): Answer {
  const headers = { 'cache-control': 'private, no-cache', 'content-type': JSON_TYPE };
  return tagged(ask, { status: 200, headers, body: JSON.stringify(document) });
}
