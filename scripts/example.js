// `pnpm example <name> [port]`: builds what it needs, installs one of the examples for grids, and
// starts it over the demo. Its packages are installed then, not with those of the repository.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
/** The program of Vite in the folder of an example. */
const VITE = 'node_modules/vite/bin/vite.js';

const names = readdirSync(join(ROOT, 'examples')).filter((name) =>
  existsSync(join(ROOT, 'examples', name, 'package.json')),
);
const [name = '', port = '5173'] = process.argv.slice(2);

const refusal = await refusalOf(Number(port));
if (refusal === undefined) await start(join(ROOT, 'examples', name));
else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 2;
}

/**
 * Why the example cannot be started, with the command that starts it.
 *
 * @param {number} page the port of the page; the service has the next one
 */
async function refusalOf(page) {
  if (!names.includes(name))
    return `Usage: npx -y pnpm example <name> [port]; name one of ${names.join(', ')}`;
  if (!Number.isInteger(page) || page < 1 || page > 65_534)
    return `The port is a whole number from 1 to 65534: npx -y pnpm example ${name} 5180`;
  const other = page < 65_000 ? page + 7 : 5180;
  for (const taken of [page, page + 1])
    if (!(await isFree(taken)))
      return `Port ${taken} is taken. Choose another: npx -y pnpm example ${name} ${other}`;
  return undefined;
}

/**
 * Whether a program can listen on a port of this machine.
 *
 * @param {number} wanted
 * @returns {Promise<boolean>}
 */
async function isFree(wanted) {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** @param {string} folder of the example */
async function start(folder) {
  const filters = ['--filter=@proj/demo...', '--filter=@proj/grids...'];
  prepare('turbo', ['run', 'build', ...filters, '--output-logs=errors-only'], ROOT);
  if (!existsSync(join(folder, VITE))) {
    process.stderr.write(`Installing the packages of ${name}, once …\n`);
    prepare('pnpm', ['install', '--ignore-workspace', '--no-lockfile'], folder);
  }
  const token = `dq_${randomBytes(24).toString('base64url')}`;
  const SERVICE_URL = `http://127.0.0.1:${Number(port) + 1}`;
  const tokens = { DYNAMIC_QUERY_ADMIN_TOKEN: token, VITE_TOKEN: token };
  const env = { ...process.env, ...tokens, SERVICE_URL };
  const serve = [join(ROOT, 'apps/demo/dist/start.js'), '--port', String(Number(port) + 1)];
  const service = spawn(process.execPath, serve, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  stopWith(service);
  while (service.exitCode === null && !(await answers(`${SERVICE_URL}/livez`)))
    await setTimeout(100);
  const vite = [VITE, '--config', '../vite.config.js', '--host', '127.0.0.1', '--port', port];
  const options = { cwd: folder, env, stdio: /** @type {const} */ ('inherit') };
  const page = spawn(process.execPath, [...vite, '--strictPort'], options);
  stopWith(page);
  service.on('exit', () => page.kill());
  page.on('exit', () => service.kill());
}

/**
 * Has a program end with this one, which ends as the program did.
 *
 * @param {import('node:child_process').ChildProcess} program
 */
function stopWith(program) {
  program.on('exit', (code) => (process.exitCode ??= code ?? 0));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => program.kill());
}

/** @param {string} url */
async function answers(url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Runs a command, and ends with what it wrote if it fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function prepare(command, args, cwd) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    shell,
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  process.exit(1);
}
