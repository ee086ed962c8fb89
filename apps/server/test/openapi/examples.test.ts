import { API_PATHS } from '@proj/contract';
import { expect, it } from 'vitest';

import { problemExamples } from '../../../../packages/fastify/src/openapi/problem-responses.ts';
import { present, sharedService, TOKEN } from '../helper.ts';
import {
  EXAMPLE_SETTINGS,
  EXAMPLE_SQL,
  FAULTS_OF_TWO_KINDS,
  WRONG_FACETS,
  WRONG_QUERIES,
} from './wrong-queries.ts';

const service = await sharedService({ sql: EXAMPLE_SQL, settings: EXAMPLE_SETTINGS });
const examples = problemExamples();

it.each(Object.entries(WRONG_FACETS))(
  'the example of %s is what the server says',
  async (code, body) => {
    const { value } = present(examples[code]);
    const reply = await service.app.inject({
      method: 'POST',
      url: `/${API_PATHS.facets}`,
      headers: { authorization: `Bearer ${TOKEN}`, 'x-request-id': value.request_id },
      body,
    });
    expect(reply.json()).toEqual(value);
  },
);

it.each([...Object.entries(WRONG_QUERIES), ['invalid_request', FAULTS_OF_TWO_KINDS] as const])(
  'the example of %s is what the server says',
  async (code, query) => {
    const { value } = present(examples[code]);
    const reply = await service.ask(query, { 'x-request-id': value.request_id });
    expect(reply.json()).toEqual(value);
  },
);
