import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { DEMO, demoFile } from '../dq/demo.ts';
import { TOKEN } from '../support/service.ts';
import { type Agent, startedAgent } from './agent.ts';
import { QUESTIONS } from './questions.ts';
import { findOut } from './scripted-caller.ts';

let database: DatabaseSync;
let agent: Agent;

beforeAll(async () => {
  agent = await startedAgent({ origin: DEMO.origin, token: TOKEN });
  database = new DatabaseSync(await demoFile(), { readOnly: true });
});

afterAll(() => database.close());

/** The answer by a statement, as a text. */
function known(sql: string): string {
  const [answer] = Object.values(database.prepare(sql).get() ?? {});
  return String(answer);
}

it.each(Object.entries(QUESTIONS))(
  'a caller that only follows the words answers every question of the kind "%s" rightly',
  async (_kind, questions) => {
    const answers: Record<string, string> = {};
    for (const question of questions) {
      const { answer } = await findOut(agent, question);
      answers[question.ask] = answer;
    }
    const right = questions.map(({ ask, sql }) => [ask, known(sql)]);
    expect(answers).toEqual(Object.fromEntries(right));
  },
);
