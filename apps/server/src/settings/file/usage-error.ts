import { SettingsError } from '@proj/engine';

/**
 * The command line, the environment or the settings file is wrong by itself: nothing was asked of a
 * database or of a server. The message says what to write instead.
 */
export class UsageError extends SettingsError {}
