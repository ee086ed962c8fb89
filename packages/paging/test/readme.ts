import { readFileSync } from 'node:fs';

/** One fenced block of the README: its language, its title and its text. */
export interface Block {
  readonly language: string;
  readonly title: string | undefined;
  readonly text: string;
}

/** A file of this package, by its path from the package's root. */
export function packageFile(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

/** Every fenced block of the README, in order. */
export function readmeBlocks(): Block[] {
  const fences = packageFile('README.md').matchAll(/^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$/gms);
  return Array.from(fences, ([, language = '', title, text = '']) => ({ language, title, text }));
}

/** The JSON block of this title, read. */
export function readmeJson(title: string): unknown {
  const block = readmeBlocks().find(
    (candidate) => candidate.language === 'json' && candidate.title === title,
  );
  return JSON.parse(block?.text ?? 'null');
}
