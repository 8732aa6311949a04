import { isRecord } from '../../json.ts';
import type { InvalidLine, Line } from '../rules-file.ts';

/** What a file that configures another host says, in the form of our own rules. */
export interface ForeignRules {
  redirects: Line[];
  headers: Line[];
  /** What our rules cannot say. */
  invalid: InvalidLine[];
  /** Folders whose scripts the other host runs on its servers (`functions`). */
  serverFolders: string[];
}

/** A file that says nothing. */
export function noForeignRules(): ForeignRules {
  return { redirects: [], headers: [], invalid: [], serverFolders: [] };
}

/** Collects the rules of one file. Each is checked later, as a line of our own files is. */
export function foreignRules(file: string) {
  const rules = noForeignRules();
  const warn = (line: number, text: string, message: string) => {
    rules.invalid.push({ file, line, text, message });
  };
  return {
    rules,
    warn,
    serverFolder: (name: string) => {
      // Behind another slash none begins a run: each of many would be followed to its end.
      const folder = name.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '');
      if (/^[\w-][\w./-]*$/.test(folder)) rules.serverFolders.push(folder);
    },
    redirect: (line: number, { from, to, status, force = false }: ForeignRedirect) => {
      if (from.trim() === '' || to.trim() === '') {
        warn(line, from, 'A rule needs a path and a target.');
        return;
      }
      const written = [oneWord(from), oneWord(to), `${status}${force ? '!' : ''}`].join(' ');
      rules.redirects.push({ file, number: line, text: written });
    },
    headers: (line: number, path: string, fields: readonly (readonly [string, string])[]) => {
      if (!/^(?:\/|https?:)/i.test(path)) {
        warn(line, path, 'Headers need a path that begins with `/`.');
        return;
      }
      rules.headers.push({ file, number: line, text: oneWord(path) });
      for (const [name, value] of fields) {
        if (fieldName.test(name)) {
          rules.headers.push({ file, number: line, text: `  ${name}: ${value.trim()}` });
        } else warn(line, name, 'This is not a name of a header.');
      }
    },
  };
}

export type RuleCollector = ReturnType<typeof foreignRules>;

/** A redirect with the placeholders of our own rules. */
export interface ForeignRedirect {
  from: string;
  to: string;
  status: number;
  force?: boolean;
}

/** A name that begins otherwise could be read as a path or as a removal. */
const fieldName = /^[A-Za-z][\w-]*$/;

/** White space would end a word of a line. Other control characters are refused when the line is read. */
function oneWord(text: string): string {
  return text.trim().replace(/[ \t]/g, encodeURIComponent);
}

/** The values of an object by their names; none for anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

/** A value of an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return new Map(entriesOf(value)).get(name);
}

/** A text of an object; empty where it has none. */
export function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : '';
}
