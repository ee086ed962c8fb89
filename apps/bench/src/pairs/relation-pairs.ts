import type { DatabaseName } from '../databases/database.ts';
import type { Pair } from './pair.ts';

const OWN = ['id', 'amount'];
const RELATED = [...OWN, 'customer.name', 'customer.level'];
const FIRST = { page: 1, size: 10 };

/** A query for orders. */
function shown(query_attributes: readonly string[], page: object) {
  return { query_model: 'orders', query_attributes, page };
}

/** What is compared over so many orders. */
export function relationPairs(database: DatabaseName, orders: number): readonly Pair[] {
  return [...alongRelations(orders), ...QUESTIONS, ...(database === 'mariadb' ? [] : [PLACE])];
}

const CUSTOMERS = { ...shown(['id', 'name'], FIRST), query_model: 'customers' };
const COUNT = { name: 'orders_count', related: 'orders', op: 'count' };
const COUNTED = {
  ...CUSTOMERS,
  query_attributes: ['id', 'name', 'orders_count'],
  query_related: [COUNT],
};

const found = (attribute: string, op: string, value: string): Pair['members'] => ({
  ...CUSTOMERS,
  query_filter: { attribute, op, value },
});

const days = (time_zone?: string): Pair['members'] => ({
  ...shown(['placed_at.day', 'n'], FIRST),
  query_groups: [{ attribute: 'placed_at', by: 'day', ...(time_zone && { time_zone }) }],
  query_aggregates: [{ name: 'n', op: 'count' }],
});

const QUESTIONS: readonly Pair[] = [
  {
    label: 'page 1 of customers with the number of their orders, beside the same without it',
    goal: 1.5,
    members: COUNTED,
    other: CUSTOMERS,
  },
  {
    label: 'page 1 of customers by the number of their orders, beside a statement of one’s own',
    goal: 1.2,
    members: { ...COUNTED, query_sort: [{ attribute: 'orders_count', direction: 'desc' }] },
    other: (condition) => [
      `select o.id, o.name, coalesce(c.n, 0) as n from customers as o left join
        (select customer_id, count(*) as n from orders group by customer_id) as c
        on c.customer_id = o.id where ${condition} order by n desc, o.id limit 10`,
      `select count(*) from customers as o where ${condition}`,
    ],
  },
  {
    label: 'customers by their name in any letter case, beside `eq`',
    goal: 1.3,
    members: found('name', 'ieq', 'CUSTOMER 77'),
    other: found('name', 'eq', 'customer 77'),
  },
  {
    label: 'orders by day in Paris, beside days in UTC',
    goal: 1.3,
    members: days('Europe/Paris'),
    other: days(),
  },
];

/** MariaDB has no index of an expression. */
const PLACE: Pair = {
  label: 'customers by a place of JSON that has an index, beside a column that has one',
  goal: 1.2,
  members: found('code', 'eq', 'c78'),
  // Replies about the customer of the pair before are kept.
  other: found('name', 'eq', 'customer 78'),
};

function alongRelations(orders: number): readonly Pair[] {
  const middle = { page: Math.floor(orders / FIRST.size / 2), size: FIRST.size };
  const joined = 'orders as o left join customers as c on c.id = o.customer_id';
  return [
    {
      label: 'page 1 with two related attributes, beside the same without them',
      goal: 1.5,
      members: shown(RELATED, FIRST),
      other: shown(OWN, FIRST),
    },
    {
      label: 'a middle page with two related attributes, beside the same without them',
      goal: 1.5,
      members: shown(RELATED, middle),
      other: shown(OWN, middle),
    },
    {
      label: 'a filter by the level of customers that keeps one of 100, beside joins of one’s own',
      goal: 2,
      members: {
        ...shown(RELATED, FIRST),
        query_filter: { attribute: 'customer.level', op: 'eq', value: 7 },
      },
      other: (condition) => [
        `select o.id, o.amount, c.name, c.level from ${joined}
          where ${condition} and c.level = 7 order by o.id limit 10`,
        `select count(*) from ${joined} where ${condition} and c.level = 7`,
      ],
    },
    {
      label: 'a count of a filter by the level of customers, beside one’s own',
      goal: 1.1,
      members: {
        ...shown(OWN, FIRST),
        query_filter: { attribute: 'customer.level', op: 'lt', value: 50 },
      },
      other: (condition) => [`select count(*) from ${joined} where ${condition} and c.level < 50`],
    },
    {
      label: 'page 1 by the name of a customer, beside the same by an attribute of its own',
      goal: 2,
      members: { ...shown(RELATED, FIRST), query_sort: [{ attribute: 'customer.name' }] },
      other: { ...shown(OWN, FIRST), query_sort: [{ attribute: 'amount' }] },
    },
    {
      label: 'page 1 by the name of a customer downwards, where those without one come first',
      goal: 2,
      members: {
        ...shown(RELATED, FIRST),
        query_sort: [{ attribute: 'customer.name', direction: 'desc' }],
      },
      other: { ...shown(OWN, FIRST), query_sort: [{ attribute: 'amount', direction: 'desc' }] },
    },
    {
      label: 'groups by the level of customers, beside a group by of one’s own',
      goal: 1.2,
      members: {
        ...shown(['customer.level', 'n', 'revenue'], FIRST),
        query_groups: ['customer.level'],
        query_aggregates: [
          { name: 'n', op: 'count' },
          { name: 'revenue', op: 'sum', attribute: 'amount' },
        ],
      },
      other: (condition) => [
        `select c.level, count(*), sum(o.amount) from ${joined} where ${condition}
          group by c.level order by c.level`,
      ],
    },
  ];
}
