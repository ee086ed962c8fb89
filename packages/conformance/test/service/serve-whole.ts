import { type ModelEntry, readQueryRequest } from '@proj/contract';

import type { Answer, Received } from '../../../cli/test/service/answer.ts';
import type { Model } from '../../../cli/test/service/cities.ts';
import { serve, type TestService } from '../../../cli/test/service/serve.ts';
import { answer, type Behaviour } from '../../../cli/test/service/service.ts';
import { answerCounted } from './counted.ts';
import { fetchFrom } from './fetch-from.ts';
import { grouped } from './grouped.ts';
import { citiesWithParents } from './linked-cities.ts';
import { withoutRelated } from './related.ts';

/** A service with every part of the contract, also relations and groups. */
interface Whole {
  readonly model: Model;
  readonly behaviour: Behaviour;
}

/** Starts such a service. */
export async function serveWhole(count: number, wrong: Behaviour = {}): Promise<TestService> {
  const { model, behaviour } = whole(count, wrong);
  return serve(model, behaviour);
}

/** `fetch` of such a service in this process, without a connection. */
export function fetchWhole(count: number, wrong: Behaviour = {}): typeof fetch {
  const { model, behaviour } = whole(count, wrong);
  return fetchFrom(model, behaviour);
}

function whole(count: number, behaviour: Behaviour): Whole {
  const model = citiesWithParents(count);
  const changed = new WeakMap<Received, Received>();
  return {
    model,
    behaviour: {
      ...behaviour,
      before: (request) => {
        const received = behaviour.before?.(request) ?? request;
        changed.set(request, received);
        return plain(received, model);
      },
      after: (answered, request) => {
        const received = changed.get(request) ?? request;
        const { slips = {} } = behaviour;
        const counted = answerCounted(plain(received, model), model, (asked, of) =>
          answer(asked, of, { slips }),
        );
        const parts = counted ?? inGroups(answered, received, { model, slips });
        const shown = withoutPaths(parts, request);
        return behaviour.after?.(shown, request) ?? shown;
      },
    },
  };
}

/** A request of which each filter compares attributes alone. */
function plain(request: Received, model: Model): Received {
  const body = bodyOf(request);
  if (body === undefined || !request.body.includes('"related"')) return request;
  const filter = withoutRelated(body['query_filter'], model);
  return { ...request, body: Buffer.from(JSON.stringify({ ...body, query_filter: filter })) };
}

/** The answer to a request for groups, in place of one that does not know of them. */
function inGroups(
  answered: Answer,
  request: Received,
  { model, slips }: { model: Model; slips: NonNullable<Behaviour['slips']> },
): Answer {
  const isAnswered = answered.status === 200 || answered.status === 400;
  const body = bodyOf(request);
  if (!isAnswered || !request.path.endsWith('/query') || body === undefined) return answered;
  const reading = readQueryRequest(body);
  if (!reading.ok || reading.request.query_groups === undefined) return answered;
  const { query_groups: _groups, query_aggregates: _aggregates, ...list } = body;
  const { query_group_filter: query_filter, ...others } = list;
  const asked = { ...others, query_filter };
  const groups = grouped(model, reading.request, slips);
  return answer({ ...request, body: Buffer.from(JSON.stringify(asked)) }, groups, { slips });
}

function shownEntry(entry: ModelEntry): ModelEntry {
  const attributes = entry.attributes.filter(({ name }) => !name.includes('.'));
  return { ...entry, attributes };
}

/** The catalogue shows no attribute at the end of a path. */
function withoutPaths(answered: Answer, { path }: Received): Answer {
  if (answered.status !== 200 || !path.includes('/models')) return answered;
  const body = answered.body as ModelEntry | { readonly models: readonly ModelEntry[] };
  return {
    ...answered,
    body: 'models' in body ? { models: body.models.map(shownEntry) } : shownEntry(body),
  };
}

/** Undefined where it is no JSON object. */
function bodyOf({ body }: Received): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
