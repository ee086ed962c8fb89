import type { ModelEntry, ReferenceEntry } from '@proj/contract';

import { type Answer, problem, type Received } from '../../../cli/test/service/answer.ts';
import { TOKEN } from '../../../cli/test/service/service.ts';
import { chain, instead, onHeaders, onProblems } from '../tampering.ts';
import type { Variant } from './variant.ts';

function without(headers: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Has one reference in each model of the catalogue. */
function withReference(reference: ReferenceEntry) {
  return (answer: Answer, { path }: Received): Answer => {
    if (!path.includes('/models') || answer.status !== 200) return answer;
    const references = [reference];
    const body = answer.body as ModelEntry | { readonly models: readonly ModelEntry[] };
    const changed =
      'models' in body
        ? { models: body.models.map((entry) => ({ ...entry, references })) }
        : { ...body, references };
    return { ...answer, body: changed };
  };
}

/** What replies say where replicas may answer. */
const STATE = { 'data-age': '0.012', 'data-position': '0/16B3748@1.mK3xQ0bT' };

/** Servers that speak HTTP carelessly. */
const EXPORTED = ['export-records', 'export-csv'];

export const WRONG_HTTP: Readonly<Record<string, Variant>> = {
  'leaves headers out, and parts of one': {
    behaviour: {
      after: onHeaders((headers) => ({
        ...without(headers, 'www-authenticate', 'allow', 'etag', 'cache-control'),
        'server-timing': 'total',
      })),
    },
    breaks: [
      'token-required',
      'token-valid',
      'token-first',
      'token-catalogue',
      'method-not-allowed',
      'cache-control',
      'server-timing',
      'query-method-reply',
      'query-method-tag',
      'query-method-not-modified',
      'query-method-headers',
      'query-method-refusals',
      'catalogue-etag',
    ],
  },
  'takes no position that it gives': {
    behaviour: {
      after: (answer, { headers, path }) => {
        if (!path.endsWith('/query') || answer.status !== 200) return answer;
        if (headers['data-at-least'] !== undefined) return problem('invalid_position');
        return { ...answer, headers: { ...answer.headers, ...STATE } };
      },
    },
    breaks: ['data-position'],
  },
  'takes anything for a position': {
    behaviour: {
      after: (answer, { path }) =>
        path.endsWith('/query') ? { ...answer, headers: { ...answer.headers, ...STATE } } : answer,
    },
    breaks: ['data-position'],
  },
  'refuses a position where only one database answers': {
    behaviour: {
      after: instead(
        ({ headers }) => headers['data-at-least'] !== undefined,
        () => problem('invalid_position'),
      ),
    },
    breaks: ['data-position'],
  },
  'says of its data no age that can be read': {
    behaviour: {
      after: onHeaders((headers) => ({ ...headers, ...STATE, 'data-age': 'new' })),
    },
    breaks: ['data-position'],
  },
  'takes everybody in': {
    behaviour: {
      before: (request) => ({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${TOKEN}` },
      }),
    },
    breaks: [
      'token-required',
      'token-valid',
      'token-first',
      'token-catalogue',
      'query-method-refusals',
    ],
  },
  'reads the body before it asks who sends it': {
    behaviour: {
      after: instead(
        ({ headers, body }) => headers.authorization === undefined && body.toString() === '{',
        () => problem('malformed_json'),
      ),
    },
    breaks: ['token-first'],
  },
  'takes any content type and accepts nothing else': {
    behaviour: {
      before: (request) => ({
        ...request,
        headers: { ...request.headers, 'content-type': 'application/json', accept: '*/*' },
      }),
    },
    breaks: [
      'content-type',
      'not-acceptable',
      'query-method-refusals',
      'export-csv',
      'export-types',
      'watch-types',
    ],
  },
  'calls everything a web page': {
    behaviour: {
      after: chain(
        onHeaders((headers) => ({ ...headers, 'content-type': 'text/html', 'x-request-id': '1' })),
        instead(
          ({ path }) => path === '/readyz',
          () => problem('shutting_down'),
        ),
        instead(
          ({ path }) => path.startsWith('/problems/'),
          () => problem('not_found'),
        ),
      ),
    },
    breaks: [
      'reply-type',
      'request-id',
      'health',
      'problem-type',
      'problem-page',
      'watch-first-event',
      'watch-last-event',
      ...EXPORTED,
    ],
  },
  'reads JSON as it comes': {
    behaviour: {
      after: instead(
        ({ path }, { body }) =>
          path.endsWith('/query') &&
          ['malformed_json', 'duplicate_key', 'invalid_encoding', 'invalid_type'].includes(
            Object(body).code,
          ) &&
          Object(body).errors?.[0]?.pointer === undefined,
        () => problem('internal'),
      ),
    },
    breaks: ['malformed-json', 'duplicate-keys', 'json-encoding', 'query-method-refusals'],
  },
  'reveals too much, and too little': {
    behaviour: {
      after: onProblems((document) => ({
        body: { ...document, title: '', detail: 'SELECT "id" FROM "cities"' },
      })),
    },
    breaks: ['problem-members', 'problem-silence'],
  },
  'has a catalogue that is not true': {
    behaviour: {
      after: (answer, { path, body }) => {
        if (body.toString().includes('"query_attributes":["tags"]')) return problem('internal');
        if (!path.includes('/models') || answer.status === 304) return answer;
        if (answer.status === 404) return { ...answer, status: 200, body: {} };
        const text = JSON.stringify(answer.body);
        const changed = path.endsWith('/models') ? text.replace('"eq",', '"eq","like",') : text;
        return { ...answer, body: JSON.parse(changed) };
      },
    },
    breaks: ['catalogue-model', 'catalogue-unknown', 'catalogue-operators', 'catalogue-readable'],
  },
  'refers to a model that it does not show': {
    behaviour: { after: withReference({ attributes: ['id'], model: 'mayors', key: ['id'] }) },
    breaks: ['catalogue-references'],
  },
  'refers to an attribute that it does not show': {
    behaviour: { after: withReference({ attributes: ['id'], model: 'cities', key: ['mayor'] }) },
    breaks: ['catalogue-references'],
  },
  'refers to a part of a key by nothing': {
    behaviour: { after: withReference({ attributes: [], model: 'cities', key: ['id'] }) },
    breaks: ['catalogue-references'],
  },
  'forgets members of the catalogue': {
    behaviour: {
      after: (answer, { path }) =>
        path.endsWith('/models') && answer.status === 200
          ? { ...answer, body: { models: [...Object(answer.body).models, { name: 'half' }] } }
          : answer,
    },
    breaks: ['catalogue-members'],
  },
};
