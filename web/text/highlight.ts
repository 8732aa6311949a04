import { hljs } from './hljs.js';

/** Extensions that highlight.js gives no language, or another one. */
const byExtension = new Map(
  Object.entries({
    asm: 'x86asm',
    astro: 'xml',
    bat: 'dos',
    cfg: 'ini',
    cljs: 'clojure',
    conf: 'ini',
    cts: 'typescript',
    env: 'ini',
    fish: 'bash',
    gradle: 'groovy',
    hcl: 'ini',
    ipynb: 'json',
    jl: 'julia',
    json5: 'json',
    jsonc: 'json',
    m: 'objectivec',
    mts: 'typescript',
    pl: 'perl',
    pyi: 'python',
    pyw: 'python',
    s: 'x86asm',
    sass: 'scss',
    sol: 'javascript',
    sv: 'verilog',
    svelte: 'xml',
    tf: 'ini',
    v: 'verilog',
    vue: 'xml',
    wat: 'wasm',
    zig: 'rust',
  }),
);

/** The language of a file with this extension, or of a fence with this word; `undefined` for plain text. */
export function languageOf(word: string): string | undefined {
  const name = byExtension.get(word.toLowerCase()) ?? word;
  const isPlain = ['plaintext', 'text', 'txt'].includes(name.toLowerCase());
  return isPlain || hljs.getLanguage(name) === undefined ? undefined : name;
}

/** Code as markup, its words in `<span class="hljs-…">`; everything of the code itself is escaped. */
export function highlight(code: string, language: string): string {
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
