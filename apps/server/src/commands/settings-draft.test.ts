import { expect, it } from 'vitest';

import { settingsDraft } from './settings-draft.ts';

it('names the change feed in a comment, with one line of meaning, where the database is PostgreSQL', () => {
  const draft = settingsDraft([], { database: 'postgres://shop@db/shop' });
  expect(draft).toMatch(
    /^database: postgres:\/\/shop@db\/shop\n# Follow the changes [^\n]+\n# follow: true\nexpose: listed$/m,
  );
});

it('does not name the change feed of a database that has none', () => {
  expect(settingsDraft([], { database: 'sqlite:/data/shop.db' })).not.toContain('follow');
  expect(settingsDraft([], { database: 'mariadb://shop@db/shop' })).not.toContain('follow');
});
