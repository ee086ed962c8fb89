// Fails when the lockfile lost a platform's binary: resolving on one platform can drop packages
// that exist only for others.
import { globSync, readFileSync } from 'node:fs';

const lock = readFileSync('pnpm-lock.yaml', 'utf8');
const platforms = /darwin|win32|windows|linux/;
const missing = new Set();
for (const path of globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json')) {
  const { name, version, optionalDependencies = {} } = JSON.parse(readFileSync(path, 'utf8'));
  if (!lock.includes(`${name}@${version}`)) continue;
  for (const [binary, range] of Object.entries(optionalDependencies)) {
    if (platforms.test(binary) && !lock.includes(`${binary}@`))
      missing.add(`${name}@${version} lost ${binary}@${range}`);
  }
}
for (const line of missing) console.error(line);
process.exitCode = missing.size > 0 ? 1 : 0;
