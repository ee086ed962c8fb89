import { expect, it } from 'vitest';

import { readBaseUrl } from './settings.ts';

it.each([
  ['https://data.example.com', 'https://data.example.com/'],
  ['https://data.example.com/', 'https://data.example.com/'],
  ['https://example.com/prefix', 'https://example.com/prefix/'],
  ['https://example.com/prefix//', 'https://example.com/prefix/'],
  ['http://[::1]:8080/a/b', 'http://[::1]:8080/a/b/'],
])('reads %s as %s', (baseUrl, href) => {
  expect(readBaseUrl(baseUrl).href).toBe(href);
});

it('leaves a URL that it is given unchanged', () => {
  const url = new URL('https://example.com/prefix');
  expect(readBaseUrl(url).href).toBe('https://example.com/prefix/');
  expect(url.href).toBe('https://example.com/prefix');
});

it.each(['', '/api', 'data.example.com', 'localhost:8080', 'ftp://example.com', 'https://'])(
  'says for "%s" what to pass',
  (baseUrl) => {
    expect(() => readBaseUrl(baseUrl)).toThrow(
      new TypeError(
        'baseUrl: expected an absolute http or https URL, such as "https://data.example.com" ' +
          `or "https://example.com/prefix"; got "${baseUrl}"`,
      ),
    );
  },
);

it('says for a missing one what to pass', () => {
  // @ts-expect-error -- an untyped caller may leave it out
  expect(() => readBaseUrl()).toThrow('got nothing');
});

it.each([
  'https://user:pass-phrase@example.com',
  'ftp://user:pass-phrase@example.com',
  'user:pass-phrase@',
])('refuses the credentials of a URL without showing them: %s', (baseUrl) => {
  expect(() => readBaseUrl(baseUrl)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('pass-phrase') }),
  );
});

it.each(['https://example.com/?a=1', 'https://example.com/#top'])(
  'refuses a query or a fragment, which no path can follow: %s',
  (baseUrl) => {
    expect(() => readBaseUrl(baseUrl)).toThrow(
      'without a query and a fragment, such as "https://example.com/"',
    );
  },
);
