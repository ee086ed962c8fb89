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

/** What is asked of them, how its values travel, and the same in SQL. */
const COUNTED: readonly (readonly [
  asked: CountedRelated['asked'],
  kind: CountedRelated['kind'],
  sql: CountedRelated['sql'],
])[] = [
  [{ ...orders, op: 'count' }, 'digits', ofOrders('count(*)')],
  [{ ...orders, op: 'count', attribute: 'note' }, 'digits', ofOrders('count(o.note)')],
  [
    { ...orders, op: 'count_distinct', attribute: 'note' },
    'digits',
    ofOrders('count(distinct o.note)'),
  ],
  [{ ...orders, op: 'sum', attribute: 'amount' }, 'digits', ofOrders('sum(o.amount)')],
  [
    { ...orders, op: 'min', attribute: 'amount', filter: noted },
    'number',
    ofOrders('min(o.amount)', 'o.note is not null'),
  ],
  [{ ...orders, op: 'max', attribute: 'note' }, 'text', ofOrders('max(o.note)')],
  [
    { ...orders, op: 'count', filter: { or: [dear, ofAgent] } },
    'digits',
    ofOrders('count(*)', '(o.amount > 30 or a.level >= 2)'),
  ],
  [{ ...orders, op: 'max', attribute: 'agent.level' }, 'number', ofOrders('max(a.level)')],
  [
    { ...orders, op: 'count_distinct', attribute: 'agent.level', filter: { not: dear } },
    'digits',
    ofOrders('count(distinct a.level)', 'not o.amount > 30'),
  ],
  [{ ...referred, op: 'count' }, 'digits', ofReferred('count(*)')],
  [
    { ...referred, op: 'sum', attribute: 'country.level', filter: inEurope },
    'digits',
    ofReferred('sum(n.level)', 'n.level <> 1'),
  ],
  [{ ...referred, op: 'min', attribute: 'name' }, 'text', ofReferred('min(d.name)')],
  [
    { ...referred, op: 'count', filter: { ...orders, some: {} } },
    'digits',
    (role) => ofReferred('count(*)', ORDERED(role))(role),
  ],
];

export const COUNTS: readonly CountedRelated[] = COUNTED.map(([asked, kind, sql]) => {
  return { asked, kind, sql };
});

/** The view that an oracle reads: customers with all counts. */
export function countsView(role: RolePolicies): string {
  const columns = COUNTS.map(({ sql }, index) => `(${sql(role)}) as n${index}`);
  return `create view counts_${role.name} as
    select c.id, c.name, c.level, ${columns.join(', ')}
    from customers c where ${role.sql['c'] ?? '1 = 1'}`;
}
