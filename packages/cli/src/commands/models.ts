import type { ModelEntry, ReferenceEntry } from '@proj/client';
import { operatorTexts } from '@proj/contract';

import { type ConnectionFlags, openService } from '../service/service.ts';
import { lookUpModel } from '../service/model-lookup.ts';
import { put, type Session } from '../terminal/terminal.ts';
import { printable } from '../output/printable.ts';
import { putJson, putTable, wantsJson } from '../output/present.ts';
import type { TableContent } from '../output/table.ts';

export interface ModelsFlags extends ConnectionFlags {
  readonly json?: boolean;
}

export async function listModels(flags: ModelsFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const { client } = await openService(flags, session);
  const models = await client.models({ signal: terminal.signal });
  if (wantsJson(flags, terminal)) return putJson(terminal, JSON.stringify({ models }));
  await putTable(terminal, modelTable(models));
}

export async function showModel(name: string, flags: ModelsFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const { client } = await openService(flags, session);
  const model = await lookUpModel(client, name, { signal: terminal.signal });
  if (wantsJson(flags, terminal)) return putJson(terminal, JSON.stringify(model));
  const inverses = inverseTexts(model, await client.models({ signal: terminal.signal }));
  await put(terminal.stdout, summary(model, inverses));
  await putTable(terminal, attributeTable(model));
}

function modelTable(models: readonly ModelEntry[]): TableContent {
  return {
    columns: [
      { title: 'model', align: 'left' },
      { title: 'attributes', align: 'right' },
      { title: 'key', align: 'left' },
      { title: 'largest page', align: 'right' },
      { title: 'description', align: 'left' },
    ],
    rows: models.map(({ name, attributes, key, max_page_size: largest, description }) => [
      name,
      String(attributes.length),
      key.join(', '),
      String(largest),
      description?.split('\n')[0] ?? '',
    ]),
  };
}

function attributeTable({ attributes }: ModelEntry): TableContent {
  const titles = ['attribute', 'type', 'null', 'operators', 'facets', 'description'];
  return {
    columns: titles.map((title) => ({ title, align: 'left' })),
    rows: attributes.map(({ name, type, items, nullable, operators, facets = [], description }) => [
      name,
      items === undefined ? type : `${type} of ${items}`,
      nullable ? 'yes' : 'no',
      operatorTexts(operators),
      facets.join(', '),
      description ?? '',
    ]),
  };
}

function deprecationText({ since, note }: NonNullable<ModelEntry['deprecated']>): string {
  return note === null ? `deprecated since ${since}` : `deprecated since ${since}: ${note}`;
}

/** `country: country_code refers to countries (code)`; without a name no path leads along it. */
function referenceText({ name, attributes, model, key }: ReferenceEntry): string {
  const text = `${attributes.join(', ')} refers to ${model} (${key.join(', ')})`;
  return name === undefined ? text : `${name}: ${text}`;
}

/** `cities (some, none): country_code of cities refers to this` */
function inverseTexts({ name }: ModelEntry, models: readonly ModelEntry[]): string[] {
  return models.flatMap((other) =>
    (other.references ?? []).flatMap(({ inverse, model, attributes }) =>
      inverse === undefined || model !== name
        ? []
        : `${inverse} (some, none): ${attributes.join(', ')} of ${other.name} refers to this`,
    ),
  );
}

function summary(model: ModelEntry, inverses: readonly string[]): string {
  const {
    name,
    description,
    key,
    default_sort: sort,
    max_page_size: largest,
    references = [],
    deprecated,
  } = model;
  const order = sort
    .map(({ attribute, direction }) => (direction === 'desc' ? `-${attribute}` : attribute))
    .join(',');
  const facts = [
    description === null ? name : `${name}: ${description}`,
    `key ${key.join(', ')}; order ${order || 'of the key'}; at most ${largest} records per page`,
    ...references.map(referenceText),
    ...inverses,
    ...(deprecated ? [deprecationText(deprecated)] : []),
  ];
  return `${facts.map((fact) => `${printable(fact)}\n`).join('')}\n`;
}
