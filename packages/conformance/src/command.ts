import { styleText } from 'node:util';

import {
  type Connection,
  type ConnectionFlags,
  FailedError,
  Interruption,
  printable,
  put,
  putJson,
  readConnection,
  type Session,
  takesColour,
  UsageError,
  wantsJson,
} from '@proj/cli/command-line';

import { type ConformanceRun, startConformance } from './conformance.ts';
import type { RuleResult } from './run-rules.ts';

export interface ConformanceFlags extends ConnectionFlags {
  readonly model?: string;
  readonly attributes?: string;
  readonly hiddenModel?: string;
  readonly hiddenAttribute?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `conformance [url]`: which rules of the contract a server keeps. */
export async function checkConformance(
  url: string | undefined,
  flags: ConformanceFlags,
  session: Session,
): Promise<void> {
  const { terminal, secrets } = session;
  const named = { ...flags, ...(url !== undefined && { url }) };
  const connection = await readConnection(named, terminal.env);
  secrets.add(connection.token);
  if (!URL.canParse(connection.url))
    throw new UsageError(`expected an http or https URL; got "${connection.url}".`);
  const run = await begin(connection, flags, terminal.signal);
  const results = wantsJson(flags, terminal)
    ? await putAsJson(run, connection.url, session)
    : await putAsLines(run, flags, session);
  const failed = countOf(results, 'fails');
  if (failed > 0)
    throw new FailedError(
      `${failed} of ${results.length} rules do not hold. Fix the server, and run this again.`,
    );
}

async function putAsJson(
  { model, results }: ConformanceRun,
  url: string,
  { terminal, secrets }: Session,
): Promise<readonly RuleResult[]> {
  const rules: RuleResult[] = [];
  for await (const result of results) rules.push(result);
  await putJson(terminal, secrets.hide(JSON.stringify({ url, model, rules })));
  return rules;
}

/** Each result as soon as it is there, and the sums at the end. */
async function putAsLines(
  run: ConformanceRun,
  { quiet }: ConformanceFlags,
  { terminal: { stdout, env }, secrets }: Session,
): Promise<readonly RuleResult[]> {
  const results: RuleResult[] = [];
  for await (const result of run.results) {
    results.push(result);
    if (quiet !== true || result.outcome === 'fails')
      await put(stdout, secrets.hide(line(result, takesColour(stdout, env))));
  }
  const [hold, fail, untried] = OUTCOMES.map((outcome) => countOf(results, outcome));
  await put(stdout, `${hold} rules hold, ${fail} fail, ${untried} were not tried.\n`);
  return results;
}

const OUTCOMES = ['holds', 'fails', 'not_tried'] as const;

function countOf(results: readonly RuleResult[], outcome: RuleResult['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length;
}

async function begin(
  { url, token }: Connection,
  flags: ConformanceFlags,
  signal: AbortSignal,
): Promise<ConformanceRun> {
  const { model, hiddenModel, hiddenAttribute } = flags;
  const attributes = flags.attributes?.split(',').map((name) => name.trim());
  const wanted = { model, attributes, hiddenModel, hiddenAttribute };
  try {
    return await startConformance({ url, token, ...wanted, signal });
  } catch (error) {
    const isOurs = [UsageError, FailedError, Interruption].some((kind) => error instanceof kind);
    if (isOurs) throw error;
    throw new FailedError(`${url} does not answer. Check the URL, and that the service runs.`);
  }
}

const MARKS = {
  holds: ['green', 'holds    '],
  fails: ['red', 'FAILS    '],
  not_tried: ['yellow', 'not tried'],
} as const;

function line({ id, sentence, source, outcome, detail }: RuleResult, colour: boolean): string {
  const [hue, word] = MARKS[outcome];
  const mark = colour ? styleText(hue, word, { validateStream: false }) : word;
  const more = outcome === 'holds' ? '' : `            ${printable(detail)}\n`;
  return `${mark} ${id}: ${sentence} (${source})\n${more}`;
}
