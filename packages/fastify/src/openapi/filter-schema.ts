import { FILTER_LIMITS, type OperandKind, OPERATORS, type OperatorFacts } from '@proj/contract';

import { type Schema, schemaRef, table } from './schema.ts';

const FACTS: readonly (readonly [name: string, facts: OperatorFacts])[] = Object.entries(OPERATORS);

export const FILTER = schemaRef('Filter');
const SCALARS: readonly Schema[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];

/** Where a text would be another value. */
const WRITTEN: Schema = {
  type: 'object',
  properties: {
    number: { type: 'string', description: 'A number in digits.' },
    bytes: { type: 'string', description: 'Bytes in base64.' },
  },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
};

const VALUE: Schema = { anyOf: [...SCALARS, WRITTEN] };
const FILTERS = { type: 'array', minItems: 1, maxItems: FILTER_LIMITS.leaves, items: FILTER };

const TIME_ZONE = {
  type: 'string',
  description: 'An IANA zone, whose day it is; for instants alone. UTC where absent.',
  examples: ['Europe/Paris'],
};

const ANY_RECORD = { type: 'object', maxProperties: 0, description: 'Meets every record.' };

/** `value` of a comparison, by what its operator takes. */
const OPERANDS: Readonly<Record<OperandKind, Schema>> = {
  value: { ...VALUE, description: "A value of the attribute's type, as replies have it." },
  value_or_null: {
    anyOf: [...SCALARS, WRITTEN, { type: 'null' }],
    description: "A value of the attribute's type, or NULL.",
  },
  list: listOf(1, FILTER_LIMITS.values, 'Values.'),
  pair: listOf(2, 2, 'The first and the last value.'),
  day: { type: 'string', description: 'A date.' },
  truth: { type: 'boolean', description: 'Whether NULL is wanted; NULL where absent.' },
};

/** Made from the table of operators. */
export function filterSchemas(): Readonly<Record<string, Schema>> {
  const { depth, leaves, related, values } = FILTER_LIMITS;
  return {
    Filter: {
      description:
        `A tree of comparisons: at most ${depth} deep, ` +
        `with ${leaves} comparisons and ${values} listed values. Of NULL, \`not\` is no truer.`,
      oneOf: [
        object('and', { and: { ...FILTERS, description: 'Filters that all hold.' } }),
        object('or', { or: { ...FILTERS, description: 'Filters of which one holds.' } }),
        object('not', { not: { ...FILTER, description: 'A filter that does not hold.' } }),
        schemaRef('RelatedRecords'),
        schemaRef('Comparison'),
      ],
    },
    RelatedRecords: {
      description:
        'Asks for the records that refer to a record and that the token sees, ' +
        `at most ${related} of such conditions inside one another.`,
      oneOf: [
        relatedRecords('some', 'At least one of them meets the filter.'),
        relatedRecords('none', 'None of them meets the filter.'),
      ],
      examples: [{ related: 'cities', some: {} }],
    },
    Comparison: {
      description: `Compares an attribute by an operator that it takes.\n\n${operators()}`,
      oneOf: Object.entries(OPERANDS).map(([operand, value]) => comparison(operand, value)),
      examples: [{ attribute: 'population', op: 'gte', value: '1000000' }],
    },
  };
}

function listOf(minItems: number, maxItems: number, description: string): Schema {
  return { type: 'array', minItems, maxItems, items: VALUE, description };
}

/** An object with these properties, of which all are required but some. */
function object(title: string, properties: Schema, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { title, type: 'object', properties, required, additionalProperties: false };
}

function relatedRecords(member: string, description: string): Schema {
  return object(member, {
    related: { type: 'string', description: 'An `inverse` of the catalogue.' },
    [member]: { anyOf: [FILTER, ANY_RECORD], description },
  });
}

function comparison(operand: string, value: Schema): Schema {
  const ops = FACTS.flatMap(([name, facts]) => (facts.operand === operand ? [name] : []));
  const properties = {
    attribute: { type: 'string', description: 'What to compare; a path along relations too.' },
    op: { type: 'string', enum: ops, description: 'How to compare.' },
    value,
    ...(operand === 'day' && { time_zone: TIME_ZONE }),
  };
  return object(ops.join(', '), properties, ['time_zone', operand === 'truth' ? 'value' : '']);
}

function operators(): string {
  const rows = FACTS.map(([name, { meaning, types }]) => [
    `\`${name}\``,
    meaning,
    types.join(', '),
  ]);
  return table(['operator', 'true where the attribute is, or does', 'types'], rows);
}
