import { expect, it } from 'vitest';

import { isLost, toConnectError, toQueryError } from './errors.ts';

it.each([
  [[1317, 1927, 2006, 2013, 4031], 'database_unavailable'],
  [[1205, 1213, 1615, 1412], 'database_unavailable'],
  [[1021, 1037, 1040, 1041, 1047, 1203, 1226, 1461], 'database_unavailable'],
  [[1969, 3024], 'query_timeout'],
  [[1038, 1104, 1114, 1153, 3636], 'query_timeout'],
  [[1054, 1142, 1143, 1146, 1253, 1267, 1271, 1305, 1356], 'schema_changed'],
  [[1139, 1242, 1292, 1365, 1644, 1690, 3140, 4036], 'data_error'],
  [[1290, 1370, 1449, 1456, 1792, 1932, 145], 'model_unreadable'],
  [[1064], undefined],
])('errors of MySQL with the numbers %j are answered with %s', (numbers, answer) => {
  const answers = numbers.map((errno) => {
    const error = toQueryError(Object.assign(new Error('It failed'), { errno }));
    return (Object(error) as { code?: string }).code;
  });
  expect(answers).toEqual(numbers.map(() => answer));
});

it.each([
  [3, 'EE_WRITE'],
  // The driver has another meaning for a number of the operating system.
  [28, 'EE_UNKNOWN_COLLATION'],
])('a full disk of the server, number %i, loses no connection', (errno, code) => {
  const error = Object.assign(new Error('No space left on device'), { errno, code });
  expect(isLost(error)).toBe(false);
  expect(toQueryError(error)).toMatchObject({
    code: 'database_unavailable',
    message: 'The database takes no more work. No space left on device',
  });
});

it('words of the data are kept apart from the message', () => {
  const error = Object.assign(new Error("Incorrect value: 'Ada'"), { errno: 1292 });
  expect(toQueryError(error)).toMatchObject({
    message: 'MySQL 1292',
    databaseWords: "Incorrect value: 'Ada'",
  });
});

it.each([
  [1038, 'sort_buffer_size'],
  [1153, 'max_allowed_packet'],
  [1969, 'max_statement_time'],
  [3024, 'max_execution_time'],
])('an error %i names the setting of the server that it is about, %s', (errno, setting) => {
  const error = Object.assign(new Error('It is too much'), { errno });
  expect(toQueryError(error).message).toBe(
    `The database stopped the statement (its setting ${setting}).`,
  );
});

it('too many connections are told with the setting that says how many', () => {
  const error = Object.assign(new Error('Too many connections'), { errno: 1040 });
  expect(toConnectError(error).message).toBe(
    'No connection to the database could be opened. Too many connections (its setting max_connections)',
  );
});
