import { isDeepStrictEqual } from 'node:util';

import type { PageRequest } from '../databases/database.ts';
import type { BenchDatabase, TruePage } from '../databases/open.ts';
import { pageRange } from '../load/page-sequence.ts';
import type { SubjectName } from '../report/results.ts';
import { type Scenario, scenarioLabel } from '../scenarios.ts';
import { askPage } from '../subjects/pages.ts';
import type { Server } from '../subjects/server.ts';

interface Reply {
  readonly result: readonly unknown[];
  readonly page: { readonly total?: string; readonly page: string; readonly size: string };
}

/**
 * Compares what the subjects answer with the database's own answer, at both ends of the scenario's
 * range of pages.
 *
 * @throws {Error} when one of them is wrong: its speed would mean nothing.
 */
export async function checkReplies(
  subjects: ReadonlyMap<SubjectName, Server>,
  scenario: Scenario,
  database: BenchDatabase,
): Promise<void> {
  const { from, to } = pageRange(scenario);
  for (const page of new Set([from, to])) {
    const request = { page, size: scenario.size };
    const truth = await database.truePage(scenario.rows, request);
    for (const [name, server] of subjects) {
      if (name === 'static') continue;
      const fault = faultOf(await askPage(server, scenario.rows, request), request, truth);
      if (fault === undefined) continue;
      throw new Error(
        `${name} is wrong on ${database.version}, ${scenarioLabel(scenario)}, ` +
          `page ${page}: ${fault}`,
      );
    }
  }
}

/**
 * What is wrong with a reply; undefined where nothing is. A reply without a total is only judged by
 * its rows.
 */
export function faultOf(
  text: string,
  { page, size }: PageRequest,
  truth: TruePage,
): string | undefined {
  const reply = JSON.parse(text) as Reply;
  if (reply.page.page !== String(page) || reply.page.size !== String(size))
    return 'it answers another page';
  if (reply.page.total !== undefined && reply.page.total !== truth.total) {
    return `the total is ${truth.total}, not ${reply.page.total}`;
  }
  const { result } = reply;
  if (result.length !== truth.items.length)
    return `there are ${truth.items.length} rows, not ${result.length}`;
  const wrong = truth.items.findIndex(
    (item, index) => !isDeepStrictEqual(result[index], { ...item }),
  );
  if (wrong === -1) return undefined;
  return (
    `row ${wrong} is ${JSON.stringify(truth.items[wrong])}, ` +
    `not ${JSON.stringify(result[wrong])}`
  );
}
