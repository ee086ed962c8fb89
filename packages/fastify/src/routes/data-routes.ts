import type { Route } from '../endpoint/route.ts';
import { catalogueRoutes } from './catalogue.ts';
import { exportRoute } from './export.ts';
import { facetsRoute, queryRoute } from './query.ts';
import type { RouteParts } from './route-parts.ts';
import { watchRoute } from './watch.ts';

/** By their names in the options of the plugin. */
export function dataRoutes(parts: RouteParts) {
  return {
    query: [queryRoute(parts)],
    models: catalogueRoutes(parts),
    facets: [facetsRoute(parts)],
    export: [exportRoute(parts)],
    watch: [watchRoute(parts)],
  } satisfies Record<string, Route[]>;
}
