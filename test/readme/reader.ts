import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import * as z from 'zod';

/** What answers tell a reader, who puts it into later commands. */
const Data = z
  .object({
    projectId: z.string(),
    claimToken: z.string(),
    apiKey: z.string(),
    uploadId: z.string(),
    uploadUrl: z.string(),
    deleted: z.boolean(),
    url: z.string(),
    slug: z.string(),
    parts: z.array(z.object({ url: z.string() })),
  })
  .partial();
const Answer = z.object({ status: z.string(), data: z.unknown() });
const Mails = z.object({ mails: z.array(z.object({ text: z.string() })) });

/** Somebody who follows the README: types its commands, and replaces what it says is to be replaced. */
export class Reader {
  readonly #folder: string;
  readonly #baseUrl: string;
  /** The latest last. */
  readonly #projects: string[] = [];
  readonly #deleted: string[] = [];
  readonly #known = new Map<string, string>();

  constructor(folder: string, baseUrl: string) {
    this.#folder = folder;
    this.#baseUrl = baseUrl;
  }

  /** Runs a command word for word, but for placeholders and the port. Throws if it fails or answers an error. */
  async run(command: string): Promise<string> {
    const line = await this.#filledIn(command);
    const stdout = await this.#bash(line);
    if (stdout.startsWith('{')) await this.#learn(command, stdout);
    return stdout;
  }

  async #bash(line: string): Promise<string> {
    const options = ['-euo', 'pipefail', '-c', line];
    // A person answers `y` when npx asks whether it may install the command.
    const env = { ...process.env, npm_config_yes: 'true' };
    return (await promisify(execFile)('bash', options, { cwd: this.#folder, env })).stdout;
  }

  async #learn(command: string, stdout: string): Promise<void> {
    const { status, data } = Answer.parse(JSON.parse(stdout));
    expect({ command, stdout, status }).toMatchObject({ status: 'success' });
    const facts = Data.safeParse(data).data ?? {};
    // curl resolves names below localhost by itself; Node.js does not everywhere.
    if (facts.url !== undefined) await this.#bash(`curl --fail --silent '${facts.url}'`);
    if (facts.projectId !== undefined) this.#projects.push(facts.projectId);
    if (facts.deleted === true) this.#deleted.push(this.#projects.pop() ?? '');
    this.#keep('SLUG', facts.slug);
    this.#keep('CLAIM_TOKEN', facts.claimToken);
    this.#keep('sw_live_…', facts.apiKey);
    this.#keep('TOKEN', facts.uploadUrl?.replace(/.*upload-links\//, '').replace(/\/.*$/, ''));
    this.#keep('UPLOAD_ID', facts.uploadId);
    this.#keep('SIGNED_URL', facts.parts?.[0]?.url);
  }

  #keep(placeholder: string, value: string | undefined): void {
    if (value !== undefined) this.#known.set(placeholder, value);
  }

  async #filledIn(command: string): Promise<string> {
    let line = command.replaceAll('8787', new URL(this.#baseUrl).port);
    const project = (/\brestore\b/.test(line) ? this.#deleted : this.#projects).at(-1);
    line = line.replaceAll(/PROJECT_ID(?:_OR_HOST)?/g, project ?? 'PROJECT_ID');
    for (const [placeholder, value] of this.#known) {
      line = line.replaceAll(new RegExp(`(?<![A-Z_])${placeholder}`, 'g'), value);
    }
    if (line.includes('"code":"123456"')) line = line.replace('123456', await this.#mailedCode());
    expect(line).not.toMatch(/\b(?:[A-Z]+_(?:ID|URL)|(?:CLAIM_)?TOKEN)\b/);
    return line;
  }

  async #mailedCode(): Promise<string> {
    const answer = await fetch(`${this.#baseUrl}/_local/mail.json?to=you@example.org`);
    const { mails } = Mails.parse(await answer.json());
    const codes = mails.flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? []);
    return codes[0] ?? 'no code';
  }
}
