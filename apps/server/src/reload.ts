import { isDeepStrictEqual } from 'node:util';

import { type CatalogueCandidate, type Engine, QueryFailedError } from '@proj/engine';
import type { Logger } from 'pino';

import type { AccessRules, Authenticator } from './access/authenticator.ts';
import type { JwtVerifier } from './access/jwt.ts';
import { backoff } from './backoff.ts';
import { checkAccess, checkCatalogue } from './checks/check-settings.ts';
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
  /** The rules of settings, with a verifier of the same issuers or else a new one. */
  readonly openRules: (settings: Settings, jwt?: JwtVerifier) => Promise<AccessRules>;
  /** Logs from now on what the settings say. */
  readonly setLogLevel: (level: Settings['log_level']) => void;
  /** Runs when a catalogue was reloaded. */
  readonly onCatalogue: (settings: Settings) => void;
}

/**
 * Why a reload is asked for: the settings have changed, or the operator says so, which reads the
 * schema again too.
 */
export type ReloadCause = 'settings' | 'operator';

/** Applies settings to a running service: all of them, or none. One reload runs at a time. */
export class Reloader {
  readonly #parts: ReloadParts;
  /** What a reload does not apply stays as it is here. */
  readonly #started: Settings;
  #applied: Settings;
  #running: Promise<boolean> | undefined;
  /** What was asked for while a reload ran. */
  #next: ReloadCause | undefined;
  /** How often in a row the database did not let a reload succeed. */
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: ReloadParts, started: Settings) {
    this.#parts = parts;
    this.#started = started;
    this.#applied = started;
  }

  /**
   * Resolves with whether settings that were read after this call are in force; else they were
   * refused and logged. What fails because of the database is tried again by itself.
   */
  async reload(cause: ReloadCause): Promise<boolean> {
    if (this.#closed) return false;
    clearTimeout(this.#retry);
    this.#next = this.#next === 'operator' ? 'operator' : cause;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Reloads no more. */
  close(): void {
    this.#closed = true;
    this.#next = undefined;
    clearTimeout(this.#retry);
  }

  async #run(): Promise<boolean> {
    let applied = true;
    while (this.#next !== undefined) {
      const cause = this.#next;
      this.#next = undefined;
      applied = await this.#try(cause);
    }
    return applied;
  }

  async #try(cause: ReloadCause): Promise<boolean> {
    try {
      await this.#reload(cause);
      this.#failures = 0;
      return true;
    } catch (error) {
      if (!this.#closed) this.#fail(error, cause);
      return false;
    }
  }

  async #reload(cause: ReloadCause): Promise<void> {
    const { engine, log, load, onCatalogue } = this.#parts;
    const loaded = await load();
    if (cause === 'settings' && isDeepStrictEqual(loaded.settings, this.#applied)) return;
    // The process listens where it did at the start.
    const weaknesses = await checkSecrecy(loaded, this.#started.host);
    const rereads =
      cause === 'operator' ||
      !isDeepStrictEqual(exposureOf(loaded.settings), exposureOf(this.#applied));
    const candidate = rereads ? await engine.prepare(engineSettings(loaded.settings)) : undefined;
    const leftOut = candidate === undefined ? [] : checkCatalogue(candidate, loaded);
    await this.#replace(loaded, candidate);
    for (const line of [...weaknesses, ...leftOut, ...this.#pendingRestarts(loaded)])
      log.warn(line);
    if (rereads) onCatalogue(loaded.settings);
    log.info(
      { models: engine.catalogue.size },
      rereads ? 'settings and catalogue reloaded' : 'settings reloaded',
    );
  }

  async #replace(loaded: LoadedSettings, candidate: CatalogueCandidate | undefined): Promise<void> {
    const { authenticator, openRules } = this.#parts;
    const isSame = isDeepStrictEqual(loaded.settings.jwt, this.#applied.jwt);
    const verifier = isSame ? authenticator.rules.jwt : undefined;
    const rules = await openRules(loaded.settings, verifier);
    try {
      this.#apply(loaded, rules, candidate);
    } catch (error) {
      if (rules.jwt !== verifier) rules.jwt?.close();
      throw error;
    }
  }

  /**
   * One synchronous step: rules are never in force over a catalogue that they were not checked
   * against.
   */
  #apply(loaded: LoadedSettings, rules: AccessRules, candidate?: CatalogueCandidate): void {
    const { engine, authenticator, setLogLevel } = this.#parts;
    checkAccess(candidate ?? engine, loaded);
    candidate?.apply();
    authenticator.replace(rules);
    setLogLevel(loaded.settings.log_level);
    this.#applied = loaded.settings;
  }

  #pendingRestarts({ settings, place }: LoadedSettings): string[] {
    return settingsThatNeedRestart(this.#started, settings).map(
      (name) => `${place(name.split('.'))}${name} changed: it takes effect after a restart`,
    );
  }

  #fail(error: unknown, cause: ReloadCause): void {
    const reason = operatorMessage(error);
    this.#parts.log.error(
      reason === undefined ? { err: error } : { reason },
      'reload failed, keeping the previous settings',
    );
    if (!(error instanceof QueryFailedError)) return;
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.reload(cause), backoff(this.#failures)).unref();
  }
}

/** What of the settings decides the catalogue. */
function exposureOf({ expose, models, limits }: Settings): object {
  return { expose, models, maxPageSize: limits.max_page_size };
}
