import {
  API_PATHS,
  catalogueSchema,
  type ModelEntry,
  modelPath,
  operatorsOf,
  type ReferenceEntry,
  WIRE_TYPES,
  type WireType,
} from '@proj/contract';

import { demandProblem } from '../demand-problem.ts';
import { membersOf } from '../subject/json-object.ts';
import { type Rule } from '../rule.ts';
import { demand, demandEqual, given } from '../demand.ts';
import type { Subject } from '../subject/subject.ts';

const isWireType = (type: string): type is WireType => Object.hasOwn(WIRE_TYPES, type);

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

export const CATALOGUE_RULES: readonly Rule[] = [
  {
    id: 'catalogue-members',
    sentence:
      'GET /api/v1/dynamic/models lists models with name, description, attributes, key, ' +
      'default_sort and max_page_size.',
    section: 'the-catalogue',
    check: async ({ send }) => {
      const { status, json } = await send({ path: API_PATHS.models });
      demand(status === 200, `expected status 200; got ${status}`);
      const reading = catalogueSchema.safeParse(json);
      const [issue] = reading.error?.issues ?? [];
      demand(reading.success, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    },
  },
  {
    id: 'catalogue-model',
    sentence: 'GET /api/v1/dynamic/models/{name} answers the same entry.',
    section: 'the-catalogue',
    check: async (subject) => {
      const list = membersOf((await subject.send({ path: API_PATHS.models })).json)['models'];
      const one = await subject.send({ path: onePath(subject) });
      demand(one.status === 200, `expected status 200; got ${one.status}`);
      const listed = Array.isArray(list)
        ? list.find((entry) => membersOf(entry)['name'] === subject.selection.model)
        : undefined;
      demandEqual(one.json, listed, 'the entry');
    },
  },
  {
    id: 'catalogue-unknown',
    sentence: 'A model that is not there is answered with 404.',
    section: 'the-catalogue',
    check: async ({ send }) => {
      const reply = await send({ path: modelPath('no such model') });
      demandProblem(reply, { of: 'an unknown model', status: 404, code: 'not_found' });
    },
  },
  {
    id: 'catalogue-etag',
    sentence: 'The catalogue has an ETag, and answers 304 without a body to a caller that has it.',
    section: 'the-catalogue',
    check: async (subject) => {
      for (const path of [API_PATHS.models, onePath(subject)]) {
        const tag = (await subject.send({ path })).headers.get('etag');
        demand(tag !== null, `${path}: expected an ETag; got none`);
        const { status, text } = await subject.send({ path, headers: { 'if-none-match': tag } });
        demand(
          status === 304 && text === '',
          `${path} with its ETag: expected status 304; got ${status}`,
        );
        const other = await subject.send({ path, headers: { 'if-none-match': '"another"' } });
        demand(
          other.status === 200,
          `${path} with another ETag: expected status 200; got ${other.status}`,
        );
      }
    },
  },
  {
    id: 'catalogue-operators',
    sentence: 'The operators of an attribute follow from its type.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      for (const { name, type, operators } of subject.entry.attributes) {
        if (isWireType(type))
          demandEqual(
            operators.toSorted(),
            operatorsOf(type).toSorted(),
            `operators of ${name}, which is ${type}`,
          );
      }
    },
  },
  {
    id: 'catalogue-references',
    sentence:
      'A reference names a model of the catalogue, and as many attributes of its own model as of ' +
      'that one.',
    section: 'the-catalogue',
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
  {
    id: 'catalogue-readable',
    sentence: 'Every attribute of the catalogue can be read, and filtered by where it says so.',
    section: 'the-catalogue',
    check: async (subject) => {
      for (const { name, operators } of subject.entry.attributes) {
        const filter = operators.includes('is_null')
          ? { query_filter: { attribute: name, op: 'is_null' } }
          : {};
        await subject.read({ page: 1, size: 1, more: { query_attributes: [name], ...filter } });
      }
    },
  },
];
