import { describe, expect, it } from 'vitest';

import { instanceOf } from './session-proof.ts';

const REACHED = { threadId: '7', greetedAs: 7, answer: [['HOSTNAME=a,PORT=3306', 1700]] };

describe('the instance of a server', () => {
  it('is the same for all its connections, whatever their numbers', () => {
    const instance = instanceOf(REACHED);
    expect(instance).toMatch(/^[\w-]{22}$/);
    expect(instanceOf({ ...REACHED, threadId: '8', greetedAs: 8 })).toBe(instance);
    expect(instanceOf({ ...REACHED, threadId: '4294967303' })).toBe(instance);
  });

  it('is another one after a restart, and on another server', () => {
    const others = [
      ['HOSTNAME=a,PORT=3306', 1701],
      ['HOSTNAME=b,PORT=3306', 1700],
    ];
    const instances = others.map((row) => instanceOf({ ...REACHED, answer: [row] }));
    expect(new Set([instanceOf(REACHED), ...instances]).size).toBe(3);
  });

  it('is unknown behind a proxy that numbers its sessions itself', () => {
    expect(instanceOf({ ...REACHED, greetedAs: 8 })).toBeUndefined();
  });

  it('is unknown where the server does not say which it is', () => {
    for (const answer of [[], [[null, 1700]], [['HOSTNAME=a', null]]])
      expect(instanceOf({ ...REACHED, answer })).toBeUndefined();
  });
});
