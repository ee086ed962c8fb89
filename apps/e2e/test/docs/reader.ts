import { match } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { anyPort } from '@proj/test-servers';

import { temporaryFolder } from '../support/temporary-folder.ts';
import { type CodeBlock, patternOf, ROOT, stepsOf } from './document.ts';
import { Terminal } from './terminal.ts';

/** The ports that the pages name; each reader has others, so that tests can run side by side. */
const PORTS = ['3000', '8080', '8081', '9464', '6432'];

/** Somebody who follows a page: makes the files that it shows, and types its commands. */
export class Reader {
  readonly home: string;
  readonly #env: Record<string, string>;
  readonly #ports = new Map(PORTS.map((port) => [port, String(anyPort())]));
  readonly #terminal: Terminal;
  #token = '';

  private constructor(home: string) {
    this.home = home;
    this.#env = {
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      PORT: this.port('3000'),
      METRICS_PORT: this.port('9464'),
    };
    this.#terminal = new Terminal(home, this.#env);
  }

  /** A reader whose home has the clone, which is built, and nothing else. */
  static async create(): Promise<Reader> {
    const home = await temporaryFolder();
    await symlink(fileURLToPath(ROOT), join(home, 'dynamic-query'));
    return new Reader(home);
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
    if (block.language === 'console') await this.#type(block);
    else if (block.title.endsWith(', the end')) await this.#replaceEnd(block);
    else if (block.title !== '') await this.#write(block.title, block.text);
  }

  async #type(block: CodeBlock): Promise<void> {
    const staysOpen = block.title === 'keeps running';
    const terminal = staysOpen ? new Terminal(this.home, this.#env) : this.#terminal;
    const steps = stepsOf(block);
    for (const [index, { command, shown }] of steps.entries()) {
      const pattern = patternOf(this.shown(shown));
      const typed = this.own(command);
      if (staysOpen && index === steps.length - 1) await terminal.start(typed, pattern);
      else this.#check(await terminal.run(typed), pattern, typed);
    }
  }

  #check(printed: string, pattern: RegExp, command: string): void {
    match(printed, pattern, `${command} printed: ${printed}\nNot like ${String(pattern)}`);
    this.#token = /^dq_[\w-]{43}$/m.exec(printed)?.[0] ?? this.#token;
  }

  async #write(name: string, text: string): Promise<void> {
    const file = join(this.folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, this.own(text), { mode: 0o600 });
  }

  /** Puts a block in the place of the lines of a file from the same member on. */
  async #replaceEnd({ title, text }: CodeBlock): Promise<void> {
    const name = title.replace(', the end', '');
    const file = await readFile(join(this.folder, name), 'utf8');
    const member = text.slice(0, text.indexOf(':') + 1);
    const rest = file.slice(file.indexOf(`\n${member}`) + 1).replace(/^.*\n/, '');
    await this.#write(name, `${file.slice(0, file.indexOf(`\n${member}`) + 1)}${text}${rest}`);
  }
}
