// The `prepack` script of every package that is published: refuses what would pack without an error
// and could not be installed.
import { existsSync, readFileSync } from 'node:fs';

const { npm_config_user_agent: packer = '', npm_command: command = 'pack' } = process.env;
/** @type {{ name: string, bin?: object, exports?: object, files: string[] }} */
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { name, bin = {}, exports = {}, files } = manifest;
const missing = [...files, ...paths(bin), ...paths(exports)].find(
  (path) => !path.startsWith('!') && !existsSync(path),
);

if (!packer.startsWith('pnpm/')) {
  // Only pnpm writes versions in place of `workspace:^` and `catalog:`.
  refuse(`${name} is packed by pnpm. Run: npx -y pnpm ${command}`);
} else if (missing !== undefined) {
  refuse(`${name} is not built: ${missing} is missing. Run: npx -y pnpm build`);
}

/**
 * All paths of a member of the manifest, such as `{ ".": { "types": "./dist/index.d.ts" } }`.
 *
 * @param {string | object} member
 * @returns {string[]}
 */
function paths(member) {
  return typeof member === 'string' ? [member] : Object.values(member).flatMap(paths);
}

/** @param {string} message */
function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
