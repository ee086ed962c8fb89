import { readFileSync } from 'node:fs';

/** A fenced block of a page, such as a settings file or commands with what they print. */
export interface CodeBlock {
  readonly language: string;
  /** What is written behind the language: `title="…"`. */
  readonly title: string;
  readonly text: string;
  /** What the page says between the block before and this one. */
  readonly lead: string;
}

/** A command of a console block, and what it is said to print. */
export interface Step {
  readonly command: string;
  readonly shown: string;
}

/** The root of the repository. */
export const ROOT = new URL('../../../../', import.meta.url);

const FENCE = /^ *```(\w+)(?: title="([^"]+)")?\n(.*?)^ *```$/gms;

/** The fenced blocks of a page of the repository, in their order. */
export function readBlocks(page: string): CodeBlock[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  let end = 0;
  return Array.from(text.matchAll(FENCE), ({ 0: fence, 1: language = '', ...match }) => {
    const lead = text.slice(end, match.index);
    end = match.index + fence.length;
    return { language, title: match[2] ?? '', text: match[3] ?? '', lead };
  });
}

/** The commands of a console block: each begins with `$ `, and what it prints follows. */
export function stepsOf({ text }: CodeBlock): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), shown: part.slice(end + 1) };
    });
}

const SET_UP = 'docs/guides/set-up.md';

/** The blocks of a guide, with those of the common set-up where it says to do that first. */
export function readGuide(page: string): CodeBlock[] {
  const own = readBlocks(page);
  if (!readFileSync(new URL(page, ROOT), 'utf8').includes('(set-up.md)')) return own;
  const [settings, ...serving] = readBlocks(SET_UP);
  if (settings === undefined) throw new Error(`${SET_UP} shows no settings.`);
  // What a guide adds to the settings is there before the service starts.
  const added = own.findIndex(({ title }) => title.startsWith('in '));
  const [before, after] = [own.slice(0, added + 1), own.slice(added + 1)];
  return added < 0
    ? [settings, ...serving, ...own]
    : [...before.slice(0, -1), settings, ...before.slice(-1), ...serving, ...after];
}

/** Settings in which a text takes the place of the line that begins with the same member, if any. */
export function withMember(settings: string, text: string): string {
  const member = text.slice(0, text.indexOf(':') + 1);
  if (!settings.split('\n').some((line) => line.startsWith(member))) return settings + text;
  return settings
    .split('\n')
    .map((line) => (line.startsWith(member) ? text.trimEnd() : line))
    .join('\n');
}

/** What is shown, as an expression in which `…` stands for any text. */
export function patternOf(shown: string): RegExp {
  const literal = shown.trim().split('…').map(escaped);
  return new RegExp(`^${literal.join('.*?')}\\s*$`, 's');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
