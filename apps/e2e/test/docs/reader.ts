import { match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { freePort, until } from '@proj/test-servers';

import { makeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { type CodeBlock, patternOf, readBlocks, ROOT, stepsOf, withMember } from './document.ts';
import { Terminal } from './terminal.ts';

/** The ports that the pages name; each reader has others, so that tests can run side by side. */
const PORTS = ['3000', '4318', '8080', '8081', '9464'];

/** How this machine reaches npm, where it is not the usual way, and where Node keeps compiled code. */
const PASSED_ON = [
  'NODE_EXTRA_CA_CERTS',
  'npm_config_registry',
  'https_proxy',
  'NODE_COMPILE_CACHE',
].flatMap((name) => {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value] as const];
});

/** Somebody who follows a page: makes the files that it shows, and types its commands. */
export class Reader {
  readonly home: string;
  readonly #env: Record<string, string>;
  readonly #ports: ReadonlyMap<string, string>;
  readonly #terminal: Terminal;
  #token = '';

  private constructor(home: string, ports: ReadonlyMap<string, string>, path: string) {
    this.home = home;
    this.#ports = ports;
    this.#env = {
      ...Object.fromEntries(PASSED_ON),
      HOME: home,
      PATH: path,
      PORT: this.port('3000'),
      METRICS_PORT: this.port('9464'),
    };
    this.#terminal = new Terminal(home, this.#env);
  }

  /** A reader whose home has the clone, which is built, and nothing else. */
  static async create(): Promise<Reader> {
    return new Reader(await makeHome(), await freePorts(), process.env['PATH'] ?? '');
  }

  /** A reader who has a database as the tutorial makes it: in its folder, with commands on the path. */
  static async createWithShop(): Promise<Reader> {
    const home = await makeHome();
    const commands = join(home, 'dynamic-query/node_modules/.bin');
    const path = `${commands}:${process.env['PATH'] ?? ''}`;
    const reader = new Reader(home, await freePorts(), path);
    shop ??= makeShop();
    await cp(await shop, reader.folder, { recursive: true });
    await reader.#terminal.run('cd ~/shop');
    return reader;
  }

  /** The folder in which the pages work. */
  get folder(): string {
    return join(this.home, 'shop');
  }

  /** The token that `token create` printed last. */
  get token(): string {
    return this.#token;
  }

  /** The port that takes the place of one that a page names. */
  port(named: string): string {
    return this.#ports.get(named) ?? named;
  }

  /** What a page shows, with this reader's ports. */
  shown(text: string): string {
    return text.replaceAll(/\b\d{4}\b/g, (number) => this.port(number));
  }

  /** What a page says to write or to type, with this reader's ports, token and hash. */
  own(text: string): string {
    const hash = createHash('sha256').update(this.#token).digest('hex');
    return this.shown(text)
      .replaceAll('dq_…', this.#token)
      .replaceAll('sha256: …', `sha256: ${hash}`);
  }

  /** Does what one block of a page says. */
  async follow(block: CodeBlock): Promise<void> {
    const { language, title, text } = block;
    const [file = '', relation] = title.split(' ').toReversed();
    if (language === 'console') await this.#type(block);
    else if (relation === 'in') await this.#replaceMember(file, text);
    else if (file !== '') await this.#write(file, text);
  }

  async #type(block: CodeBlock): Promise<void> {
    const staysOpen = block.title === 'keeps running';
    const terminal = staysOpen ? new Terminal(this.folder, this.#env) : this.#terminal;
    const steps = stepsOf(block);
    for (const [index, { command, shown }] of steps.entries()) {
      const pattern = patternOf(this.shown(shown));
      const typed = this.own(command);
      if (staysOpen && index === steps.length - 1) await terminal.start(typed, pattern);
      else this.#check(await output(terminal, typed, pattern), pattern, typed);
    }
  }

  #check(printed: string, pattern: RegExp, command: string): void {
    // CSV has the line ends of RFC 4180.
    match(
      printed.replaceAll('\r\n', '\n'),
      pattern,
      `${command} printed: ${printed}\nNot like ${String(pattern)}`,
    );
    this.#token = /^dq_[\w-]{43}$/m.exec(printed)?.[0] ?? this.#token;
  }

  async #write(name: string, text: string): Promise<void> {
    const file = join(this.folder, name);
    await mkdir(dirname(file), { recursive: true });
    // As editors do: everybody on the machine may read it.
    await writeFile(file, this.own(text), { mode: 0o644 });
  }

  /** Puts a text in the place of the line of a YAML file that begins with the same member. */
  async #replaceMember(name: string, text: string): Promise<void> {
    await this.#write(name, withMember(await this.#read(name), text));
  }

  async #read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }
}

async function makeHome(): Promise<string> {
  const home = await temporaryFolder();
  await symlink(fileURLToPath(ROOT), join(home, 'dynamic-query'));
  return home;
}

async function freePorts(): Promise<ReadonlyMap<string, string>> {
  const ports = await Promise.all(PORTS.map(freePort));
  return new Map(PORTS.map((port, index) => [port, String(ports[index])]));
}

let shop: Promise<string> | undefined;

/** The folder of the tutorial with its database, which a worker makes once. */
async function makeShop(): Promise<string> {
  const folder = await makeFolder();
  const [block] = readBlocks('docs/start.md').filter(({ title }) => title === 'make-shop.mjs');
  await writeFile(join(folder, 'make-shop.mjs'), block?.text ?? '');
  await promisify(execFile)(process.execPath, ['make-shop.mjs'], { cwd: folder });
  return folder;
}

/** What a command prints. One that a reader waits for is repeated, at once, until it prints that. */
async function output(terminal: Terminal, command: string, expected: RegExp): Promise<string> {
  const [wait = '', awaited = ''] = /^sleep \d+; (.*)$/s.exec(command) ?? [];
  if (wait === '') return terminal.run(command);
  let printed = '';
  await until(async () => {
    printed = await terminal.run(awaited);
    return expected.test(printed);
  });
  return printed;
}
