import { type AttributeEntry, MAX_ATTRIBUTES } from '@proj/contract';

import { demand, demandEqual, NotTried } from '../demand.ts';
import { rulesOf } from '../rule.ts';
import type { JsonObject } from '../subject/json.ts';
import { inverseOccasion, type Relation, relations } from '../subject/relations.ts';
import type { Subject } from '../subject/subject.ts';

/** Paths along one reference. */
interface Paths {
  /** The model in which they begin. */
  readonly from: Subject;
  /** The name of the reference. */
  readonly name: string;
  readonly paths: readonly [string, ...string[]];
}

/** So many paths are tried. */
const MOST_PATHS = 3;

/** So many records of a page are compared. */
const SIZE = 20;

/** What a path leads to; an attribute of the model itself keeps its name, whatever it is. */
function pathsAlong(
  { reference: { name }, from, to }: Relation,
  suits: (attribute: AttributeEntry) => boolean,
): Paths | undefined {
  const own = new Set(from.entry.attributes.map((attribute) => attribute.name));
  const [first, ...others] = to.entry.attributes
    .filter(suits)
    .map((attribute) => `${name}.${attribute.name}`)
    .filter((path) => !own.has(path))
    .slice(0, MOST_PATHS);
  return name === undefined || first === undefined
    ? undefined
    : { from, name, paths: [first, ...others] };
}

async function withPaths(
  subject: Subject,
  suits: (attribute: AttributeEntry) => boolean = () => true,
): Promise<Paths> {
  for await (const relation of relations(subject, ({ name }) => name !== undefined)) {
    const found = pathsAlong(relation, suits);
    if (found !== undefined) return found;
  }
  throw new NotTried('no reference of the catalogue has a name along which a path leads');
}

/** Attributes that leave room for some paths beside them. */
function ownNames({ selection }: Subject): readonly string[] {
  // JavaScript moves names that look like numbers to the front of any object.
  const names = selection.attributes.filter((name) => !/^\d+$/.test(name));
  return names.slice(0, MAX_ATTRIBUTES - MOST_PATHS);
}

function only(names: readonly string[], record: JsonObject): JsonObject {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

/** Paths along references, and filters by the records that refer. */
export const RELATION_RULES = rulesOf('relations', {
  'relation-members': {
    sentence:
      'A path along a named reference is a member of that very name in each record, in the order ' +
      'of the request.',
    check: async (subject) => {
      const { from, paths } = await withPaths(subject);
      const own = ownNames(from);
      const [path, ...others] = paths;
      const order = [path, ...own, ...others];
      for (const names of [order, order.toReversed()]) {
        const { result } = await from.first(SIZE, { query_attributes: names });
        demand(result.length > 0, `with ${path}: expected records; got none`);
        for (const record of result)
          demandEqual(Object.keys(record), names, `with ${path}: members of a record`);
      }
    },
  },
  'relation-list': {
    sentence: 'A path that is selected changes neither the total nor the records nor their order.',
    check: async (subject) => {
      const { from, paths } = await withPaths(subject);
      const own = ownNames(from);
      const size = Math.min(SIZE, from.maximum);
      const last = Math.max(1, Math.ceil(Number(await from.count()) / size));
      for (const page of new Set([1, last])) {
        const read = async (names: readonly string[]) =>
          from.read({ page, size, more: { query_attributes: names } });
        const [without, joined] = [await read(own), await read([...own, ...paths])];
        const what = `page ${page} with ${paths.join(', ')}`;
        demandEqual(joined.total, without.total, `${what}: the total`);
        demandEqual(
          joined.result.map((record) => only(own, record)),
          without.result.map((record) => only(own, record)),
          `${what}: the records`,
        );
      }
    },
  },
  'relation-null': {
    sentence:
      'Every record has NULL or a value at the end of a path: what is_null true and is_null ' +
      'false keep adds up to the total.',
    check: async (subject) => {
      await subject.needs('filters-and-sorting');
      const { from, paths } = await withPaths(subject, ({ operators }) =>
        operators.includes('is_null'),
      );
      const total = await from.count();
      for (const attribute of paths) {
        const nulls = await from.count({ attribute, op: 'is_null', value: true });
        const values = await from.count({ attribute, op: 'is_null', value: false });
        demandEqual(nulls + values, total, `${attribute}: ${nulls} NULL and ${values} values`);
      }
    },
  },
  'relation-unknown': {
    sentence: 'An unknown attribute behind a named reference is refused with unknown_attribute.',
    check: async (subject) => {
      const { from, name } = await withPaths(subject);
      const attribute = `${name}.no such attribute`;
      const [first] = from.selection.attributes;
      const query_attributes = [first, attribute];
      await from.refuses({ query_attributes }, 'unknown_attribute', '/query_attributes/1');
      if (!(await subject.has('filters-and-sorting'))) return;
      const query_filter = { attribute, op: 'is_null', value: true };
      await from.refuses({ query_filter }, 'unknown_attribute', '/query_filter/attribute');
    },
  },
  'relation-inverse': {
    sentence:
      'Some record refers to a record or none does: what some and none of the inverse of a ' +
      'reference keep adds up to the total.',
    check: async (subject) => {
      await subject.needs('filters-and-sorting');
      const { to, inverse } = await inverseOccasion(subject);
      const total = await to.count();
      const some = await to.count({ related: inverse, some: {} });
      const none = await to.count({ related: inverse, none: {} });
      const what = `${inverse} of ${to.selection.model}: some keeps ${some}, none ${none}`;
      demandEqual(some + none, total, what);
    },
  },
});
