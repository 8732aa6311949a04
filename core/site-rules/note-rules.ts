import type { RuleWarning } from '../../contract/fields.ts';
import type { IncomingFile } from '../content/incoming-file.ts';
import { isRulesFile } from './rules-files.ts';
import { type ReadRules, readSiteRules } from './site-rules.ts';

/** A file of rules above this is not read. */
export const maxRulesFileBytes = 1024 * 1024;

/** Files on their way, and what the rules among them say once all have passed. */
export interface NotedFiles {
  files: AsyncIterable<IncomingFile>;
  rules(): ReadRules;
}

/** Lets the files of an upload pass and reads the rules of a site among them; a bundle has none. */
export function noteRules(kind: 'site' | 'bundle', files: AsyncIterable<IncomingFile>): NotedFiles {
  if (kind === 'bundle') return { files, rules: () => ({}) };
  const texts = new Map<string, string>();
  const tooLarge: RuleWarning[] = [];
  return {
    files: passing(files, texts, tooLarge),
    rules() {
      const { rules, warnings = [] } = readSiteRules(texts);
      const all = [...tooLarge, ...warnings];
      return { ...(rules && { rules }), ...(all.length > 0 && { warnings: all }) };
    },
  };
}

async function* passing(
  files: AsyncIterable<IncomingFile>,
  texts: Map<string, string>,
  tooLarge: RuleWarning[],
): AsyncGenerator<IncomingFile> {
  for await (const file of files) {
    const { path, size } = file;
    if (isRulesFile(path) && size <= maxRulesFileBytes) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.content) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      texts.set(path, bytes.toString());
      yield { ...file, content: [bytes] };
      continue;
    }
    if (isRulesFile(path)) {
      const message = `A file of more than ${maxRulesFileBytes} bytes is not read.`;
      tooLarge.push({ file: path, line: 1, message });
    }
    yield file;
  }
}
