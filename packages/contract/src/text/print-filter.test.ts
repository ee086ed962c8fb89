import { expect, it } from 'vitest';

import type { Filter } from '../filter.ts';
import { printFilter } from './print-filter.ts';

const typeOf = (attribute: string, related: readonly string[]) =>
  attribute === 'population' || related.join('.') === 'orders.lines' ? 'int64' : 'text';

const a: Filter = { attribute: 'a', op: 'eq', value: 'x' };
const b: Filter = { attribute: 'b', op: 'ne', value: 'y' };

it.each<[Filter, string]>([
  [{ attribute: 'population', op: 'gte', value: '1000000' }, 'population >= 1000000'],
  [{ attribute: 'population', op: 'gte', value: 'many' }, "population >= 'many'"],
  [{ attribute: 'name', op: 'eq', value: "L'Île" }, "name = 'L''Île'"],
  [{ attribute: 'name', op: 'in', value: ['1', ''] }, "name in ('1', '')"],
  [{ attribute: 'name', op: 'not_in', value: ['a'] }, "name not in ('a')"],
  [{ attribute: 'population', op: 'between', value: ['1', '2'] }, 'population between 1 and 2'],
  [{ attribute: 'population', op: 'is_null', value: true }, 'population is null'],
  [{ attribute: 'population', op: 'is_null', value: false }, 'population is not null'],
  [{ attribute: 'name', op: 'istarts_with', value: 'z' }, "name istarts with 'z'"],
  [{ attribute: 'name', op: 'is_distinct', value: null }, 'name is distinct from null'],
  [{ attribute: 'open', op: 'eq', value: true }, 'open = true'],
  [{ attribute: 'not', op: 'eq', value: '' }, "`not` = ''"],
  [{ attribute: 'a `b', op: 'eq', value: '' }, "`a ``b` = ''"],
  [{ and: [a, b] }, "a = 'x' and b != 'y'"],
  [{ or: [a, { and: [a, b] }] }, "a = 'x' or (a = 'x' and b != 'y')"],
  [{ not: { not: { or: [a, b] } } }, "not not (a = 'x' or b != 'y')"],
  [{ attribute: 'customer.country.name', op: 'eq', value: 'x' }, "customer.country.name = 'x'"],
  [{ attribute: 'customer.unit price', op: 'eq', value: '' }, "`customer.unit price` = ''"],
  [{ attribute: 'some', op: 'eq', value: 'x' }, "`some` = 'x'"],
  [{ related: 'orders', none: {} }, 'none orders'],
  [{ related: 'orders', some: a }, "some orders (a = 'x')"],
  [
    { and: [a, { related: 'orders', some: { or: [a, b] } }] },
    "a = 'x' and some orders (a = 'x' or b != 'y')",
  ],
  [{ not: { related: 'in', some: {} } }, 'not some `in`'],
  [{ related: 'Starts', none: {} }, 'none `Starts`'],
  [
    {
      related: 'orders',
      some: { related: 'lines', none: { attribute: 'n', op: 'eq', value: '5' } },
    },
    'some orders (none lines (n = 5))',
  ],
])('writes the filter %j as %s', (filter, expression) => {
  expect(printFilter(filter, typeOf)).toBe(expression);
});
