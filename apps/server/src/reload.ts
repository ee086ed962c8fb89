import { isDeepStrictEqual } from 'node:util';

import type { CatalogueCandidate, Engine } from '@proj/engine';
import type { Logger } from 'pino';

import type { AccessRules, Authenticator } from './access/authenticator.ts';
import type { JwtVerifier } from './access/jwt.ts';
import { checkAccess, checkCatalogue } from './check-settings.ts';
import { operatorMessage } from './operator-message.ts';
import { engineSettings } from './settings/engine-settings.ts';
import type { LoadedSettings } from './settings/load.ts';
import { settingsThatNeedRestart } from './settings/restart.ts';
import type { Settings } from './settings/schema.ts';
import { checkSecrecy } from './settings/secrecy.ts';

/** What a reload reads, and what it changes. */
export interface ReloadParts {
  readonly engine: Engine;
  readonly authenticator: Authenticator;
  readonly log: Logger;
  readonly load: () => Promise<LoadedSettings>;
  /** The rules that settings make, with a verifier that was made for the same issuers or else a new one. */
  readonly rulesOf: (settings: Settings, jwt?: JwtVerifier) => AccessRules;
}

/** Why a reload is asked for: the settings have changed, or the operator says so, which reads the schema again too. */
export type ReloadCause = 'settings' | 'operator';

/** Applies settings to a running service: all of them, or none. One reload runs at a time. */
export class Reloader {
  readonly #parts: ReloadParts;
  /** What a reload does not apply stays as it is here. */
  readonly #started: Settings;
  #applied: Settings;
  #running: Promise<void> | undefined;
  /** What was asked for while a reload ran. */
  #next: ReloadCause | undefined;

  constructor(parts: ReloadParts, started: Settings) {
    this.#parts = parts;
    this.#started = started;
    this.#applied = started;
  }

  /** Resolves when settings that were read after this call are applied, or refused and logged. */
  async reload(cause: ReloadCause): Promise<void> {
    this.#next = this.#next === 'operator' ? 'operator' : cause;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#next !== undefined) {
      const cause = this.#next;
      this.#next = undefined;
      await this.#reload(cause).catch((error: unknown) => this.#fail(error));
    }
  }

  async #reload(cause: ReloadCause): Promise<void> {
    const { engine, log, load } = this.#parts;
    const loaded = await load();
    // The process listens where it did at the start.
    const weaknesses = await checkSecrecy(loaded, this.#started.host);
    const rereads = cause === 'operator' || !isDeepStrictEqual(exposureOf(loaded.settings), exposureOf(this.#applied));
    const candidate = rereads ? await engine.prepare(engineSettings(loaded.settings)) : undefined;
    const leftOut = candidate === undefined ? [] : checkCatalogue(candidate, loaded);
    this.#apply(loaded, candidate);
    for (const line of [...weaknesses, ...leftOut, ...this.#pendingRestarts(loaded)]) log.warn(line);
    log.info({ models: engine.catalogue.size }, rereads ? 'settings and catalogue reloaded' : 'settings reloaded');
  }

  /** One synchronous step: rules are never in force over a catalogue that they were not checked against. */
  #apply(loaded: LoadedSettings, candidate: CatalogueCandidate | undefined): void {
    const { engine, authenticator, rulesOf } = this.#parts;
    checkAccess(candidate ?? engine, loaded);
    const sameIssuers = isDeepStrictEqual(loaded.settings.jwt, this.#applied.jwt);
    const rules = rulesOf(loaded.settings, sameIssuers ? authenticator.rules.jwt : undefined);
    candidate?.apply();
    authenticator.replace(rules);
    this.#applied = loaded.settings;
  }

  #pendingRestarts({ settings, place }: LoadedSettings): string[] {
    return settingsThatNeedRestart(this.#started, settings).map(
      (name) => `${place(name.split('.'))}${name} changed: it takes effect after a restart`,
    );
  }

  #fail(error: unknown): void {
    const reason = operatorMessage(error);
    this.#parts.log.error(reason === undefined ? { err: error } : { reason }, 'reload failed, keeping the previous settings');
  }
}

/** What of the settings decides the catalogue. */
function exposureOf({ expose, models, limits }: Settings): object {
  return { expose, models, maxPageSize: limits.max_page_size };
}
