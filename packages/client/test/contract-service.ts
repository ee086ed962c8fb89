import { queryRequestSchema, type ModelEntry, type ProblemCode } from '@proj/contract';
import { paginate } from '@proj/paging';

import { json, type Answer, type ReceivedRequest } from './http-server.ts';

/** The token that the service accepts. */
export const TOKEN = 'test-token-0123456789';

/** What the service holds. */
export interface City {
  readonly id: number;
  readonly name: string;
  readonly population: number | null;
}

/** A list of cities, numbered from 1. */
export function cities(count: number): City[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `City ${index + 1}`,
    population: index % 7 === 0 ? null : (index + 1) * 1000,
  }));
}

/** The one model of the service. */
export const CITIES_MODEL: ModelEntry = {
  name: 'cities',
  description: 'Places where people live',
  attributes: ['id', 'name', 'population'].map((name) => ({
    name,
    type: name === 'name' ? 'text' : 'int32',
    nullable: name === 'population',
    description: null,
    operators: ['eq'],
    sortable: true,
  })),
  key: ['id'],
  default_sort: [],
  max_page_size: 1000,
};

/** Answers as the contract says, over a list in memory; changes of the list show at once. */
export function contractService(elements: readonly City[], prefix = ''): Answer {
  return (request, response) => {
    const answer = request.headers.authorization === `Bearer ${TOKEN}` ? route(elements, request, prefix) : unauthenticated();
    answer(request, response);
  };
}

/** A problem document as the contract says. */
export function problem(
  status: number,
  code: ProblemCode,
  more: { readonly errors?: object[]; readonly headers?: Record<string, string> } = {},
): Answer {
  const document = {
    type: `/problems/${code}`,
    title: `Title of ${code}`,
    status,
    detail: `Detail of ${code}.`,
    code,
    request_id: 'request-1',
    ...(more.errors && { errors: more.errors }),
  };
  return json(document, status, { 'content-type': 'application/problem+json', ...more.headers });
}

function route(elements: readonly City[], { method, path, body }: ReceivedRequest, prefix: string): Answer {
  switch (`${method} ${path}`) {
    case `POST ${prefix}/api/v1/dynamic/query`:
      return answerQuery(elements, body);
    case `GET ${prefix}/api/v1/dynamic/models`:
      return json({ models: [CITIES_MODEL] });
    case `GET ${prefix}/api/v1/dynamic/models/cities`:
      return json(CITIES_MODEL);
    default:
      return problem(404, 'not_found');
  }
}

function answerQuery(elements: readonly City[], body: string): Answer {
  const request = queryRequestSchema.parse(JSON.parse(body));
  if (request.query_model !== 'cities') {
    const fault = { pointer: '/query_model', code: 'unknown_model', detail: 'No such model.', did_you_mean: 'cities' };
    return problem(400, 'unknown_model', { errors: [fault] });
  }
  const { result, page } = paginate(elements, request.page);
  const shown = result.map((city) =>
    Object.fromEntries(request.query_attributes.map((name) => [name, city[name as keyof City]])),
  );
  return json({ result: shown, page });
}

function unauthenticated(): Answer {
  return problem(401, 'unauthenticated', { headers: { 'www-authenticate': 'Bearer' } });
}
