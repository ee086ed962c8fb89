import { type Engine, Grant } from '@proj/engine';

import { exported } from '../../../exported.ts';
import type { Random } from '../../../truth/random.ts';
import { LEVELS, type Model, MODELS, type Row, type Tenant, TENANTS } from './world.ts';

/** What is asked for: a page, the counts of levels as facets or as groups, or the whole list. */
type Kind =
  | { readonly kind: 'page'; readonly page: number; readonly size: number }
  | { readonly kind: 'facets' | 'groups' | 'export' };

/** What a tenant asks of a model. */
export type Request = Kind & { readonly model: Model; readonly tenant: Tenant };

/** A reply in the form of {@link expectedReply}, as JSON. */
export type Reply = string;

/** Who may be asked. */
export type Asked = Pick<Engine, 'query' | 'facets' | 'export'>;

/** Few enough to be asked again and again; the last pages are asked for now and then. */
export function anyRequest(random: Random, models: readonly [Model, ...Model[]] = MODELS): Request {
  const asker = { model: random.pick(models), tenant: random.pick(TENANTS) };
  const kind = random.pick(['page', 'page', 'page', 'page', 'facets', 'groups', 'export']);
  if (kind !== 'page') return { ...asker, kind };
  return { ...asker, kind, page: random.pick([1, 1, 2, 9]), size: random.pick([5, 20]) };
}

/** What the caller of a tenant may see: every model, as the database shows it to the tenant. */
function grantOf(tenant: Tenant): Grant {
  const trusts = ['grade()', 'stored_level()'];
  return new Grant('all', { role: 'tenant', settings: { 'app.tenant': tenant }, trusts });
}

const ATTRIBUTES = ['id', 'tenant', 'level', 'n'];

/** Asks an engine. */
export async function replyOf(request: Request, engine: Asked): Promise<Reply> {
  const { model, tenant } = request;
  const grant = grantOf(tenant);
  if (request.kind === 'export') {
    const { records, total } = await exported(engine, { model, attributes: ATTRIBUTES }, { grant });
    return JSON.stringify({ records, total: String(total) });
  }
  if (request.kind === 'facets') {
    const body = { query_model: model, query_facets: [LEVEL_COUNTS] };
    const { json } = await engine.facets(body, grant);
    const { facets, total } = JSON.parse(json) as FacetsReply;
    return JSON.stringify({ records: facets[0]?.values, total });
  }
  const { result, page } = await engine.query(bodyOf(request), grant);
  return JSON.stringify({ records: JSON.parse(result), total: page.total });
}

const LEVEL_COUNTS = { attribute: 'level', values: LEVELS.length, sort: 'value' };

interface FacetsReply {
  readonly facets: readonly { readonly values: unknown }[];
  readonly total: string;
}

function bodyOf(request: Request): object {
  if (request.kind !== 'page')
    return {
      query_model: request.model,
      query_attributes: ['level', 'rows', 'sum'],
      query_groups: [{ attribute: 'level' }],
      query_aggregates: [
        { name: 'rows', op: 'count' },
        { name: 'sum', op: 'sum', attribute: 'n' },
      ],
      page: { page: 1, size: 10 },
    };
  const { model, page, size } = request;
  return { query_model: model, query_attributes: ATTRIBUTES, page: { page, size } };
}

/** What shows these rows, worked out anew. */
export function expectedReply(rows: readonly Row[], request: Request): Reply {
  const total = String(rows.length);
  if (request.kind === 'export') return JSON.stringify({ records: rows, total });
  if (request.kind === 'page') {
    const end = request.page * request.size;
    return JSON.stringify({ records: rows.slice(end - request.size, end), total });
  }
  const byLevel = LEVELS.map((level) => ({
    level,
    own: rows.filter((row) => row.level === level),
  }));
  const found = byLevel.filter(({ own }) => own.length > 0);
  if (request.kind === 'facets') {
    const values = found.map(({ level, own }) => ({ value: level, count: String(own.length) }));
    return JSON.stringify({ records: values, total });
  }
  const groups = found.map(({ level, own }) => {
    const sum = own.reduce((before, { n }) => before + n, 0);
    return { level, rows: String(own.length), sum: String(sum) };
  });
  return JSON.stringify({ records: groups, total: String(groups.length) });
}
