import { type Engine, EVERYTHING, type Grant } from '@proj/engine';

/** A record as a caller reads it. */
export type AnyRecord = Record<string, unknown>;

type Group = string | { readonly attribute: string; readonly by?: string | undefined };

/** Members of a request for a list. */
interface Members {
  readonly query_model: string;
  readonly query_groups?: readonly Group[];
  readonly query_aggregates?: readonly {
    readonly name: string;
    readonly op?: string;
    readonly attribute?: string;
  }[];
  readonly [member: string]: unknown;
}

/** A whole request: where it says no more, for the first hundred ids, or all that groups have. */
export function listOf(members: Members): object {
  const { query_groups: groups = [], query_aggregates: aggregates = [] } = members;
  const named = [...groups.map(nameOf), ...aggregates.map(({ name }) => name)];
  const query_attributes = named.length > 0 ? named : ['id'];
  return { query_attributes, page: { page: 1, size: 100 }, ...members };
}

function nameOf(group: Group): string {
  if (typeof group === 'string') return group;
  return group.by === undefined ? group.attribute : `${group.attribute}.${group.by}`;
}

export async function recordsOf(
  engine: Engine,
  members: Members,
  grant: Grant = EVERYTHING,
): Promise<AnyRecord[]> {
  const { result } = await engine.query(listOf(members), grant);
  return JSON.parse(result) as AnyRecord[];
}

/** The ids of all records that a filter keeps, which have to be as many as the total says. */
export async function idsOf(
  engine: Engine,
  model: string,
  filter?: unknown,
  grant: Grant = EVERYTHING,
): Promise<number[]> {
  const where = filter !== undefined && { query_filter: filter };
  const body = listOf({ query_model: model, page: { page: 1, size: 1000 }, ...where });
  const { result, page } = await engine.query(body, grant);
  const ids = (JSON.parse(result) as AnyRecord[]).map(({ id }) => Number(id));
  if (page.total !== String(ids.length)) throw new Error(`${ids.length} ids of ${page.total}`);
  return ids;
}
