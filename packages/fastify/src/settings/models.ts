import { WIRE_TYPES, type WireType } from '@proj/contract';
import { STORED_AS } from '@proj/engine';
import * as z from 'zod';

import { named, namedInOrder } from './named.ts';
import { listed, modelsByName, shortFor } from './short-forms.ts';

const date = z.iso.date();

/** Announces a removal. */
const deprecation = z.strictObject({
  since: date.describe('The date from which callers should use something else.'),
  sunset: date.optional().describe('The date on which it will be removed.'),
  note: z.string().optional().describe('What to use instead.'),
});

/** Only PostgreSQL has the others, and knows their columns. */
const DECLARED_TYPES = Object.keys(WIRE_TYPES).filter(
  (type) => !['interval', 'inet', 'range'].includes(type),
) as [WireType, ...WireType[]];

const attributeSettings = z.strictObject({
  column: z
    .string()
    .min(1)
    .optional()
    .describe('The column that holds it; its own name by default.'),
  sql: z
    .string()
    .min(1)
    .optional()
    .describe(
      'An expression in the words of the database, in place of a column, such as ' +
        '`price - cost`. The row is `t`. Needs a `type`.',
    ),
  reads: z
    .literal('row')
    .optional()
    .describe(
      'With `sql`: that it depends on the columns of its row alone. ' +
        'Without it, lists that name the attribute have no version.',
    ),
  json: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A column of JSON that holds it at `path`, in place of a column: NULL where that place is ' +
        'absent or of another `type`.',
    ),
  path: z
    .array(z.union([z.string(), z.int().min(0)], 'expected a name, or a number from 0'))
    .min(1)
    .optional()
    .describe('With `json`: names of members, and numbers of items from 0, as `[sizes, 0]`.'),
  type: z
    .enum(DECLARED_TYPES)
    .optional()
    .describe('The wire type, where SQLite does not know it, or of an expression or `json`.'),
  stored_as: z
    .enum(STORED_AS)
    .optional()
    .describe(
      'How a SQLite column of type `date`, `timestamp` or `timestamp_tz` stores numbers: ' +
        '`julian_day`, `unix_seconds` or `unix_milliseconds`. ' +
        'Dates that are texts are read in any case; `text` by default.',
    ),
  description: z.string().optional().describe('What the catalogue says about it.'),
  hidden: z.boolean().optional().describe('Whether it is left out.'),
  deprecated: deprecation
    .optional()
    .describe('Announces that it will be removed: `since`, `sunset` and `note`.'),
});

const relationSettings = z.strictObject({
  attributes: z.array(z.string()).min(1).describe('Attributes that hold the key of a record.'),
  model: z.string().describe('The model of that record.'),
  key: z
    .array(z.string())
    .min(1)
    .describe('Its attributes, in the same order. A unique index has exactly their columns.'),
  inverse: z
    .string()
    .optional()
    .describe(
      'The name by which filters of that model ask for these records, as in ' +
        '`{ "related": "orders", "some": … }`; the name of this model where absent.',
    ),
});

const sortSettings = z.strictObject({
  attribute: z.string().min(1).describe('What it orders by.'),
  direction: z.enum(['asc', 'desc']).default('asc').describe('Upwards by default.'),
  nulls: z
    .enum(['first', 'last'])
    .optional()
    .describe('Where NULL is sorted; as the largest value by default.'),
});

const attributesByName = namedInOrder(z.string(), attributeSettings);

const modelSettings = z.strictObject({
  source: z
    .string()
    .min(1)
    .optional()
    .describe('The table or view that the model shows; its own name by default.'),
  sql: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What to select in the words of the database, in place of a table or view. Needs a `key`.',
    ),
  reads: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'With `sql`: the tables and views that alone decide its rows. ' +
        'Without it, lists of the model have no version.',
    ),
  description: z.string().optional().describe('What the catalogue says about it.'),
  files: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Parquet, CSV or JSON files that the model shows, of `database: "duckdb:"`: a path in ' +
        'which `*` and `?` stand for others, and the folder `**` for any. ' +
        'See docs/guides/files.md.',
    ),
  key: z
    .union([z.array(z.string().min(1)).min(1), z.literal('rows')])
    .optional()
    .describe(
      'Columns that are unique together and never NULL; of `files` also `rows`, the number of ' +
        'the row, which becomes the attribute `row`. ' +
        'Needed where the database knows no key, as for a view that groups rows or joins ' +
        'several for one.',
    ),
  attributes: z
    .union(
      [z.literal('all'), listed(attributesByName, {}), attributesByName],
      'expected `all`, a list of attributes, or a mapping of attributes by name',
    )
    .optional()
    .describe(
      '`all` columns, or the attributes: a list, or by name with what is said of each. ' +
        'Where `expose` is `all`, those that are not named are shown as they are.',
    ),
  relations: named(z.string(), relationSettings)
    .optional()
    .describe(
      'Relations to one by name, for paths such as `customer.name`: those that the database does ' +
        'not know by a foreign key, and other names for those that it does.',
    ),
  label: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The attribute by which people know a record; the explorer shows it where another model ' +
        'refers to this one.',
    ),
  default_sort: z
    .array(
      z.union(
        [shortFor(sortSettings, [z.string().min(1)], (attribute) => ({ attribute })), sortSettings],
        'expected an attribute, or a mapping such as `{ attribute: id, direction: desc }`',
      ),
    )
    .optional()
    .describe(
      'The order of a request that asks for none: ' +
        '`attribute`, `direction` and `nulls` of each term, or the attribute alone.',
    ),
  max_page_size: z.int().min(1).optional().describe('The largest page size for this model.'),
  distributed: z
    .literal('approximate')
    .optional()
    .describe(
      '`approximate` serves a model although records and total of a reply may be of different ' +
        'states, as where its records are on several servers. Its replies have the header ' +
        '`Data-State: approximate`. Without it such a model is left out.',
    ),
  deprecated: deprecation
    .optional()
    .describe('Announces that it will be removed: `since`, `sunset` and `note`.'),
});

const models = modelsByName(modelSettings);

/** Models by name, or a list of those that are shown as they are. */
export const modelsSettings = z.union(
  [listed(models, 'all'), models],
  'expected a list of models, or a mapping of models by name',
);

export type ModelsSettings = z.output<typeof modelsSettings>;
