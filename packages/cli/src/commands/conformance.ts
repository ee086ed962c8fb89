import { styleText } from 'node:util';

import { type Connection, type ConnectionFlags, readConnection } from '../connection.ts';
import { type ConformanceRun, startConformance } from '../conformance/conformance.ts';
import type { RuleResult } from '../conformance/run-rules.ts';
import { FailedError, Interruption, UsageError } from '../failure.ts';
import { putJson, wantsJson } from '../output/present.ts';
import { printable } from '../output/printable.ts';
import type { Session } from '../session.ts';
import { put, takesColour } from '../terminal.ts';

export interface ConformanceFlags extends ConnectionFlags {
  readonly model?: string;
  readonly attributes?: string;
  readonly hiddenModel?: string;
  readonly hiddenAttribute?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `dq conformance [url]`: which rules of the contract a server keeps. */
export async function checkConformance(
  url: string | undefined,
  flags: ConformanceFlags,
  session: Session,
): Promise<void> {
  const { terminal, secrets } = session;
  const connection = await readConnection(
    { ...flags, ...(url !== undefined && { url }) },
    terminal.env,
  );
  secrets.add(connection.token);
  if (!URL.canParse(connection.url))
    throw new UsageError(`expected an http or https URL; got "${connection.url}".`);
  const run = await begin(connection, flags, terminal.signal);
  const json = wantsJson(flags, terminal);
  const results: RuleResult[] = [];
  for await (const result of run.results) {
    results.push(result);
    if (!json && !(flags.quiet && result.outcome !== 'fails'))
      await put(
        terminal.stdout,
        secrets.hide(line(result, takesColour(terminal.stdout, terminal.env))),
      );
  }
  if (json)
    await putJson(
      terminal,
      secrets.hide(JSON.stringify({ url: connection.url, model: run.model, rules: results })),
    );
  const count = (outcome: RuleResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  if (!json)
    await put(
      terminal.stdout,
      `${count('holds')} rules hold, ${count('fails')} fail, ${count('not_tried')} were not ` +
        `tried.\n`,
    );
  if (count('fails') > 0)
    throw new FailedError(
      `${count('fails')} of ${results.length} rules do not hold. Fix the server, and run ` +
        'this again.',
    );
}

async function begin(
  { url, token }: Connection,
  flags: ConformanceFlags,
  signal: AbortSignal,
): Promise<ConformanceRun> {
  const { model, hiddenModel, hiddenAttribute } = flags;
  const attributes = flags.attributes?.split(',').map((name) => name.trim());
  try {
    return await startConformance({
      url,
      token,
      model,
      attributes,
      hiddenModel,
      hiddenAttribute,
      signal,
    });
  } catch (error) {
    if (
      error instanceof UsageError ||
      error instanceof FailedError ||
      error instanceof Interruption
    )
      throw error;
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
