import { Introspection } from '@proj/engine/database';

import { inOrder } from '../states/relation-state.ts';
import type { CallerRules, PolicyFacts } from './policy-facts.ts';
import { type PolicyRule, readPolicyRule, readViewRule, type Rule } from './view-rule.ts';

export interface VersionedRelation {
  readonly state: string;
  /** Whether it is a view, or a table whose rows are all in a heap of this server. */
  readonly ordinary: boolean;
  /** Whether it is a table with rows of others, all in such heaps. */
  readonly parent: boolean;
  readonly policed: boolean;
  /** Whether a view reads with its reader's rights, not its owner's. */
  readonly invoker: boolean;
  readonly rule: string | null;
}

export interface VersionFacts {
  /** By number. */
  readonly relations: ReadonlyMap<string, VersionedRelation>;
  readonly functions: readonly string[];
  readonly operators: readonly string[];
}

export interface Judgement {
  /** Completes a sentence that begins with the relation: why there is none. */
  readonly refusal?: string | undefined;
  readonly relations: readonly string[];
  readonly functions: readonly string[];
  /** Callers' settings that policies read, in lower case. */
  readonly settings: readonly string[];
}

/** Decides which relations have the version of the tables that they read, by reader. */
export class RelationVersions {
  readonly #relations: VersionFacts['relations'];
  readonly #functions: ReadonlySet<string>;
  readonly #operators: ReadonlySet<string>;
  readonly #caller: CallerRules | undefined;
  readonly #ofOwners: RelationVersions;

  constructor(facts: VersionFacts, caller?: CallerRules) {
    this.#relations = facts.relations;
    this.#functions = new Set(facts.functions);
    this.#operators = new Set(facts.operators);
    this.#caller = caller;
    this.#ofOwners = caller === undefined ? this : new RelationVersions(facts);
  }

  readonly of: (id: string) => Judgement = onceEach((id) => this.#judgeRelation(id));
  readonly #ofCalled = onceEach((id) => this.#judgeCalled(id));

  #judgeRelation(id: string): Judgement {
    const relation = this.#relations.get(id);
    if (relation === undefined)
      return refused('it reads something other than ordinary tables and views');
    const { ordinary, parent, policed, state, rule, invoker } = relation;
    // The proof for callers looks at members, too; that of views does not.
    if (!ordinary && !(parent && this.#caller !== undefined)) return refused(NOT_ORDINARY);
    const own: Judgement = { ...NOTHING, relations: [state] };
    if (rule !== null) {
      const below = invoker ? this : this.#ofOwners;
      return joined([own, below.#judgeRule(readViewRule(rule), id)]);
    }
    if (!policed) return own;
    if (this.#caller === undefined) return refused('it reads a table with row security');
    const policies = this.#caller.policiesOf(id);
    return joined([own, ...policies.map((policy) => this.#judgePolicy(policy, id))]);
  }

  #judgePolicy({ name, expression }: PolicyFacts, table: string): Judgement {
    const judgement = this.#judgeRule(readPolicyRule(expression, this.#settings), table);
    const { refusal } = judgement;
    return refusal === undefined
      ? judgement
      : { ...judgement, refusal: `of its policy ${name}: ${refusal}` };
  }

  /** @param own the rule's relation: before PostgreSQL 16 a rule names its view too */
  #judgeRule(
    { refusal, relations, functions, operators, settings = [] }: Rule & Partial<PolicyRule>,
    own: string,
  ): Judgement {
    const isPure = operators.every((id) => this.#operators.has(id));
    const others = relations.filter((id) => id !== own);
    return joined([
      { ...NOTHING, settings, refusal: refusal ?? (isPure ? undefined : IMPURE) },
      ...functions.map((id) => (this.#functions.has(id) ? NOTHING : this.#ofCalled(id))),
      ...others.map((id) => this.of(id)),
    ]);
  }

  #judgeCalled(id: string): Judgement {
    const called = this.#caller?.functionOf(id);
    if (called === undefined) return refused(IMPURE);
    const { schema, call, state, body, opaque, settled } = called;
    const name = `${schema}.${call}`;
    const own: Judgement = { ...NOTHING, functions: [state] };
    if (!settled) return joined([own, refused(`it calls ${name}, which is being replaced`)]);
    if (this.#caller?.trusts(called) === true) return own;
    if (body === null || opaque) {
      const refusal =
        `it calls ${name}: \`trusts\` may name it if its result depends on the settings and on ` +
        'tables alone';
      return joined([own, refused(refusal)]);
    }
    return joined([own, this.#judgeRule(readPolicyRule(body, this.#settings), id)]);
  }

  get #settings(): ReadonlySet<string> {
    return this.#caller?.settings ?? new Set();
  }
}

const NOTHING: Judgement = { relations: [], functions: [], settings: [] };

const NOT_ORDINARY = 'it reads a table with children, or of another kind than the usual one';

const IMPURE = 'it calls a function that is not built in and IMMUTABLE';

function onceEach(judge: (id: string) => Judgement): (id: string) => Judgement {
  return Introspection.judgeOnce(judge, refused('it leads to itself'));
}

function refused(refusal: string): Judgement {
  return { ...NOTHING, refusal };
}

/** The first refusal, or all that the judgements depend on. */
function joined(judgements: readonly Judgement[]): Judgement {
  return {
    refusal: judgements.find(({ refusal }) => refusal !== undefined)?.refusal,
    relations: inOrder(judgements.flatMap(({ relations }) => relations)),
    functions: inOrder(judgements.flatMap(({ functions }) => functions)),
    settings: [...new Set(judgements.flatMap(({ settings }) => settings))].toSorted(),
  };
}
