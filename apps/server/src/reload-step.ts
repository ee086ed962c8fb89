import { isDeepStrictEqual } from 'node:util';

import type { AccessRules, Authenticator } from './access/authenticator.ts';
import type { JwtVerifier } from './access/jwt/jwt.ts';
import { checkAccess } from './checks/check-settings.ts';
import type { Databases, PreparedDatabases } from './databases/databases.ts';
import type { ReloadCause, Reloaded } from './reload.ts';
import type { LoadedSettings } from './settings/file/load.ts';
import { settingsThatNeedRestart } from './settings/restart.ts';
import type { Settings } from './settings/schema.ts';
import { checkSecrecy } from './settings/secrecy.ts';

/** What a reload changes. */
export interface ReloadStepParts {
  readonly databases: Pick<Databases, 'prepare'>;
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
    if (cause === 'settings' && isDeepStrictEqual(loaded.settings, this.#applied)) return undefined;
    // The address of the start is checked, since a reload does not change where the process
    // listens.
    const weaknesses = await checkSecrecy(loaded, this.#started.host);
    const change = { started: this.#started, cause };
    const databases = await this.#parts.databases.prepare(loaded, change);
    const { known, rereads } = databases;
    const lines = [...weaknesses, ...databases.lines, ...this.#pendingRestarts(loaded)];
    try {
      checkAccess(known, loaded);
      const step = await this.#open(loaded, databases);
      return { ...step, lines, rereads, models: known.catalogue.size };
    } catch (error) {
      databases.discard();
      throw error;
    }
  }

  async #open(
    loaded: LoadedSettings,
    databases: PreparedDatabases,
  ): Promise<Pick<PreparedReload, 'apply' | 'discard'>> {
    const { authenticator, openRules } = this.#parts;
    const isSame = isDeepStrictEqual(loaded.settings.jwt, this.#applied.jwt);
    const verifier = isSame ? authenticator.rules.jwt : undefined;
    const rules = await openRules(loaded.settings, verifier);
    const discard = (): void => {
      if (rules.jwt !== verifier) rules.jwt?.close();
      databases.discard();
    };
    const apply = (): void => {
      try {
        this.#apply(loaded, rules, databases);
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
  #apply(loaded: LoadedSettings, rules: AccessRules, databases: PreparedDatabases): void {
    const { authenticator, setLogLevel, onCatalogue, onApplied } = this.#parts;
    checkAccess(databases.known, loaded);
    databases.apply();
    authenticator.replace(rules);
    setLogLevel(loaded.settings.log_level);
    this.#applied = loaded.settings;
    if (databases.rereads) onCatalogue(loaded.settings);
    onApplied(loaded.settings);
  }

  #pendingRestarts({ settings, place }: LoadedSettings): string[] {
    return settingsThatNeedRestart(this.#started, settings).map(
      (name) => `${place(name.split('.'))}${name} changed: it takes effect after a restart`,
    );
  }
}
