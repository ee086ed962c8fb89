import { SettingsError } from '@proj/engine/database';
import { describe, expect, it } from 'vitest';

import { readMysqlUrl } from './url.ts';

describe('the URL of a MySQL database', () => {
  it('names host, port, login, database and parameters', () => {
    expect(
      readMysqlUrl('mysql://us%65r:p%40ss@db.example.com:3307/sh%C3%B6p?ssl-mode=verify-identity'),
    ).toEqual({
      host: 'db.example.com',
      port: 3307,
      socket: undefined,
      user: 'user',
      password: 'p@ss',
      database: 'shöp',
      tls: 'verify-identity',
    });
  });

  it('leaves out what has a default', () => {
    expect(readMysqlUrl('mariadb://root@[::1]/shop')).toMatchObject({
      host: '::1',
      port: 3306,
      password: '',
      tls: 'disabled',
    });
    expect(readMysqlUrl('mysql:///shop?socket=/run/mysqld.sock')).toMatchObject({
      host: '127.0.0.1',
      socket: '/run/mysqld.sock',
    });
  });

  it.each([
    ['mysql://user:secret@host', /name one database/],
    ['mysql://user:secret@host/', /name one database/],
    ['mysql://user:secret@host/a/b', /name one database/],
    ['mysql://user:secret@host:port/shop', /cannot be read/],
    ['mysql://user:secret%@host/shop', /the password .* percent-encoded/],
    ['mysql://user:secret@host/shop?sslmode=require', /unknown parameter "sslmode"/],
    [
      'mysql://user:secret@host/shop?ssl-mode=maybe',
      /ssl-mode is one of disabled, required, verify-identity/,
    ],
  ])('is refused without repeating it: %s', (url, message) => {
    const read = (): unknown => readMysqlUrl(url);
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/secret/);
  });
});
