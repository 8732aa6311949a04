/** Characters of base64 that a page still has room for; each picture takes some of it. */
export interface PictureRoom {
  characters: number;
}

/** How pictures begin that every browser shows; bytes decide, whatever a file says of them. */
const kinds: readonly (readonly [start: RegExp, type: string])[] = [
  [/^\u0089PNG/, 'png'],
  [/^\u00FF\u00D8/, 'jpeg'],
  [/^GIF8/, 'gif'],
  [/^RIFF....WEBP/s, 'webp'],
  [/^BM/, 'bmp'],
];

/** A picture as an address that holds it; `undefined` if browsers do not show it, or there is no room. */
export function pictureAddress(bytes: Uint8Array, room: PictureRoom): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const type = kinds.find(([mark]) => mark.test(start))?.[1];
  const characters = Math.ceil(bytes.length / 3) * 4;
  if (type === undefined || characters > room.characters) return undefined;
  room.characters -= characters;
  return `data:image/${type};base64,${base64Of(bytes)}`;
}

const piece = 8190;

/** Browsers have no `Buffer`; pieces of whole groups of three bytes can be put together. */
function base64Of(bytes: Uint8Array): string {
  return Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
    btoa(String.fromCharCode(...bytes.subarray(at * piece, (at + 1) * piece))),
  ).join('');
}
