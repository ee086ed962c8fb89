import type { Engine } from '@proj/engine';
import { until } from '@proj/test-servers';

import type { Filter } from './filter.ts';
import type { ModelName } from './models.ts';
import { Oracle } from './oracle.ts';
import { IN_BURSTS } from './paces.ts';
import { FEW_QUESTIONS } from './questions.ts';
import { explain } from './report.ts';
import { bodyOf, EVERYBODY, grantOf, type Question, type Request } from './requests.ts';
import { ROWS } from './rows.ts';
import { runTrial, type Stage } from './trial.ts';

const SIZE = 10;
const LAST_PAGE = Math.floor(ROWS / SIZE);

/**
 * Asks for what each mechanism serves, until every one of the store has, and compares every reply.
 * @returns what is wrong with them
 */
export async function useEveryMechanism(stage: Stage, engine: Engine): Promise<string[]> {
  const oracle = new Oracle(stage.history);
  const wrong: string[] = [];

  async function ask(question: Question, page: number, size = SIZE): Promise<void> {
    const request: Request = { question, page, size, total: 'exact' };
    const close = stage.history.open();
    const answer = await engine.query(bodyOf(request), grantOf(question.audience));
    const mismatch = oracle.check(request, answer, close());
    if (mismatch !== undefined) wrong.push(explain(mismatch));
  }

  const pages = (question: Question, numbers: readonly number[]): Promise<unknown> =>
    Promise.all(numbers.map((page) => ask(question, page)));

  // Lists whose total nobody knows yet, one of them shorter than its page.
  await pages(listOf('owned_tasks', { attribute: 'id', op: 'gte', value: 5 }), [1, 1, 2, 3, 5, 8]);
  await ask(listOf('owned_tasks', { attribute: 'id', op: 'lt', value: 5 }), 1);
  for (const list of LISTS) {
    await pages(list, [1, 2, LAST_PAGE]);
    await pages(list, [1, 3]);
  }

  // An index is built meanwhile, and the total may have had no version before. Each page has a size
  // of its own: a kept reply needs no index.
  let turn = 0;
  const askDeep = async (): Promise<void> => {
    const size = 2 + (turn++ % 97);
    for (const list of LISTS) {
      await ask(list, Math.floor((ROWS / 2 + turn / 97) / size), size);
      await ask(list, Math.floor(ROWS / size), size);
    }
  };
  const { mechanisms } = stage.store;
  await until(async () => {
    await askDeep();
    return missingOf(mechanisms, engine).every((mechanism) => mechanism.startsWith('followed_'));
  });

  // What follows the writes does so from the second count on.
  await until(async () => {
    if (wrong.length > 0 || missingOf(mechanisms, engine).length === 0) return true;
    const { mismatches } = await runTrial(stage, {
      engine: { query: engine.query.bind(engine) },
      hot: [ALL],
      pace: IN_BURSTS,
      requests: 20,
      mismatches: 1,
    });
    wrong.push(...mismatches.map(explain));
    await askDeep();
    await askDeep();
    return false;
  });
  return wrong;
}

const [ALL] = FEW_QUESTIONS;

/** No log describes a view: what is followed serves the other list from its first count on. */
const OF_VIEW = listOf('owned_tasks');

const LISTS = [OF_VIEW, ALL];

function listOf(model: ModelName, filter?: Filter): Question {
  return { audience: EVERYBODY, model, attributes: ['id'], filter, sort: [] };
}

/** The mechanisms that have not served yet. */
function missingOf(mechanisms: readonly string[], engine: Engine): string[] {
  const statistics = engine.statistics().filter(({ hits }) => hits > 0);
  const helpful = new Set(statistics.map(({ mechanism }) => mechanism));
  return mechanisms.filter((mechanism) => !helpful.has(mechanism));
}
