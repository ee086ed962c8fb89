import type { ModelEntry } from '@proj/client';
import { nameText } from '@proj/contract';
import * as z from 'zod';

import { oneLine, pageOf, rangeFacts, rangeText } from '../results/range-text.ts';
import { toolInput } from '../arguments/input.ts';
import { tool } from './tool.ts';

const PAGE_SIZE = 40;
const LONGEST_DESCRIPTION = 120;

/** Finds models by words of their names, descriptions and attributes. */
export const listModels = tool({
  name: 'list_models',
  description: 'Lists or searches the models (tables) that can be read. Begin here.',
  input: toolInput({
    search: z
      .string()
      .optional()
      .describe('Words to find in names, descriptions and attributes; all models by default.'),
    page: z.int().min(1).default(1),
  }),
  run: async ({ search = '', page }, { client, signal }) => {
    const models = await client.models({ signal });
    const found = findModels(models, search);
    const { shown, range } = pageOf(found, { items: 'models', page, size: PAGE_SIZE });
    const asked = search.trim() === '' ? '' : `${JSON.stringify(search)}: `;
    const others = found.length === 0 && asked !== '' ? ` There are ${models.length} models.` : '';
    const summary = `${asked}${rangeText(range)}.${others}`;
    return {
      text: [summary, ...shown.map(modelLine)].join('\n'),
      facts: { summary, ...rangeFacts(range), models: shown.map(({ name }) => name) },
    };
  },
});

/** Models that have all words, those with one in their name first. */
export function findModels(models: readonly ModelEntry[], search: string): readonly ModelEntry[] {
  const words = [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean).map(stem))];
  const found = models.filter((model) => {
    const text = searched(model);
    return words.every((word) => text.includes(word));
  });
  const isNamedSo = ({ name }: ModelEntry): boolean =>
    words.some((word) => name.toLowerCase().includes(word));
  const { named = [], others = [] } = Object.groupBy(found, (model) =>
    isNamedSo(model) ? 'named' : 'others',
  );
  return [...named, ...others];
}

/** A word without its end: models are often called by their plural. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s|y)$/, '') : word.replace(/[sy]$/, '');
}

function searched({ name, description, attributes }: ModelEntry): string {
  const texts = attributes.flatMap((attribute) => [attribute.name, attribute.description ?? '']);
  return [name, description ?? '', ...texts].join(' ').toLowerCase();
}

function modelLine({ name, description, attributes }: ModelEntry): string {
  const said = description === null ? '' : `: ${oneLine(description, LONGEST_DESCRIPTION)}`;
  return `- ${nameText(name)} (${attributes.length} attributes)${said}`;
}
