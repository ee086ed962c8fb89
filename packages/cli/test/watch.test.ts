import { expect, it } from 'vitest';

import { Interruption } from '../src/failure.ts';
import { dq, type Outcome } from './dq.ts';
import { problem } from './service/answer.ts';
import { changing } from './service/changing.ts';
import { cities, type Model } from './service/cities.ts';
import { serve } from './service/serve.ts';

/** What `dq watch cities` prints while the list becomes as long as said, with a line for each. */
async function watch(
  lengths: readonly number[],
  args: readonly string[],
  surroundings: { readonly columns?: number } = { columns: 80 },
): Promise<Outcome & { readonly queries: readonly string[] }> {
  const model = cities(42);
  const interruption = new AbortController();
  const changes = lengths.map((length) => () => setLength(model, length));
  const { url, queries } = await serve(model, { after: changing(changes) });
  const onOutput = (text: string): void => {
    if (text.split('\n').length > lengths.length + 1) interruption.abort(new Interruption(130));
  };
  const { signal } = interruption;
  const outcome = await dq(['watch', 'cities', ...args], {
    url,
    ...surroundings,
    signal,
    onOutput,
  });
  return { ...outcome, queries };
}

function setLength(model: Model, length: number): void {
  ({ records: model.records } = cities(length));
}

/** Lines without the time of day before them. */
function withoutTimes(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ''));
}

it('prints a line for people at once, and one whenever the list has changed, until it is interrupted', async () => {
  const { stdout, stderr, exitCode } = await watch([54, 1], ['--every', '100']);
  expect(stdout).toMatch(/^(\d\d:\d\d:\d\d {2}.*\n){3}$/);
  expect(withoutTimes(stdout)).toEqual([
    '42 records',
    '54 records, 12 more',
    '1 record, 53 fewer',
    '',
  ]);
  expect([stderr, exitCode]).toEqual(['dq: interrupted.\n', 130]);
});

it('prints a line of JSON for each event into a pipe, or where that is asked for', async () => {
  for (const surroundings of [{}, { columns: 80 }]) {
    const { stdout } = await watch([54], ['--json'], surroundings);
    expect(stdout).toBe('{"total":"42"}\n{"total":"54"}\n');
  }
});

it('ends with the first change where that is asked for', async () => {
  const { stdout, exitCode } = await watch([41, 40], ['--once']);
  expect(withoutTimes(stdout)).toEqual(['42 records', '41 records, 1 fewer', '']);
  expect(exitCode).toBe(0);
});

it.each([
  ['none', ['watching', 'changed']],
  ['50', ['42 records', 'at least 51 records, changed']],
])('counts as far as --total %s says', async (total, lines) => {
  const { stdout } = await watch([54], ['--total', total]);
  expect(withoutTimes(stdout)).toEqual([...lines, '']);
});

it('watches the list that its flags name', async () => {
  const args = ['-a', 'name', '-f', 'population > 1', '--sort', '-name', '--every', '500'];
  const { queries } = await watch([], args);
  expect(queries.map((body) => JSON.parse(body) as unknown)).toEqual([
    {
      query_model: 'cities',
      query_attributes: ['name'],
      query_filter: { attribute: 'population', op: 'gt', value: '1' },
      query_sort: [{ attribute: 'name', direction: 'desc' }],
      watch_every_ms: 500,
    },
  ]);
});

it.each([['99'], ['3600001'], ['soon']])('refuses --every %s, and asks nothing', async (every) => {
  const { stderr, exitCode, queries } = await watch([], ['--every', every]);
  expect(stderr).toContain('Expected a whole number from 100 to 3600000.');
  expect([exitCode, queries]).toEqual([2, []]);
});

it('says why a list is not watched', async () => {
  const { url } = await serve(cities(1), {
    after: (answer, { path }) => (path.endsWith('/watch') ? problem('forbidden') : answer),
  });
  const { stderr, exitCode } = await dq(['watch', 'cities'], { url });
  expect(stderr).toMatch(/^dq: 403 forbidden: /);
  expect(exitCode).toBe(1);
});
