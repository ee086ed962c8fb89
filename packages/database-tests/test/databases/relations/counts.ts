import type { RolePolicies } from './schema.ts';

/** A count or an aggregate of what refers to customers, and the same in SQL. */
export interface CountedRelated {
  readonly asked: {
    readonly related: string;
    readonly op: string;
    readonly attribute?: string;
    readonly filter?: object;
  };
  /** How its values travel. */
  readonly kind: 'number' | 'digits' | 'text';
  readonly sql: (role: RolePolicies) => string;
}

/** Of orders with their agents. */
function ofOrders(found: string, where = '1 = 1'): CountedRelated['sql'] {
  return ({ sql }) => `select ${found} from orders o
    left join agents a on a.code = o.agent_code and ${sql['a'] ?? '1 = 1'}
    where o.customer_id = c.id and ${sql['o'] ?? '1 = 1'} and ${where}`;
}

/** Of the customers that a customer referred. */
function ofReferred(found: string, where = '1 = 1'): CountedRelated['sql'] {
  return ({ sql }) => `select ${found} from customers d
    left join countries n on n.id = d.country_id and ${sql['n'] ?? '1 = 1'}
    where d."referrerId" = c.id and ${(sql['c'] ?? '1 = 1').replaceAll('c.', 'd.')} and ${where}`;
}

const ORDERED = ({ sql }: RolePolicies): string =>
  `exists (select 1 from orders o where o.customer_id = d.id and ${sql['o'] ?? '1 = 1'})`;

const orders = { related: 'orders' };
const referred = { related: 'customers' };
const dear = { attribute: 'amount', op: 'gt', value: 30 };
const noted = { attribute: 'note', op: 'is_null', value: false };
const ofAgent = { attribute: 'agent.level', op: 'gte', value: 2 };
const inEurope = { attribute: 'country.level', op: 'ne', value: 1 };

export const COUNTS: readonly CountedRelated[] = [
  { asked: { ...orders, op: 'count' }, kind: 'digits', sql: ofOrders('count(*)') },
  {
    asked: { ...orders, op: 'count', attribute: 'note' },
    kind: 'digits',
    sql: ofOrders('count(o.note)'),
  },
  {
    asked: { ...orders, op: 'count_distinct', attribute: 'note' },
    kind: 'digits',
    sql: ofOrders('count(distinct o.note)'),
  },
  {
    asked: { ...orders, op: 'sum', attribute: 'amount' },
    kind: 'digits',
    sql: ofOrders('sum(o.amount)'),
  },
  {
    asked: { ...orders, op: 'min', attribute: 'amount', filter: noted },
    kind: 'number',
    sql: ofOrders('min(o.amount)', 'o.note is not null'),
  },
  {
    asked: { ...orders, op: 'max', attribute: 'note' },
    kind: 'text',
    sql: ofOrders('max(o.note)'),
  },
  {
    asked: { ...orders, op: 'count', filter: { or: [dear, ofAgent] } },
    kind: 'digits',
    sql: ofOrders('count(*)', '(o.amount > 30 or a.level >= 2)'),
  },
  {
    asked: { ...orders, op: 'max', attribute: 'agent.level' },
    kind: 'number',
    sql: ofOrders('max(a.level)'),
  },
  {
    asked: { ...orders, op: 'count_distinct', attribute: 'agent.level', filter: { not: dear } },
    kind: 'digits',
    sql: ofOrders('count(distinct a.level)', 'not o.amount > 30'),
  },
  { asked: { ...referred, op: 'count' }, kind: 'digits', sql: ofReferred('count(*)') },
  {
    asked: { ...referred, op: 'sum', attribute: 'country.level', filter: inEurope },
    kind: 'digits',
    sql: ofReferred('sum(n.level)', 'n.level <> 1'),
  },
  {
    asked: { ...referred, op: 'min', attribute: 'name' },
    kind: 'text',
    sql: ofReferred('min(d.name)'),
  },
  {
    asked: { ...referred, op: 'count', filter: { ...orders, some: {} } },
    kind: 'digits',
    sql: (role) => ofReferred('count(*)', ORDERED(role))(role),
  },
];

/** The view that an oracle reads: customers with all counts. */
export function countsView(role: RolePolicies): string {
  const columns = COUNTS.map(({ sql }, index) => `(${sql(role)}) as n${index}`);
  return `create view counts_${role.name} as
    select c.id, c.name, c.level, ${columns.join(', ')}
    from customers c where ${role.sql['c'] ?? '1 = 1'}`;
}
