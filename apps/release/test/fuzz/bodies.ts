import { type Operator, OPERATORS, operatorsOf } from '@proj/contract';
import * as fc from 'fast-check';

import { type JsonNode, Members, members, printJson, Token } from './json-text.ts';
import { EXAMPLES, MODELS } from './kinds-table.ts';
import { oddNumber, oddText, oddValue } from './odd-values.ts';

/** What a request is for. */
export type FuzzTarget = 'query' | 'facets' | 'export';

type Node = fc.Arbitrary<JsonNode>;

/** Something, and in a few cases anything. */
function mostly(usual: Node, odd: Node = oddValue): Node {
  return fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

function operandOf(op: Operator, examples: readonly string[]): Node {
  const one = mostly(fc.constantFrom(...examples));
  switch (OPERATORS[op].operand) {
    case 'list':
      return fc.array(one, { minLength: 1, maxLength: 6 });
    case 'pair':
      return fc.tuple(one, one);
    case 'truth':
      return mostly(fc.boolean());
    case 'day':
      return mostly(fc.constantFrom('2026-01-31', '1969-12-31', '9999-12-31'));
    case 'value_or_null':
      return fc.oneof(one, fc.constant(null));
    case 'value':
      return one;
  }
}

/** A comparison of an attribute of a model, mostly with a value that its type takes. */
function comparison(model: string): Node {
  const attributes = Object.entries(MODELS[model] ?? {});
  const comparisons = attributes.flatMap(([attribute, type]) =>
    operatorsOf(type).map((op) =>
      fc.record({
        attribute: mostly(fc.constant(attribute)),
        op: mostly(fc.constant(op)),
        value: operandOf(op, EXAMPLES[type] ?? ['1']),
      }),
    ),
  );
  return fc.oneof(...comparisons).map(members);
}

function filterOf(model: string): Node {
  const { filter } = fc.letrec<{ filter: JsonNode }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 5, depthSize: 'small', withCrossShrink: true },
      comparison(model),
      fc.array(tie('filter'), { minLength: 1, maxLength: 4 }).map((all) => members({ and: all })),
      fc.array(tie('filter'), { minLength: 1, maxLength: 4 }).map((any) => members({ or: any })),
      tie('filter').map((not) => members({ not })),
    ),
  }));
  return filter;
}

function sortedAttribute({ entries }: Members): unknown {
  return entries[0]?.[1];
}

function sortOf(names: readonly string[]): Node {
  const term = fc
    .record(
      {
        attribute: mostly(fc.constantFrom(...names)),
        direction: mostly(fc.constantFrom('asc', 'desc')),
        nulls: mostly(fc.constantFrom('first', 'last')),
      },
      { requiredKeys: ['attribute'], noNullPrototype: true },
    )
    .map((parts) => members(parts as Record<string, JsonNode>));
  return fc.uniqueArray(term, { maxLength: 6, selector: sortedAttribute });
}

const pageNumber = mostly(
  fc.oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.maxSafeNat().map((number) => number + 1),
  ),
  oddNumber,
);

const pageSize = mostly(fc.integer({ min: 1, max: 1000 }), oddNumber);

const numberedPage = fc
  .record({ page: pageNumber, size: pageSize })
  .map(({ page: number, size }) => members({ page: number, size }));

/** The page that holds a record: mostly one that is there. */
const pageOfRecord = fc
  .record({ id: mostly(fc.integer({ min: -1, max: 70 }).map(String)), size: pageSize })
  .map(({ id, size }) => members({ containing: members({ id }), size }));

const page = fc.oneof(
  { weight: 5, arbitrary: numberedPage },
  { weight: 1, arbitrary: pageOfRecord },
);

const queryTotal = fc.oneof(
  fc.constantFrom<JsonNode>('exact', 'none'),
  mostly(fc.integer({ min: 1, max: 100 })).map((limit) => members({ up_to: limit })),
);

/** Values or bins of an attribute, with or without a filter of its own. */
function facetOf(model: string): Node {
  const [attribute, amount] = [
    mostly(fc.constantFrom(...Object.keys(MODELS[model] ?? {}))),
    mostly(fc.integer({ min: 1, max: 50 }), oddNumber),
  ];
  const query_filter = mostly(filterOf(model));
  const sort = mostly(fc.constantFrom('count', 'value'));
  const facet = fc.oneof(
    fc.record(
      { attribute, values: amount, sort, query_filter },
      { requiredKeys: ['attribute', 'values'], noNullPrototype: true },
    ),
    fc.record(
      { attribute, bins: amount, query_filter },
      { requiredKeys: ['attribute', 'bins'], noNullPrototype: true },
    ),
  );
  return facet.map((parts) => members(parts as Record<string, JsonNode>));
}

