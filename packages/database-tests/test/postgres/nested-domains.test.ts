import { describe, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

describe('domains over domains', () => {
  const database = usePostgres(`
    create domain positive as int check (value > 0);
    create domain small as positive check (value < 10);
    create domain smallest as small;
    create table facts (id int primary key, v smallest);
    insert into facts values (1, 3), (2, null);`);

  it('are of their base type in selections and expressions too', async () => {
    const models = {
      selected: { sql: 'select id, v from facts', key: ['id'] },
      computed: { source: 'facts', attributes: { v: { sql: 't.v', type: 'int32' as const } } },
    };
    const engine = await open(database().url, { models });
    expect(engine.reports).toEqual([]);
    for (const model of ['selected', 'computed']) {
      expect(engine.catalogue.get(model)?.attributes.get('v')?.type).toBe('int32');
      const { text } = await ask(engine, { model, attributes: ['v'] });
      expect(text).toBe('[{"v":3},{"v":null}]');
    }
  });
});
