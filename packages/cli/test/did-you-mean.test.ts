import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { problem, type Received } from './service/answer.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';

/** A service that means `meant` whenever it refuses a query. */
async function serveMeaning(meant: string | undefined) {
  const errors = [
    {
      pointer: '/query_model',
      code: 'unknown_model',
      detail: 'No.',
      ...(meant && { did_you_mean: meant }),
    },
  ];
  return serve(cities(3), {
    after: (answer, { method }: Received) =>
      method !== 'GET' && answer.status === 400 ? problem('invalid_request', { errors }) : answer,
  });
}

it.each([
  [
    ['query', 'citys'],
    1,
    'dq: there is no model "citys" here. Did you mean "cities"? See: dq models.',
  ],
  [
    ['models', 'citys'],
    1,
    'dq: there is no model "citys" here. Did you mean "cities"? See: dq models.',
  ],
  [
    ['export', 'cities', '-a', 'nam'],
    2,
    'dq: --attributes: cities has no attribute "nam". It has id, name',
  ],
])('says in %j what the service means', async (args, exitCode, message) => {
  const { url } = await serveMeaning('cities');
  const outcome = await dq(args, { url });
  expect(outcome.stderr).toContain(message);
  expect(outcome.stderr).toMatch(/Did you mean "?cities"?\?/);
  expect(outcome.exitCode).toBe(exitCode);
});

it('puts the proposal before the lines that point at the place in a filter', async () => {
  const { url } = await serveMeaning('name');
  const { stderr } = await dq(['query', 'cities', '-a', 'id', '-f', "id > 1 and nam = 'x'"], {
    url,
  });
  expect(stderr).toBe(
    'dq: --filter: column 12: cities has no attribute "nam". It has id, name, population, area, founded, capital, tags. ' +
      `Did you mean name?\n  id > 1 and nam = 'x'\n             ^\n`,
  );
});

it('proposes nothing of its own where the service proposes nothing', async () => {
  const { url } = await serveMeaning(undefined);
  expect((await dq(['query', 'citys'], { url })).stderr).not.toContain('Did you mean');
  expect((await dq(['query', 'cities', '-a', 'nam'], { url })).stderr).not.toContain(
    'Did you mean',
  );
});

it('shows a proposal without what a terminal would obey', async () => {
  const { url } = await serveMeaning('\u001b[31mcities\u202e');
  const { stderr } = await dq(['query', 'citys'], { url });
  expect(stderr).toContain(String.raw`Did you mean "\u001b[31mcities\u{202e}"?`);
});
