import { expect, it } from 'vitest';

import { originSetting } from './origin.ts';

it.each([
  'app.example.com',
  '*',
  'https://app.example.com/',
  'https://app.example.com/app',
  'https://App.example.com',
  'https://app.example.com:443',
  'https://user@app.example.com',
  'https://app.example.com?',
])('an origin that no browser sends as it is written is refused: %s', (origin) => {
  expect(originSetting.safeParse(origin).error?.issues.map(({ message }) => message)).toEqual([
    'expected an origin as browsers send it, such as `https://app.example.com`',
  ]);
});

it.each([
  'http://127.0.0.1:8080',
  'https://app.example.com',
  'http://[::1]',
  'capacitor://localhost',
])('pages and apps of an origin may call the service: %s', (origin) => {
  expect(originSetting.parse(origin)).toBe(origin);
});
