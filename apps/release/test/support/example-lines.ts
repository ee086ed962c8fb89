import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../repository.ts';

/**
 * The lines of an example in the documentation that say how servers are treated: those between
 * `bind` and the servers.
 */
export function exampleLines(document: string, title: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const [, example = ''] = new RegExp(`title="${title}"\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  const lines = example.split('\n').filter((line) => !/^(listen| *(bind|server) |$)/.test(line));
  if (lines.length === 0) throw new Error(`${document} has no example ${title}.`);
  return lines.map((line) => line.trim());
}
