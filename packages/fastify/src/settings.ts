// Shared by settings files and options: models and roles, their checks and messages.
export { roleErrors } from './access/check-roles.ts';
export type { AccessSettingsError, KnownModels } from './access/check-roles.ts';
export { makeGrant, roleOf } from './access/make-grant.ts';
export { seesDataVersion } from './access/roles.ts';
export type { Roles } from './access/roles.ts';
export { claimOf } from './access/row-claims.ts';
export type { Claims } from './access/row-claims.ts';
export { limitSettings, milliseconds, positive } from './settings/limits.ts';
export { modelSettings, reportLine } from './settings/model-settings.ts';
export { modelsSettings } from './settings/models.ts';
export { named, namedInOrder } from './settings/named.ts';
export { roleSettings, sessionRoles } from './settings/roles.ts';
export type { RoleSettings } from './settings/roles.ts';
export { settingIssues, settingMessage } from './settings/setting-message.ts';
export type { JsonSchema, SettingIssue } from './settings/setting-message.ts';
export { entriesOf, fromEntries, isRecord } from './settings/written-order.ts';
