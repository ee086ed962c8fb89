import { isDeepStrictEqual } from 'node:util';

import type { CatalogueCandidate, Engine } from '@proj/engine';

import type { AccessRules, Authenticator } from './access/authenticator.ts';
import type { JwtVerifier } from './access/jwt/jwt.ts';
import { checkAccess, checkCatalogue } from './checks/check-settings.ts';
import { checkSessions } from './checks/database-sessions.ts';
import type { ReloadCause, Reloaded } from './reload.ts';
import { onlyDatabase } from './settings/databases.ts';
import { engineSettings } from './settings/engine-settings.ts';
import type { LoadedSettings } from './settings/file/load.ts';
import { sessionRoles } from './settings/groups/access.ts';
import { settingsThatNeedRestart } from './settings/restart.ts';
import type { Settings } from './settings/schema.ts';
import { checkSecrecy } from './settings/secrecy.ts';

/** What a reload changes. */
export interface ReloadStepParts {
  readonly engine: Engine;
  readonly authenticator: Authenticator;
  /** The rules of settings, with a verifier of the same issuers or else a new one. */
  readonly openRules: (settings: Settings, jwt?: JwtVerifier) => Promise<AccessRules>;
  /** Logs from now on what the settings say. */
  readonly setLogLevel: (level: Settings['log_level']) => void;
  /** Runs when a catalogue was reloaded. */
  readonly onCatalogue: (settings: Settings) => void;
  /** Runs when settings are in force. */
  readonly onApplied: (settings: Settings) => void;
}

/** Settings that fit the database, and are not in force yet. */
export interface PreparedReload extends Reloaded {
  /**
   * Puts them in force, in one synchronous step.
   *
   * @throws {SettingsError} when the catalogue has changed since, and they fit it no longer
   */
  apply(): void;
  /** Gives up what was opened for them. */
  discard(): void;
}

/** A reload of one process: settings are checked first, and then applied as a whole. */
export class ReloadStep {
  readonly #parts: ReloadStepParts;
  /** The settings at the start, which hold for everything that a reload does not apply. */
  readonly #started: Settings;
  #applied: Settings;

  constructor(parts: ReloadStepParts, started: Settings) {
    this.#parts = parts;
    this.#started = started;
    this.#applied = started;
  }

  /**
   * Checks settings as at the start. Undefined where nothing has changed.
   *
   * @throws {SettingsError} naming what does not fit
   * @throws {QueryFailedError} when the database does not answer
   */
  async prepare(loaded: LoadedSettings, cause: ReloadCause): Promise<PreparedReload | undefined> {
    const { engine } = this.#parts;
    if (cause === 'settings' && isDeepStrictEqual(loaded.settings, this.#applied)) return undefined;
    // The address of the start is checked, since a reload does not change where the process
    // listens.
    const weaknesses = await checkSecrecy(loaded, this.#started.host);
    const rereads =
      cause === 'operator' ||
      !isDeepStrictEqual(exposureOf(loaded.settings), exposureOf(this.#applied));
    const candidate = rereads
      ? await engine.prepare(engineSettings(onlyDatabase(loaded.settings)))
      : undefined;
    const { catalogue } = candidate ?? engine;
    const ofSessions = await checkSessions({ engine, catalogue }, loaded);
    const leftOut = candidate === undefined ? [] : checkCatalogue(candidate, loaded);
    checkAccess({ catalogue }, loaded);
    const lines = [...weaknesses, ...ofSessions, ...leftOut, ...this.#pendingRestarts(loaded)];
    const step = await this.#open(loaded, candidate);
    return { ...step, lines, rereads, models: catalogue.size };
  }

  async #open(
    loaded: LoadedSettings,
    candidate: CatalogueCandidate | undefined,
  ): Promise<Pick<PreparedReload, 'apply' | 'discard'>> {
    const { authenticator, openRules } = this.#parts;
    const isSame = isDeepStrictEqual(loaded.settings.jwt, this.#applied.jwt);
    const verifier = isSame ? authenticator.rules.jwt : undefined;
    const rules = await openRules(loaded.settings, verifier);
    const discard = (): void => {
      if (rules.jwt !== verifier) rules.jwt?.close();
    };
    const apply = (): void => {
      try {
        this.#apply(loaded, rules, candidate);
      } catch (error) {
        discard();
        throw error;
      }
    };
    return { apply, discard };
  }

  /**
   * Replaces catalogue and access rules in one synchronous step, so that no request runs with rules
   * that were not checked against its catalogue.
   */
  #apply(loaded: LoadedSettings, rules: AccessRules, candidate?: CatalogueCandidate): void {
    const { engine, authenticator, setLogLevel, onCatalogue, onApplied } = this.#parts;
    checkAccess(candidate ?? engine, loaded);
    candidate?.apply();
    authenticator.replace(rules);
    setLogLevel(loaded.settings.log_level);
    this.#applied = loaded.settings;
    if (candidate !== undefined) onCatalogue(loaded.settings);
    onApplied(loaded.settings);
  }

  #pendingRestarts({ settings, place }: LoadedSettings): string[] {
    return settingsThatNeedRestart(this.#started, settings).map(
      (name) => `${place(name.split('.'))}${name} changed: it takes effect after a restart`,
    );
  }
}

/** The part of the settings from which the catalogue is built. */
function exposureOf({ expose, models, roles, limits }: Settings): object {
  const { max_page_size: maxPageSize, max_up_to: maxUpTo } = limits;
  return { expose, models, sessions: sessionRoles(roles), maxPageSize, maxUpTo };
}
