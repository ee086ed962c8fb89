import { API_PATHS, type FacetKind, type ProblemCode } from '@proj/contract';

import { countOf, demand, demandEqual, demandError, given, NotTried } from '../demand.ts';
import { rulesOf } from '../rule.ts';
import { isObject, type JsonObject, membersOf } from '../subject/json.ts';
import { countsInOrder, EXACT, sumOf } from '../subject/occasion.ts';
import type { Reply } from '../subject/send.ts';
import type { Subject } from '../subject/subject.ts';

/** What a server without facets answers. */
const NO_FACETS: ReadonlySet<number> = new Set([404, 405]);

/** So many values or bins are counted once more by queries. */
const COUNTED = 5;

async function send(subject: Subject, query_facets: unknown): Promise<Reply> {
  const body = JSON.stringify({ query_model: subject.selection.model, query_facets });
  const reply = await subject.send({ path: API_PATHS.facets, body });
  if (NO_FACETS.has(reply.status)) throw new NotTried('the server has no facets');
  return reply;
}

/** The only facet of a reply, and the total, which has to be that of the list. */
async function read(subject: Subject, facet: JsonObject): Promise<[JsonObject, total: bigint]> {
  const { status, json, text } = await send(subject, [facet]);
  demandEqual(status, 200, 'the status');
  const { facets, total } = membersOf(json);
  demand(Array.isArray(facets), `expected a list of facets; got ${text.slice(0, 80)}`);
  const [found] = facets;
  demand(facets.length === 1 && isObject(found), `expected one facet; got ${facets.length}`);
  const counted = await subject.count();
  demandEqual(total, counted, 'the total');
  return [found, counted];
}

function partsOf(facet: JsonObject, name: Exclude<FacetKind, 'sum'>): readonly JsonObject[] {
  const parts = facet[name];
  demand(Array.isArray(parts) && parts.every(isObject), `${name}: expected a list of objects`);
  return parts;
}

/** Attributes with such facets whose values queries can count too. */
function facetable(subject: Subject, kind: FacetKind, operators: readonly string[]): string[] {
  const found = subject.attributes(
    ({ name, facets, operators: known }) =>
      facets?.includes(kind) === true &&
      operators.every((operator) => known.includes(operator)) &&
      !subject.entry.key.includes(name),
  );
  const names = found.map(({ name }) => name);
  given(names[0], `no attribute but the key has facets of ${kind}`);
  return names;
}

/** Of few values all counts are seen, which have to add up to the total. */
async function withFewValues(subject: Subject, names: readonly string[]): Promise<string> {
  const exact = subject.attributes(({ name, type }) => names.includes(name) && EXACT.has(type));
  const counted = await Promise.all(
    exact.map(async ({ name }) => ({ name, size: (await subject.values(name)).length })),
  );
  const [fewest] = counted.filter(({ size }) => size > 0).toSorted((a, b) => a.size - b.size);
  return given(fewest, 'no attribute of an exact type but the key holds a value').name;
}

/** What the attributes of a list hold, and how often. */
export const FACET_RULES = rulesOf('facets', {
  'facet-values': {
    sentence:
      'The count of each value of a facet is the total of the list with eq to it, the most ' +
      'frequent first; with NULL all counts add up to the total.',
    check: async (subject) => {
      const names = facetable(subject, 'values', ['eq', 'is_null']);
      const attribute = await withFewValues(subject, names);
      const [facet, total] = await read(subject, { attribute, values: 1000 });
      const values = partsOf(facet, 'values');
      const counts = values.map((value) => countOf(value));
      demandEqual(counts, countsInOrder(counts, 'desc'), 'the counts');
      const distinct = countOf(facet, 'distinct');
      demandEqual(BigInt(values.length), distinct > 1000n ? 1000n : distinct, 'the values');
      if (distinct <= 1000n)
        demandEqual(sumOf(counts) + countOf(facet, 'nulls'), total, 'the sum of the counts');
      const nulls = await subject.count({ attribute, op: 'is_null', value: true });
      demandEqual(countOf(facet, 'nulls'), nulls, 'nulls');
      for (const { value, count } of values.slice(0, COUNTED)) {
        const equal = await subject.count({ attribute, op: 'eq', value });
        demandEqual(count, equal, `the count of ${JSON.stringify(value)}`);
      }
    },
  },
  'facet-bins': {
    sentence:
      'Each bin of a facet counts the records from its from to below its to, the last one with ' +
      'it; with NULL and others all counts add up to the total.',
    check: async (subject) => {
      const [attribute] = facetable(subject, 'bins', ['gte', 'lt', 'lte']);
      const [facet, total] = await read(subject, { attribute, bins: COUNTED });
      const bins = partsOf(facet, 'bins');
      const counts = [...bins.map((bin) => countOf(bin)), countOf(facet, 'nulls')];
      demandEqual(sumOf(counts) + countOf(facet, 'others'), total, 'the sum of the counts');
      for (const [index, { from, to, count }] of bins.entries()) {
        const upper = index === bins.length - 1 ? 'lte' : 'lt';
        const and = [
          { attribute, op: 'gte', value: from },
          { attribute, op: upper, value: to },
        ];
        const within = await subject.count({ and });
        demandEqual(count, within, `the count from ${String(from)} to ${String(to)}`);
      }
    },
  },
  'facet-errors': {
    sentence:
      'No facets are refused with no_facets, too many with too_many_facets, a facet of both ' +
      'values and bins or of neither with invalid_facet, and no values with out_of_range.',
    check: async (subject) => {
      const [attribute] = facetable(subject, 'values', []);
      const many = Array.from({ length: 21 }, () => ({ attribute, values: 1 }));
      const wrong: readonly (readonly [unknown[], ProblemCode, pointer: string])[] = [
        [[], 'no_facets', '/query_facets'],
        [many, 'too_many_facets', '/query_facets'],
        [[{ attribute, values: 1, bins: 1 }], 'invalid_facet', '/query_facets/0'],
        [[{ attribute }], 'invalid_facet', '/query_facets/0'],
        [[{ attribute, values: 0 }], 'out_of_range', '/query_facets/0/values'],
      ];
      for (const [facets, code, pointer] of wrong) {
        const of = `query_facets ${JSON.stringify(facets).slice(0, 80)}`;
        demandError(await send(subject, facets), of, { code, pointer });
      }
    },
  },
  'facet-types': {
    sentence:
      'A facet that the catalogue does not give for an attribute is refused with not_facetable.',
    check: async (subject) => {
      const [other] = subject.attributes(({ facets }) => facets?.includes('bins') === false);
      const { name: attribute } = given(other, 'every attribute has facets of bins');
      demandError(await send(subject, [{ attribute, bins: 1 }]), `bins of ${attribute}`, {
        code: 'not_facetable',
        pointer: '/query_facets/0/attribute',
      });
    },
  },
});
