import { expect, it } from 'vitest';

import { UnsentBytes } from './unsent-bytes.ts';

it('takes replies of an owner up to the limit, and again when some are sent', () => {
  const unsent = new UnsentBytes({ perOwner: 100, inAll: 1000 });
  expect([
    unsent.add('a', 60),
    unsent.add('a', 40),
    unsent.add('a', 1),
    unsent.add('b', 100),
  ]).toEqual([undefined, undefined, 'perOwner', undefined]);
  expect([unsent.reached('a'), unsent.reached('b'), unsent.reached('c')]).toEqual([
    'perOwner',
    'perOwner',
    undefined,
  ]);
  unsent.remove('a', 60);
  expect([unsent.reached('a'), unsent.add('a', 60), unsent.total]).toEqual([
    undefined,
    undefined,
    200,
  ]);
});

it('takes replies of all owners together up to the limit', () => {
  const unsent = new UnsentBytes({ perOwner: 100, inAll: 150 });
  expect([
    unsent.add('a', 100),
    unsent.add('b', 51),
    unsent.add('b', 50),
    unsent.reached('c'),
  ]).toEqual([undefined, 'inAll', undefined, 'inAll']);
});

it('takes a reply that is larger than a limit where no other waits', () => {
  const unsent = new UnsentBytes({ perOwner: 100, inAll: 150 });
  expect(unsent.add('a', 1000)).toBeUndefined();
  expect([unsent.add('a', 1), unsent.add('b', 1)]).toEqual(['perOwner', 'inAll']);
  unsent.remove('a', 1000);
  expect([unsent.total, unsent.add('b', 1000)]).toEqual([0, undefined]);
});

it('still counts the replies of an owner that wait when one of them is sent', () => {
  const unsent = new UnsentBytes({ perOwner: 100, inAll: 1000 });
  unsent.add('a', 60);
  unsent.add('a', 40);
  unsent.remove('a', 60);

  expect([unsent.add('a', 61), unsent.add('a', 60)]).toEqual(['perOwner', undefined]);
});
