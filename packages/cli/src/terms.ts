import { printName, quotedAt } from '@proj/contract';

import { UsageError } from './failure.ts';

/** A name or path, and its suffix, such as `:nulls-first`. */
export interface Term {
  readonly name: string;
  readonly ending: string;
}

/** Commas in backticks do not split. */
export function splitTerms(list: string): string[] {
  const terms: string[] = [];
  for (let start = 0; ;) {
    const [before = ''] = /^\s*-?/.exec(list.slice(start)) ?? [];
    const begin = start + before.length;
    const comma = list.indexOf(',', endOfName(list, begin) ?? begin);
    terms.push(list.slice(start, comma === -1 ? undefined : comma).trim());
    if (comma === -1) return terms;
    start = comma + 1;
  }
}

/** Where a name in backticks that begins here ends. */
export function endOfName(text: string, at: number): number | undefined {
  return text[at] === '`' ? quotedAt(text, at)?.end : undefined;
}

export interface Endings {
  readonly pattern: RegExp;
  readonly expected: string;
  /** Whether a text without backticks is a whole name, although it ends like that. */
  readonly isName?: (text: string) => boolean;
}

/**
 * Reads a name, with or without backticks, and its suffix.
 *
 * @param place where it is written, for errors
 * @throws {UsageError} when backticks are never closed, or something else is behind them.
 */
export function readTerm(text: string, place: string, endings?: Endings): Term {
  if (!text.startsWith('`')) {
    const isWhole = endings?.isName?.(text) === true;
    const ending = isWhole ? '' : (endings?.pattern.exec(text)?.[0] ?? '');
    return { name: text.slice(0, text.length - ending.length), ending };
  }
  const quoted = quotedAt(text, 0);
  if (quoted === undefined)
    throw new UsageError(
      `${place}: a backtick is never closed in ${text}. Inside a name it is written twice.`,
    );
  const ending = text.slice(quoted.end);
  if (ending === '' || endings?.pattern.exec(ending)?.[0] === ending)
    return { name: quoted.text, ending };
  const { expected } = endings ?? { expected: 'a comma' };
  throw new UsageError(
    `${place}: expected ${expected} behind ${text.slice(0, quoted.end)}; got "${ending}". ` +
      'A path goes in backticks as a whole: `country.local name`',
  );
}

export function readNames(list: string | undefined, flag: string): string[] {
  return list === undefined ? [] : splitTerms(list).map((text) => readTerm(text, flag).name);
}

export function printNames(names: readonly string[]): string {
  return names.map(printName).join(', ');
}
