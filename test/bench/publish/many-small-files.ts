import { buildZip } from '../../fixtures/archives/zip-builder.ts';

const words =
  'a harbour of calm water where small boats lie beside the slipway and wait for the tide'.split(
    ' ',
  );

/** Numbers that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A ZIP of a site: a home page and `count - 1` pages, styles and scripts of 1 to 6 kB of text. */
export function manySmallFiles(count: number): Buffer {
  const random = seeded(count);
  const text = (bytes: number) => {
    const parts: string[] = [];
    for (let length = 0; length < bytes; ) {
      const word = `${words[Math.floor(random() * words.length)]}${Math.floor(random() * 100)}`;
      parts.push(word);
      length += word.length + 1;
    }
    return parts.join(' ');
  };
  const entries = Array.from({ length: count }, (_, at) => {
    const kind = ['html', 'css', 'js'][at % 3];
    const name = at === 0 ? 'index.html' : `${kind}/${Math.floor(at / 50)}/${at}.${kind}`;
    const body = text(1000 + random() * 5000);
    const content =
      kind === 'html' ? `<!doctype html><title>${at}</title><p>${body}` : `/* ${body} */`;
    return { name, content, method: 8 };
  });
  return Buffer.from(buildZip({ entries }));
}
