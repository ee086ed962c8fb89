import { expect, it } from 'vitest';

import { logStateOf } from './log-state.ts';

const answer = (row: readonly unknown[] | undefined, instance: string | undefined = 'one') => ({
  product: 'MariaDB 10.11',
  instance,
  row,
});

it('a server that refuses writes and has applied some is a replica', () => {
  expect(logStateOf(answer(['', '0-1-9', 1, 0]))).toMatchObject({
    isReplica: true,
    applied: '0-1-9',
    seen: undefined,
  });
  expect(logStateOf(answer(['', '0-1-9', 0, 0]))).toMatchObject({ isReplica: false });
  expect(logStateOf(answer(['', '', 1, 0]))).toMatchObject({ isReplica: false });
});

it('a replica that logs what it applies knows what was seen of it', () => {
  expect(logStateOf(answer(['0-1-10', '0-1-9', 1, 1]))).toMatchObject({
    applied: '0-1-9',
    seen: '0-1-10',
  });
});

it('a primary that was a replica has come as far as the later of both', () => {
  expect(logStateOf(answer(['0-2-12', '0-1-9', 0, 1]))).toMatchObject({ seen: '0-2-12' });
});

it('other products, and servers behind a proxy, are refused', () => {
  expect(() => logStateOf({ product: 'MySQL 8.0', instance: 'one', row: undefined })).toThrow(
    'it leads to MySQL 8.0',
  );
  expect(() => logStateOf({ ...answer(['', '0-1-9', 1, 0]), instance: undefined })).toThrow(
    'it leads to a proxy',
  );
});
