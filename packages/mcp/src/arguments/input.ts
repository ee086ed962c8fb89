import * as z from 'zod';

/** What people call arguments elsewhere. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  columns: 'attributes',
  fields: 'attributes',
  first: 'size',
  group_by: 'by',
  limit: 'size',
  offset: 'page',
  order_by: 'sort',
  orderby: 'sort',
  select: 'attributes',
  table: 'model',
  where: 'filter',
};

/** The schema of a tool's arguments; another one is refused, with those that there are. */
export function toolInput<const Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? explainUnknown(issue.keys, shape) : undefined,
  });
}

function explainUnknown(keys: readonly string[], shape: object): string {
  const hints = keys.flatMap((key) => {
    const other = OTHER_NAMES[key.toLowerCase()];
    return other !== undefined && other in shape ? [` For ${key} use ${other}.`] : [];
  });
  return (
    `there is no argument ${keys.join(', ')}.${hints.join('')} Arguments: ` +
    `${Object.keys(shape).join(', ')}.`
  );
}

/** How many records a page has where a call does not say. */
const DEFAULT_SIZE = 20;

/** How many characters of a text are shown where a call does not say. */
export const DEFAULT_TEXT = 300;

const whole = z.int().min(1);

type Mapping = Readonly<Record<string, unknown>>;

/** An object as it is: `z.record` would drop the name `__proto__`. */
export const mapping = z
  .unknown()
  .meta({ type: 'object' })
  .pipe(z.custom<Mapping>(isMapping, 'expected an object'));

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The arguments that several tools have. */
export const ARGUMENTS = {
  model: z.string().describe('Name of the model, from list_models.'),
  attributes: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Attributes or paths such as country.name; all of the model by default.'),
  filter: z
    .union([z.string(), mapping])
    .optional()
    .describe(
      "Which records, such as: population >= 1000000 and (country.name = 'Peru' or name " +
        "starts with 'San'). Operators: = != < <= > >= in (…) between … and …, is null, is not " +
        "null, ieq, contains, icontains, starts with, ends with, on '2026-01-31' at " +
        "time zone '…'; of arrays has, has any (…), has all (…); and, or, not; some orders (…), " +
        'none orders (…) on related records. ' +
        "Texts and dates in single quotes. Or the API's tree.",
    ),
  related: z
    .array(z.string())
    .optional()
    .describe(
      'What refers to each record, counted or summed up, as attributes: ["orders_count = count ' +
        'orders", "last = max orders.placed_at where amount > 10"]. Also sum, average, min, ' +
        'count_distinct.',
    ),
  sort: z
    .array(z.string())
    .optional()
    .describe('Such as ["population desc", "name"]; "… nulls first" or "… nulls last".'),
  page: whole.default(1).describe('Number of the page, from 1.'),
  size: whole.default(DEFAULT_SIZE).describe('Records a page.'),
  max_text: whole
    .default(DEFAULT_TEXT)
    .describe('Longer texts are cut after so many characters, and named.'),
  text_from: z
    .int()
    .min(0)
    .default(0)
    .describe('Characters of each text to leave out: reads the rest of a cut one.'),
};
