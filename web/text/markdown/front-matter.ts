/** The fields before a text, as site generators read them, and the text. */
export interface FrontMatter {
  fields?: string;
  language: 'yaml' | 'ini';
  body: string;
}

const longest = 20_000;

/**
 * Takes `---` and YAML, or `+++` and TOML, off the start of a text. Prose between two horizontal rules is not front
 * matter.
 */
export function takeFrontMatter(text: string): FrontMatter {
  const start = text.slice(0, longest);
  const [whole, fence, fields] = /^(---|\+\+\+)\n([\s\S]*?\n)\1[ \t]*(?:\n|$)/.exec(start) ?? [];
  if (whole === undefined || fields === undefined || !/^["\w-]+\s*[:=]/.test(fields)) {
    return { language: 'yaml', body: text };
  }
  return { fields, language: fence === '---' ? 'yaml' : 'ini', body: text.slice(whole.length) };
}
