import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { ORDERS, sharedDatabase, useOperator } from './operator.ts';

const operator = useOperator();
const { command, settings } = operator;

describe('dynamic-query check --propose-keys', () => {
  const database = sharedDatabase(`${ORDERS}
    create table lines (order_id int, line int, note text);
    insert into lines values (1, 1, 'x'), (1, 2, 'x'), (2, 1, null);
    create table empty (code text);
    create table logs (text text);
    insert into logs values ('a'), ('a');
    create view by_customer as select customer, count(*) as orders from orders group by customer;
    create view lines_of as select * from lines join orders on id = order_id;
    create view same as select 1 as one from orders;
    create view none as select code from empty group by code;`);

  async function proposed(text: string): Promise<string> {
    operator.output = '';
    const file = settings(`database: ${database}\n${text}`);
    expect(await command(['check', '--propose-keys', '--config', file])).toBe(0);
    return operator.output;
  }

  it('prints settings with the columns that are unique in the data of each view without a key, one or a pair of them', async () => {
    const text = await proposed('expose: all');
    expect(parse(text)).toEqual({
      models: {
        by_customer: { key: ['customer'], attributes: 'all' },
        lines_of: { key: ['order_id', 'line'], attributes: 'all' },
      },
    });
    expect(text).toContain('key: [ customer ] # unique in 2 rows');
    expect(text).toContain('writers may break such a key');
    expect(text).toContain('# same: has no key among its likeliest columns and pairs of them.');
    expect(text).toContain('# none: has too few rows to see what is unique: 0.');
  });

  it('names the model by which the settings serve a view', async () => {
    const models = '{ sums: { source: by_customer, attributes: all } }';
    const text = await proposed(`expose: listed\nmodels: ${models}`);
    expect(parse(text).models).toMatchObject({ sums: { key: ['customer'] } });
    expect(parse(text).models.sums).not.toHaveProperty('attributes');
  });

  it('prints what check accepts, and no key of what the settings have one of', async () => {
    const all = await proposed('expose: all');
    expect(await command(['check', '--config', settings(`database: ${database}\n${all}`)])).toBe(0);
    const others = await proposed(all);
    expect(others).toContain('# No key was found.\n');
    expect(others).not.toContain('by_customer');
  });
});
