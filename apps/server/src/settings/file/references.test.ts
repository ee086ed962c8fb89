import { describe, expect, it } from 'vitest';

import { resolveReferences, withoutReferences } from './references.ts';
import { variablesOf } from './variables.ts';

describe('references to the environment', () => {
  it('are replaced wherever a text holds them', () => {
    const values = {
      database: 'postgres://app:${PASSWORD}@${HOST}/shop',
      models: { a: { key: ['${KEY}'] } },
      port: 3000,
    };
    expect(
      resolveReferences(values, variablesOf({ PASSWORD: 's3cret', HOST: 'db', KEY: 'id' })),
    ).toMatchObject({
      value: {
        database: 'postgres://app:s3cret@db/shop',
        models: { a: { key: ['id'] } },
        port: 3000,
      },
      errors: [],
    });
  });

  it('may have a default for a variable that is missing or empty', () => {
    expect(resolveReferences('${HOST:-localhost}', variablesOf({ HOST: '' })).value).toBe(
      'localhost',
    );
    expect(resolveReferences('${HOST:-}', variablesOf({})).value).toBe('');
  });

  it('to a missing variable are errors at their place', () => {
    expect(resolveReferences({ a: ['x', '${NOPE}'] }, variablesOf({})).errors).toEqual([
      { path: ['a', 1], name: 'NOPE' },
    ]);
  });

  it('are not looked for in what a variable holds', () => {
    expect(resolveReferences('${A}', variablesOf({ A: '${B}', B: 'b' })).value).toBe('${B}');
  });

  it.each(['${A}', '$${A}', 'costs $$${A:-1} $${B}', '$', '${}'])(
    'are texts where a dollar stands before them: %s',
    (text) => {
      const written = withoutReferences(text);
      expect(resolveReferences(written, variablesOf({ A: 'secret' }))).toMatchObject({
        value: text,
        errors: [],
      });
    },
  );

  it('leave other dollars alone', () => {
    expect(resolveReferences('$claims.region costs $5 {x}', variablesOf({})).value).toBe(
      '$claims.region costs $5 {x}',
    );
  });
});