function attributesOf(model: string): Node {
  const names = Object.keys(MODELS[model] ?? {});
  return fc.oneof(
    { weight: 40, arbitrary: fc.shuffledSubarray(names, { minLength: 1 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(fc.constantFrom(...names), oddText)) },
  );
}

/** What requests of a kind have, of which the first few are required. */
function partsOf(model: string, target: FuzzTarget): [Record<string, Node>, required: number] {
  const query_model = mostly(fc.constant(model));
  const query_filter = mostly(filterOf(model));
  if (target === 'facets') {
    const query_facets = mostly(fc.array(facetOf(model), { minLength: 1, maxLength: 4 }));
    return [{ query_model, query_facets, query_filter }, 2];
  }
  const query_attributes = mostly(attributesOf(model));
  const query_sort = mostly(sortOf(Object.keys(MODELS[model] ?? {})));
  const list = { query_filter, query_sort };
  if (target === 'export') return [{ query_model, query_attributes, ...list }, 2];
  const query_total = mostly(queryTotal);
  return [{ query_model, query_attributes, page: mostly(page), ...list, query_total }, 3];
}

/** A request, each part of which may be something else. */
function requestOf(model: string, target: FuzzTarget): fc.Arbitrary<Members> {
  const [parts, required] = partsOf(model, target);
  const requiredKeys = Object.keys(parts).slice(0, required);
  return fc
    .record(parts, { requiredKeys, noNullPrototype: true })
    .map((chosen) => members(chosen as Record<string, JsonNode>));
}

function anyRequest(target: FuzzTarget): fc.Arbitrary<Members> {
  return fc.oneof(...Object.keys(MODELS).map((model) => requestOf(model, target)));
}

/** A request some of whose members come twice, are missing, or are called otherwise. */
function misshapen(request: fc.Arbitrary<Members>): fc.Arbitrary<Members> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(3), oddText), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(request, changes)
    .map(([{ entries }, made]) => new Members(made.reduce(change, [...entries])));
}

type Entry = readonly [string, JsonNode];

function change(entries: Entry[], [place, kind, name]: [number, number, string]): Entry[] {
  const index = place % Math.max(1, entries.length);
  const entry = entries[index] ?? ['page', null];
  if (kind === 0) return entries.toSpliced(index, 1);
  if (kind === 1) return [...entries, entry];
  // All may have been taken out before.
  if (kind === 2 && entries.length > 0) return entries.with(index, [name, entry[1]]);
  return [...entries, [name, entry[1]]];
}

/** A filter that is as deep as nobody means it. */
const deep: fc.Arbitrary<Members> = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom('and', 'or', 'not'))
  .map(([depth, word]) => {
    const [before, after] = word === 'not' ? ['{"not":', '}'] : [`{"${word}":[`, ']}'];
    const inner = '{"attribute":"id","op":"eq","value":1}';
    return members({
      query_model: 'items',
      query_attributes: ['id'],
      page: members({ page: 1, size: 1 }),
      query_filter: new Token(before.repeat(depth) + inner + after.repeat(depth)),
    });
  });

/** Texts with some bytes changed, as a careless program or a broken line sends them. */
function mutated(text: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const changes = fc.tuple(fc.nat(), fc.nat(255), fc.nat(2));
  return fc
    .tuple(text, fc.array(changes, { minLength: 1, maxLength: 4 }))
    .map(([bytes, made]) => made.reduce<Uint8Array>(changeByte, bytes));
}

function changeByte(bytes: Uint8Array, [place, byte, kind]: [number, number, number]): Uint8Array {
  const index = place % Math.max(1, bytes.length);
  const [head, tail] = [bytes.subarray(0, index), bytes.subarray(index + (kind === 0 ? 0 : 1))];
  return Buffer.concat([head, kind === 2 ? Buffer.alloc(0) : Buffer.of(byte), tail]);
}

function textOf(node: Node): fc.Arbitrary<Uint8Array> {
  return node.map((value) => Buffer.from(printJson(value)));
}

/** The bodies of requests of a kind: valid, nearly valid, and everything else. */
export function bodyFor(target: FuzzTarget): fc.Arbitrary<Uint8Array> {
  const request = anyRequest(target);
  const text = textOf(request);
  return fc.oneof(
    { weight: 16, arbitrary: text },
    { weight: 4, arbitrary: textOf(misshapen(request)) },
    { weight: 4, arbitrary: mutated(text) },
    { weight: 1, arbitrary: textOf(deep) },
    { weight: 1, arbitrary: textOf(oddValue) },
    { weight: 1, arbitrary: fc.json().map((json) => Buffer.from(json)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    { weight: 1, arbitrary: text.map((bytes) => Buffer.from(bytes.toString(), 'utf16le')) },
  );
}
