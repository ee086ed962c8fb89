import type { Agent } from './agent.ts';
import type { Question, Reading } from './questions.ts';

/** What a caller found out, and what it read on the way. */
export interface Found {
  readonly answer: string;
  /** The texts of all results. */
  readonly texts: readonly string[];
}

type Args = Readonly<Record<string, unknown>>;

/** More corrections than any call needs. */
const MOST_TRIES = 5;

/**
 * Answers a question with nothing but the words of the results: it reads numbers where they are
 * said, goes on where a result says so, and corrects a call as an error says.
 */
export async function findOut({ call }: Agent, question: Question): Promise<Found> {
  const texts: string[] = [];
  const lines: string[] = [];
  let args: Args = question.args;
  for (let tries = 0; tries < MOST_TRIES;) {
    const { isError, text } = await call(question.tool, args);
    texts.push(text);
    if (isError) {
      args = corrected(args, text);
      tries += 1;
      continue;
    }
    lines.push(...recordLines(text));
    const [, page, size] = /; next: page (\d+) \(size (\d+)\)/.exec(text) ?? [];
    if (page === undefined || !goesOn(question.read))
      return { answer: read(question.read, text, lines), texts };
    args = { ...args, page: Number(page), size: Number(size) };
  }
  return { answer: `no answer: ${texts.at(-1)}`, texts };
}

function goesOn(reading: Reading): boolean {
  return reading === 'walk' || (typeof reading === 'object' && 'last' in reading);
}

function recordLines(text: string): string[] {
  const [, between = ''] = /\n<records>\n(.*)\n<\/records>$/s.exec(text) ?? [];
  return between === '' ? [] : between.split('\n');
}

function read(reading: Reading, text: string, lines: readonly string[]): string {
  if (reading === 'walk') return String(new Set(lines).size);
  if (typeof reading === 'object') {
    const [name, line] =
      'first' in reading ? [reading.first, lines[0]] : [reading.last, lines.at(-1)];
    return String((JSON.parse(line ?? '{}') as Record<string, unknown>)[name]);
  }
  const [, number = 'none'] = SAID[reading].exec(text) ?? [];
  return number.replaceAll(',', '');
}

const SAID = {
  count: /exactly ([\d,]+) records? match/,
  groups: /groups? .*?of exactly ([\d,]+)/,
  rank: /The record is number ([\d,]+) of the list/,
};

/** The call that an error leads to. */
function corrected(args: Args, error: string): Args {
  const [, wrong] = /(?:named|attribute) "([^"]+)"/.exec(error) ?? [];
  const [, meant] = /Did you mean "?([^"?]+)"?\?/.exec(error) ?? [];
  if (wrong !== undefined && meant !== undefined) return replaced(args, wrong, meant);
  const [, name, other] = /For (\w+) use (\w+)\./.exec(error) ?? [];
  if (name !== undefined && other !== undefined) {
    const { [name]: value, ...others } = args;
    return { ...others, [other]: value };
  }
  const [, most] = /at most (\d+) records per page/.exec(error) ?? [];
  if (most !== undefined) return { ...args, size: Number(most) };
  const [, quoted, bare] = /Texts go in quotes: ('([^']+)')/.exec(error) ?? [];
  return quoted !== undefined && bare !== undefined ? replaced(args, bare, quoted) : args;
}

function replaced(args: Args, from: string, to: string): Args {
  return JSON.parse(JSON.stringify(args).replaceAll(from, to)) as Args;
}
