/** A page with its files, as browsers and Office save it in one file (MHTML, RFC 2557). */
export interface WebArchive {
  page: Uint8Array<ArrayBuffer>;
  /** What the headers of the page say, as `TextDecoder` may take it. */
  charset: string | undefined;
  /** Pictures by the last part of their address, and by their identifier (`cid:…`), as base64 with their type. */
  pictures: ReadonlyMap<string, string>;
}

const most = { parts: 500, depth: 5, headCharacters: 10_000 } as const;

const piece = 8192;

/** Every byte as the character of its number, which no `TextDecoder` does for all of them. */
function binary(bytes: Uint8Array): string {
  const count = Math.ceil(bytes.length / piece);
  return Array.from({ length: count }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * piece, (at + 1) * piece)),
  ).join('');
}

const bytesOf = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));

/** Reads the first page of an archive and its pictures; `undefined` if the file is none. */
export function readWebArchive(bytes: Uint8Array): WebArchive | undefined {
  const head = binary(bytes.subarray(0, most.headCharacters));
  if (!/^\s*[\w-]+:/.test(head) || !/^content-type:\s*(?:multipart\/|text\/html)/im.test(head))
    return undefined;
  const leaves = leavesOf(binary(bytes), 0);
  const pages = leaves.filter(({ headers }) =>
    /^text\/html/i.test(headers.get('content-type') ?? ''),
  );
  // Excel puts a page of frames before its sheets.
  const page = pages.find(({ body }) => !/<frameset/i.test(body)) ?? pages[0];
  if (page === undefined) return undefined;
  const pictures = new Map<string, string>();
  for (const leaf of leaves) for (const name of namesOf(leaf)) pictures.set(name, pictureOf(leaf));
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(page.headers.get('content-type') ?? '')?.[1];
  return { page: contentOf(page), charset, pictures };
}

interface Leaf {
  headers: ReadonlyMap<string, string>;
  body: string;
}

function leavesOf(text: string, depth: number): Leaf[] {
  const [head, body] = headAndBody(text.trimStart());
  const lines = head
    .slice(0, most.headCharacters)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const boundary = /^multipart\/.*;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(
    headers.get('content-type') ?? '',
  );
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined || depth > most.depth) return [{ headers, body }];
  return `\n${body}`
    .split(`\n--${mark}`, most.parts)
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .flatMap((part) => leavesOf(part, depth + 1));
}

/** An empty line ends a head (RFC 5322, section 2.1). */
function headAndBody(text: string): [head: string, body: string] {
  const empty = /\n\r?\n/.exec(text);
  if (empty === null) return ['', ''];
  return [text.slice(0, empty.index + 1), text.slice(empty.index + empty[0].length)];
}

function contentOf({ headers, body }: Leaf): Uint8Array<ArrayBuffer> {
  const coding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (coding === 'base64') return bytesOf(atob(base64In(body)));
  if (coding !== 'quoted-printable') return bytesOf(body);
  const letters = body
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return bytesOf(letters);
}

/** What is no letter of base64 is left out, and so is what is no whole group of four. */
function base64In(body: string): string {
  const letters = body.replace(/[^A-Za-z0-9+/]/g, '');
  return letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
}

function namesOf({ headers }: Leaf): string[] {
  if (!/^image\//i.test(headers.get('content-type') ?? '')) return [];
  const id = /^<(.*)>$/.exec(headers.get('content-id') ?? '')?.[1];
  const file = headers.get('content-location')?.split(/[\\/]/).at(-1);
  return [...(id === undefined ? [] : [`cid:${id}`]), ...(file === undefined ? [] : [file])];
}

function pictureOf(leaf: Leaf): string {
  const [type = ''] = (leaf.headers.get('content-type') ?? '').split(';');
  const isCoded = leaf.headers.get('content-transfer-encoding')?.toLowerCase() === 'base64';
  return isCoded ? `data:${type.trim()};base64,${base64In(leaf.body)}` : '';
}
