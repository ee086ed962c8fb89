import type { SessionRole } from '@proj/engine/database';

import type { FunctionFacts, PolicyFacts, Policing } from './policy-facts.ts';

/** What holds for all callers who read as one role. */
export interface CallerRules {
  readonly role: Policing['roles'][number];
  /** The names of settings that each of their sessions has, in lower case. */
  readonly settings: ReadonlySet<string>;
  policiesOf(table: string): readonly PolicyFacts[];
  /** Undefined for a function that is built in. */
  functionOf(id: string): FunctionFacts | undefined;
  /** Whether the operator says of a function that its result depends on nothing else. */
  trusts(called: FunctionFacts): boolean;
}

/** The rules of each role that callers read as. */
export function callerRules(sessions: readonly SessionRole[], policing: Policing): CallerRules[] {
  const settings = new Set(
    sessions.flatMap((one) => one.settings.map((name) => name.toLowerCase())),
  );
  const functions = new Map(policing.functions.map((one) => [one.id, one]));
  return policing.roles.map((role) => {
    const own = sessions.filter((session) => session.role === role.name);
    const policies = Map.groupBy(
      policing.policies.filter((policy) => policy.role === role.name),
      ({ table }) => table,
    );
    return {
      role,
      settings,
      policiesOf: (table) => policies.get(table) ?? [],
      functionOf: (id) => functions.get(id),
      // What is read of a model is kept for the role, whatever brought callers to it.
      trusts: (called) => own.every(({ trusts }) => trusts.some((name) => names(name, called))),
    };
  });
}

/** Whether a name such as `auth.uid()` is that of a function, which is in `public` by default. */
function names(name: string, { schema, call }: FunctionFacts): boolean {
  const plain = name.replaceAll(/["\s]/g, '');
  const bare = call.replaceAll(/\s/g, '');
  return plain === `${schema}.${bare}` || (schema === 'public' && plain === bare);
}
