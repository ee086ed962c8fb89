import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { json } from './service/answer.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';

const GROUPS = ['groups', 'cities', '--by', 'name', '--size', '2'];

it('calls groups on a terminal what they are', async () => {
  const result = [
    { name: 'Zürich', count: '2' },
    { name: 'Łódź', count: '1' },
  ];
  const page = { page: '1', size: '2', total: '3', has_next: true };
  const { url } = await serve(cities(3), {
    after: (kept, { method }) => (method === 'GET' ? kept : json(200, { result, page })),
  });
  const wide = await dq(GROUPS, { url, columns: 80 });
  expect(wide.stderr).toBe('groups 1–2 of 3\n');
  const narrow = await dq(GROUPS, { url, columns: 5 });
  expect(narrow.stdout).toMatch(/^.*group 1\b.*\n[^]*group 2\b/);
});
