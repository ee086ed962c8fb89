import { WRONG_DATA } from './wrong-servers/data.ts';
import { WRONG_EXPORTS } from './wrong-servers/exports.ts';
import { WRONG_FACETS } from './wrong-servers/facets.ts';
import { WRONG_GROUPS } from './wrong-servers/groups.ts';
import { WRONG_HTTP } from './wrong-servers/http.ts';
import { WRONG_RELATED_COUNTS } from './wrong-servers/related-counts.ts';
import { WRONG_RELATIONS } from './wrong-servers/relations.ts';
import { WRONG_REFUSALS } from './wrong-servers/refusals.ts';
import { WRONG_QUERY_METHOD } from './wrong-servers/query-method.ts';
import { WRONG_WATCHES } from './wrong-servers/watches.ts';
import type { Variant } from './wrong-servers/variant.ts';

export const WRONG_SERVERS: Readonly<Record<string, Variant>> = {
  ...WRONG_DATA,
  ...WRONG_REFUSALS,
  ...WRONG_HTTP,
  ...WRONG_QUERY_METHOD,
  ...WRONG_EXPORTS,
  ...WRONG_WATCHES,
  ...WRONG_FACETS,
  ...WRONG_RELATIONS,
  ...WRONG_RELATED_COUNTS,
  ...WRONG_GROUPS,
};
