import { createHash } from 'node:crypto';

/** Extensions of pictures that are taken along: what browsers show, and a page may load. */
export const takenTypes = ['png', 'jpg', 'gif', 'webp', 'avif', 'svg'] as const;

const takenPath = new RegExp(`^_pictures/[0-9a-f]{32}\\.(?:${takenTypes.join('|')})$`);

/**
 * Whether a file is a picture that was taken along from another site. Such files are content of a text: they do
 * not make a project of one text a list of files.
 */
export function isTakenPicture(path: string): boolean {
  return takenPath.test(path);
}

/** The address of a picture on another site, as it is fetched and named; `undefined` for any other address. */
export function remoteAddress(written: string): string | undefined {
  const whole = written.startsWith('//') ? `https:${written}` : written;
  if (!/^https?:\/\//i.test(whole) || !URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  url.hash = '';
  return url.href;
}

/** The path of a picture that was taken along, without its extension: its address decides, so that a text finds it. */
export function takenStem(address: string): string {
  return `_pictures/${createHash('sha256').update(address).digest('hex').slice(0, 32)}`;
}

/** Finds where a picture of another site is in a version; `undefined` for a version that took none along. */
export type TakenFinder = (written: string) => string | undefined;

/** The finder of a version's files. */
export function takenFinder(files: ReadonlyMap<string, unknown>): TakenFinder | undefined {
  if (![...files.keys()].some(isTakenPicture)) return undefined;
  return (written) => {
    const address = remoteAddress(written);
    if (address === undefined) return undefined;
    const stem = takenStem(address);
    const type = takenTypes.find((one) => files.has(`${stem}.${one}`));
    return type && `/${stem}.${type}`;
  };
}

/** The only file of a version beside pictures that were taken along; `undefined` if there is none, or another. */
export function soleFile<Entry>(files: ReadonlyMap<string, Entry>): [string, Entry] | undefined {
  let sole: [string, Entry] | undefined;
  for (const file of files) {
    if (isTakenPicture(file[0])) continue;
    if (sole !== undefined) return undefined;
    sole = file;
  }
  return sole;
}

const magic: readonly (readonly [RegExp, (typeof takenTypes)[number]])[] = [
  [/^\u0089PNG\r\n/, 'png'],
  [/^\u00FF\u00D8\u00FF/, 'jpg'],
  [/^GIF8[79]a/, 'gif'],
  [/^RIFF[^]{4}WEBP/, 'webp'],
  [/^[^]{4}ftyp[^]{0,40}avi[fs]/, 'avif'],
  // What may stand before the element: white space, a declaration, comments and a document type.
  [/^(?:\u00EF\u00BB\u00BF)?(?:\s|<\?xml[^>]*>|<!--[^>]*>|<!doctype svg[^>]*>)*<svg[\s>]/i, 'svg'],
];

/** The type of a picture, by its first bytes whatever its sender says; `undefined` for anything else. */
export function takenType(bytes: Uint8Array): (typeof takenTypes)[number] | undefined {
  const head = Buffer.from(bytes.subarray(0, 2000)).toString('latin1');
  return magic.find(([mark]) => mark.test(head))?.[1];
}
