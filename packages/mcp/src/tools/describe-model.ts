import type { AttributeEntry, ModelEntry } from '@proj/client';
import { inversesOf, nameText, nameTexts, operatorTexts, printName } from '@proj/contract';
import * as z from 'zod';

import { ARGUMENTS, toolInput } from '../arguments/input.ts';
import { lookUpLinkedModel } from '../model-lookup.ts';
import { oneLine, pageOf, rangeFacts, rangeText } from '../results/range-text.ts';
import { tool } from './tool.ts';

const PAGE_SIZE = 60;
const LONGEST_DESCRIPTION = 200;

/** What a model has, in few words. */
export const describeModel = tool({
  name: 'describe_model',
  description: 'The attributes of a model, their types and filters, its key and its relations.',
  input: toolInput({
    model: ARGUMENTS.model,
    page: z.int().min(1).default(1).describe('Page of its attributes.'),
  }),
  run: async ({ model: name, page }, context) => {
    const model = await lookUpLinkedModel(name, { isRelated: true }, context);
    const asked = { items: 'attributes', page, size: PAGE_SIZE };
    const { shown, range } = pageOf(model.attributes, asked);
    const summary = `${nameText(name)}: ${rangeText(range)}.`;
    const related = [...inversesOf(model).keys()];
    const one = printName(related[0] ?? '');
    return {
      text: [
        summary,
        ...aboutModel(model),
        ...(related.length > 0
          ? [
              `Related records, for filters such as "some ${one} (…)" and related such as ` +
                `"n = count ${one}": ${nameTexts(related)}`,
            ]
          : []),
        'Attributes:',
        ...shown.map(attributeLine),
        ...operatorLines(shown),
      ].join('\n'),
      facts: {
        summary,
        model: name,
        ...rangeFacts(range),
        key: model.key,
        attributes: shown.map(({ name: attribute, type }) => ({ name: attribute, type })),
      },
    };
  },
});

function aboutModel({ description, key, default_sort: sort, ...model }: ModelEntry): string[] {
  const order = sort.map((term) => `${nameText(term.attribute)} ${term.direction}`).join(', ');
  return [
    ...(description === null ? [] : [oneLine(description, 500)]),
    `Key: ${nameTexts(key) || 'none that is visible'}. Order by default: ${order || 'its key'}. ` +
      `Records a page: at most ${model.max_page_size}.`,
    ...(model.references ?? []).flatMap(({ name, model: target, attributes }) =>
      name === undefined
        ? []
        : [
            `Relation ${nameText(name)} (by ${nameTexts(attributes)}) leads to ${target}: ` +
              `${nameText(name)}.<attribute> is a path.`,
          ],
    ),
  ];
}

function attributeLine(attribute: AttributeEntry): string {
  const { name, type, items, nullable, sortable, description, deprecated } = attribute;
  const facts = [
    items === undefined ? type : `${type} of ${items}`,
    ...(nullable ? ['may be null'] : []),
    ...(sortable ? [] : ['has no order']),
    ...(deprecated === undefined ? [] : ['will be removed']),
  ];
  const said = description === null ? '' : `: ${oneLine(description, LONGEST_DESCRIPTION)}`;
  return `- ${nameText(name)} (${facts.join(', ')})${said}`;
}

/** The filters of each type once: attributes of a type have the same. */
function operatorLines(attributes: readonly AttributeEntry[]): string[] {
  const byText = new Map<string, Set<string>>();
  for (const { type, operators } of attributes) {
    const text = operatorTexts(operators);
    byText.set(text, (byText.get(text) ?? new Set()).add(type));
  }
  return [...byText].map(
    ([text, types]) => `Filters of ${[...types].join(', ')}: ${text || 'none'}`,
  );
}
