import { type AnsweringEngine, type Catalogue, EVERYTHING, type Grant } from '@proj/engine';

import { HttpProblem } from '../endpoint/problems.ts';
import { KeptGrants } from '../access/kept-grants.ts';
import { makeGrant, principalFor } from '../access/roles.ts';
import type { Roles } from '../settings/roles.ts';
import type { Claims } from '../access/row-claims.ts';
import type { Principal } from '../endpoint/ask.ts';
import type { Caller } from './data-options.ts';

export class Grants {
  readonly #served: Pick<AnsweringEngine, 'catalogue'>;
  readonly #roles: Roles | undefined;
  #catalogue: Catalogue | undefined;
  readonly #known = new Map<string, Grant>();
  readonly #kept = new KeptGrants(() => {
    this.#known.clear();
  });

  /** @param roles undefined where callers have none, and see everything */
  constructor(served: Pick<AnsweringEngine, 'catalogue'>, roles: Roles | undefined) {
    this.#served = served;
    this.#roles = roles;
  }

  /** @throws {HttpProblem} where the caller may see nothing */
  principalOf(caller: Caller): Principal {
    const { id, role = null } = caller;
    return principalFor({ id, name: id, role }, this.#roles ?? {}, () => this.#grantOf(caller));
  }

  #grantOf({ role, claims = {} }: Caller): Grant {
    if (this.#roles === undefined && role === undefined) return EVERYTHING;
    if (this.#roles === undefined || role === undefined)
      throw new HttpProblem('forbidden', 'The caller has no role here.');
    if (this.#catalogue !== this.#served.catalogue) this.#known.clear();
    this.#catalogue = this.#served.catalogue;
    const key = JSON.stringify([role, claims], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // Dates and 64-bit numbers of an app's own session are the texts that filters take.
    const [, plain] = JSON.parse(key) as [string, Claims];
    const grant = makeGrant({ role, claims: plain }, this.#roles, this.#catalogue);
    this.#kept.count(grant, key.length);
    this.#known.set(key, grant);
    return grant;
  }
}
