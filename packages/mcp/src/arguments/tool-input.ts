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
