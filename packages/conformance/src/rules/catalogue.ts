import {
  API_PATHS,
  catalogueSchema,
  type ModelEntry,
  modelPath,
  type ReferenceEntry,
} from '@proj/contract';

import { demand, demandEqual, demandProblem, given } from '../demand.ts';
import { rulesOf } from '../rule.ts';
import { membersOf } from '../subject/json.ts';
import type { Subject } from '../subject/subject.ts';

/** What is wrong with a reference of a model; undefined where nothing is. */
function faultOf(
  { attributes, model, key }: ReferenceEntry,
  from: ModelEntry,
  models: readonly ModelEntry[],
): string | undefined {
  const to = models.find(({ name }) => name === model);
  if (to === undefined) return `it names ${model}, which the catalogue does not`;
  if (!hasAttributes(from, attributes) || !hasAttributes(to, key))
    return 'it names an attribute that is not there';
  return attributes.length > 0 && attributes.length === key.length
    ? undefined
    : `it pairs ${attributes.length} attributes with ${key.length}`;
}

function hasAttributes({ attributes }: ModelEntry, names: readonly string[]): boolean {
  return names.every((name) => attributes.some((attribute) => attribute.name === name));
}

const onePath = ({ selection }: Subject): string => modelPath(selection.model);

export const CATALOGUE_RULES = rulesOf('the-catalogue', {
  'catalogue-members': {
    sentence:
      'GET /api/v1/dynamic/models lists models with name, description, attributes, key, ' +
      'default_sort and max_page_size.',
    check: async ({ send }) => {
      const { status, json } = await send({ path: API_PATHS.models });
      demandEqual(status, 200, 'the status');
      const [issue] = catalogueSchema.safeParse(json).error?.issues ?? [];
      demand(issue === undefined, `${issue?.path.join('.')}: ${issue?.message}`);
    },
  },
  'catalogue-model': {
    sentence: 'GET /api/v1/dynamic/models/{name} answers the same entry.',
    check: async (subject) => {
      const list = membersOf((await subject.send({ path: API_PATHS.models })).json)['models'];
      const { status, json } = await subject.send({ path: onePath(subject) });
      demandEqual(status, 200, 'the status');
      const entries: readonly unknown[] = Array.isArray(list) ? list : [];
      const isOne = (entry: unknown): boolean =>
        membersOf(entry)['name'] === subject.selection.model;
      demandEqual(json, entries.find(isOne), 'the entry');
    },
  },
  'catalogue-unknown': {
    sentence: 'A model that is not there is answered with 404.',
    check: async ({ send }) => {
      const reply = await send({ path: modelPath('no such model') });
      demandProblem(reply, 'an unknown model', 'not_found');
    },
  },
  'catalogue-etag': {
    sentence: 'The catalogue has an ETag, and answers 304 without a body to a caller that has it.',
    check: async (subject) => {
      for (const path of [API_PATHS.models, onePath(subject)]) {
        const tag = (await subject.send({ path })).headers.get('etag');
        demand(tag !== null, `${path}: expected an ETag; got none`);
        const known = await subject.send({ path, headers: { 'if-none-match': tag } });
        demandEqual([known.status, known.text], [304, ''], `${path} with its ETag`);
        const other = await subject.send({ path, headers: { 'if-none-match': '"another"' } });
        demandEqual(other.status, 200, `${path} with another ETag: the status`);
      }
    },
  },
  'catalogue-references': {
    sentence:
      'A reference names a model of the catalogue, and as many attributes of its own model as of ' +
      'that one.',
    check: async ({ send }) => {
      const { data } = catalogueSchema.safeParse((await send({ path: API_PATHS.models })).json);
      const { models } = given(data, 'the catalogue cannot be read');
      for (const entry of models) {
        for (const reference of entry.references ?? []) {
          const fault = faultOf(reference, entry, models);
          const what = `reference ${JSON.stringify(reference)} of ${entry.name}`;
          demand(fault === undefined, `${what}: ${fault}`);
        }
      }
    },
  },
  'catalogue-readable': {
    sentence: 'Every attribute of the catalogue can be read, and filtered by where it says so.',
    check: async (subject) => {
      for (const { name, operators } of subject.entry.attributes) {
        const filter = operators.includes('is_null') && { attribute: name, op: 'is_null' };
        const more = { query_attributes: [name], ...(filter && { query_filter: filter }) };
        await subject.first(1, more);
      }
    },
  },
  'no-null': {
    sentence: 'An attribute that the catalogue does not call nullable is never null.',
    check: async (subject) => {
      const attributes = subject.attributes(({ nullable }) => !nullable);
      for (const record of await subject.sample())
        for (const { name } of attributes)
          demand(record[name] !== null, `${name} is not nullable; got null`);
    },
  },
});
