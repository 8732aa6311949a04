import type { Input } from '../web/app/api/contract.ts';
import { parseHeaders } from '../core/site-rules/parse-headers.ts';
import { parseRedirects } from '../core/site-rules/parse-redirects.ts';
import {
  headersFile,
  linesOf,
  type ParsedRules,
  redirectsFile,
} from '../core/site-rules/rules-file.ts';
import { usageError } from './command-error.ts';
import { type LocalFile, madeFile } from './local-file.ts';
import { isRecord } from '../core/json.ts';

/** The file of a folder that says which project its files are, and how they are published. */
export const projectFile = '.slipway/project.json';

/** What the code wants of its files. */
export interface CodeFiles {
  /** Patterns of paths that are not published, as in `.gitignore`. */
  ignore: readonly string[];
  /** `_headers` and `_redirects`. */
  rules: readonly LocalFile[];
}

/** Settings of the project that belong to the code; those that it does not name stay as they are. */
export type CodeChanges = Pick<Input<'updateProjectSettings'>, 'title' | 'spa' | 'prettyUrls'>;

/** Settings that belong to the code, from {@link projectFile}. */
export interface CodeSettings {
  files: CodeFiles;
  project: CodeChanges;
}

/** What the file may hold, and what is allowed for each; the first four are written by the command. */
const allowed: Readonly<Record<string, string>> = {
  service: 'the address of an installation',
  projectId: 'the id of a project',
  url: 'the address of a project',
  paths: 'a list of paths',
  title: 'one line of 1 to 255 characters',
  spa: 'true, false or "auto"',
  prettyUrls: 'true or false',
  headers: 'an object of paths, such as { "/*": { "X-Frame-Options": "DENY" } }',
  redirects: 'a list of lines as in _redirects, such as ["/old /new 301"]',
  ignore: 'a list of patterns as in .gitignore, such as ["drafts/"]',
};
/** The settings that belong to the code. */
export const codeSettingNames = Object.keys(allowed).slice(4);

/**
 * Reads the settings that belong to the code.
 * @param written what {@link projectFile} holds
 * @throws CommandError for a setting that does not exist, and for a value that it cannot have
 */
export function codeSettings(written: Readonly<Record<string, unknown>>): CodeSettings {
  const unknown = Object.keys(written).find((name) => !Object.hasOwn(allowed, name));
  if (unknown !== undefined) {
    throw usageError(
      `${projectFile} has an unknown setting: ${unknown}.`,
      `Allowed are ${codeSettingNames.join(', ')}.`,
    );
  }
  return {
    files: {
      ignore: valueOf(written, 'ignore', isLines) ?? [],
      rules: [
        ...rulesFile(headersFile, linesOfHeaders(written['headers'] ?? {}), parseHeaders),
        ...rulesFile(redirectsFile, valueOf(written, 'redirects', isLines) ?? [], parseRedirects),
      ],
    },
    project: projectSettings(written),
  };
}

function projectSettings(written: Readonly<Record<string, unknown>>): CodeChanges {
  const title = valueOf(written, 'title', isTitle);
  const spa = valueOf(written, 'spa', isSpa);
  const prettyUrls = valueOf(written, 'prettyUrls', isBoolean);
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(spa !== undefined && { spa }),
    ...(prettyUrls !== undefined && { prettyUrls }),
  };
}

/** A setting; undefined where it is not named. @throws CommandError for a value that it cannot have */
function valueOf<T>(
  written: Readonly<Record<string, unknown>>,
  setting: string,
  isAllowed: (one: unknown) => one is T,
): T | undefined {
  const value = written[setting];
  if (value === undefined || isAllowed(value)) return value;
  throw refused(setting);
}

function refused(setting: string, reason = '') {
  return usageError(
    `${projectFile}: ${setting} must be ${allowed[setting] ?? ''}.`,
    reason === '' ? `Correct ${setting}, then run the command again.` : reason,
  );
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isSpa(value: unknown): value is boolean | 'auto' {
  return isBoolean(value) || value === 'auto';
}

function isTitle(value: unknown): value is string {
  return typeof value === 'string' && /^.{1,255}$/u.test(value.trim()) && isLine(value);
}

/** A control character or another end of a line would make more of one. */
function isLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);
}

function isLines(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof one === 'string' && one.trim() !== '' && isLine(one))
  );
}

/** The lines of `_headers` that say the same. */
function linesOfHeaders(headers: unknown): string[] {
  if (!isRecord(headers)) throw refused('headers');
  return Object.entries(headers).flatMap(([path, fields]) => {
    if (!path.startsWith('/') || !isLine(path) || !isRecord(fields)) throw refused('headers');
    const lines = Object.entries(fields).map(([name, value]) => `  ${name}: ${String(value)}`);
    if (!isLines(Object.values(fields)) || !lines.every(isLine)) throw refused('headers');
    return [path, ...lines];
  });
}

/** The file of these lines, none for none. @throws CommandError for a line that the service would leave out */
function rulesFile(
  name: string,
  lines: readonly string[],
  parse: (lines: ReturnType<typeof linesOf>) => ParsedRules<unknown>,
): LocalFile[] {
  if (lines.length === 0) return [];
  const text = `${lines.join('\n')}\n`;
  const [invalid] = parse(linesOf(text)).invalid;
  if (invalid === undefined) return [madeFile(name, text)];
  throw refused(name.slice(1), `${invalid.text.trim()}: ${invalid.message}`);
}
