import { OPERATORS, WIRE_TYPES } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { departures, DOCUMENT } from './document.ts';
import { exampleQuery, WRONG_QUERIES } from './wrong-queries.ts';

const SCHEMAS = Object.entries(DOCUMENT.components.schemas);

function accepts(query_filter: object): boolean {
  return departures('QueryRequest', exampleQuery({ query_filter })).length === 0;
}

/** A value for what each operator takes. */
const VALUES = {
  value: 'a',
  value_or_null: null,
  list: ['a', 1],
  pair: [1, 2],
  day: '2026-01-31',
  truth: false,
};

describe('the schemas of the document', () => {
  it.each(SCHEMAS)(
    'say what %s is, and each of its members',
    (_name, { description, properties = {} }) => {
      expect(description).toMatch(/\S/);
      const silent = Object.entries(properties as Record<string, { description?: string }>).filter(
        ([, member]) => {
          return member.description?.endsWith('.') !== true;
        },
      );
      expect(silent).toEqual([]);
    },
  );

  it.each(Object.keys(WIRE_TYPES))('name the wire type %s', (type) => {
    expect(DOCUMENT.components.schemas['Element']?.['description']).toContain(`| \`${type}\` |`);
  });
});

describe('the schema of a request', () => {
  it('names no default, which generators of clients take for a member that every request has', () => {
    const named = SCHEMAS.filter(([, schema]) => JSON.stringify(schema).includes('"default":'));
    expect(named.map(([name]) => name)).toEqual([]);
  });

  it('takes the examples of the document', () => {
    expect(departures('QueryRequest', exampleQuery())).toEqual([]);
  });

  it.each(Object.entries(OPERATORS))(
    'takes a comparison by %s, and none with another operand',
    (op, { operand }) => {
      const value = VALUES[operand];
      expect(accepts({ attribute: 'a', op, value })).toBe(true);
      expect(accepts({ not: { or: [{ and: [{ attribute: 'a', op, value }] }] } })).toBe(true);
      expect(accepts({ attribute: 'a', op, value: {} })).toBe(false);
      expect(accepts({ attribute: 'a', op, value, more: 1 })).toBe(false);
      expect(accepts({ op, value })).toBe(false);
      expect(accepts({ attribute: 'a', op })).toBe(operand === 'truth');
    },
  );

  /** What depends on the model, on the whole of the filter, or on the text of a name. */
  const BEYOND_A_SCHEMA = [
    'size_too_large',
    'invalid_text',
    'operator_not_applicable',
    'unknown_time_zone',
    'time_zone_not_applicable',
    'too_many_relations',
    'invalid_related',
    'not_sortable',
    'not_groupable',
    'record_not_in_list',
    'unknown_model',
    'unknown_attribute',
  ];

  it.each(Object.entries(WRONG_QUERIES))('refuses %s, where a schema can', (code, query) => {
    expect(departures('QueryRequest', query).length === 0).toBe(BEYOND_A_SCHEMA.includes(code));
  });
});
