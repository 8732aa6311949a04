import { CompoundFile, isCompoundFile } from '../reader/compound-file.ts';

/** How a document is encrypted (MS-OFFCRYPTO, section 2.3.4: agile encryption). */
interface Lock {
  /** Attributes of `keyData`, for the document itself. */
  data: string;
  /** Attributes of `encryptedKey`, for the key that a password opens. */
  key: string;
  encrypted: Uint8Array<ArrayBuffer>;
}

/** What stands before the password's hash for each use of it (section 2.3.4.13). */
const uses = {
  check: [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79],
  checkHash: [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e],
  key: [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6],
} as const;

/** Word hashes 100,000 times; more takes minutes. */
const mostTurns = 1_000_000;
const segmentBytes = 4096;

type Bytes = Uint8Array<ArrayBuffer>;

/** The lock of a document of Office since 2010; `undefined` for another file. */
export function readLock(bytes: Bytes): Lock | undefined {
  if (!isCompoundFile(bytes)) return undefined;
  const file = new CompoundFile(bytes);
  const info = file.stream('EncryptionInfo');
  const encrypted = file.stream('EncryptedPackage');
  if (info === undefined || encrypted === undefined) return undefined;
  const xml = new TextDecoder().decode(info.subarray(8));
  const data = /<(?:\w+:)?keyData\s([^<>]*)>/.exec(xml)?.[1];
  const key = /<(?:\w+:)?encryptedKey\s([^<>]*)>/.exec(xml)?.[1];
  if (data === undefined || key === undefined) return undefined;
  return isKnown(data) && isKnown(key) ? { data, key, encrypted } : undefined;
}

/** AES in chained blocks, and a hash that a browser turns in seconds. */
function isKnown(list: string): boolean {
  const isQuick = Number(attribute(list, 'spinCount')) <= mostTurns;
  return isQuick && attribute(list, 'cipherAlgorithm') === 'AES';
}

/** The document, or `undefined` if the password is another. It is sent nowhere. */
export async function unlock(
  { data, key, encrypted }: Lock,
  password: string,
): Promise<Bytes | undefined> {
  const hash = await hashOf(key, password);
  const salt = binary(key, 'saltValue');
  const open = async (use: keyof typeof uses, name: string) => {
    const secret = sized(await digest(key, hash, Uint8Array.from(uses[use])), keyBytes(key));
    return decrypt(secret, sized(salt, blockBytes(key)), binary(key, name));
  };
  const check = await digest(key, await open('check', 'encryptedVerifierHashInput'));
  const expected = await open('checkHash', 'encryptedVerifierHashValue');
  if (!check.every((byte, at) => expected[at] === byte)) return undefined;
  const secret = (await open('key', 'encryptedKeyValue')).subarray(0, keyBytes(data));
  const size = Number(new DataView(encrypted.buffer, encrypted.byteOffset).getBigUint64(0, true));
  const opened = new Uint8Array(encrypted.length);
  for (let from = 8, index = 0; from < encrypted.length; from += segmentBytes, index += 1) {
    const start = await digest(data, binary(data, 'saltValue'), numberBytes(index));
    const segment = encrypted.slice(from, from + segmentBytes);
    const whole = segment.subarray(0, segment.length - (segment.length % 16));
    opened.set(await decrypt(secret, sized(start, blockBytes(data)), whole), from - 8);
  }
  return opened.slice(0, size);
}

/** The hash of the password, turned as often as the document says. */
async function hashOf(key: string, password: string): Promise<Bytes> {
  const letters = new Uint8Array(new Uint16Array(unitsOf(password)).buffer);
  let hash = await digest(key, binary(key, 'saltValue'), letters);
  const turn = new Uint8Array(4 + hash.length);
  const count = new DataView(turn.buffer);
  const name = algorithm(key);
  for (let at = 0; at < Number(attribute(key, 'spinCount')); at += 1) {
    count.setUint32(0, at, true);
    turn.set(hash, 4);
    hash = new Uint8Array(await crypto.subtle.digest(name, turn));
  }
  return hash;
}

const unitsOf = (text: string) =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

function attribute(list: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(list)?.[1] ?? '';
}

function binary(list: string, name: string): Bytes {
  return Uint8Array.from(atob(attribute(list, name)), (letter) => letter.charCodeAt(0));
}

const keyBytes = (list: string) => Number(attribute(list, 'keyBits')) / 8;
const blockBytes = (list: string) => Number(attribute(list, 'blockSize'));
/** `SHA512` is called `SHA-512` by browsers. */
const algorithm = (list: string) => attribute(list, 'hashAlgorithm').replace(/^SHA-?/, 'SHA-');

async function digest(list: string, ...parts: readonly Bytes[]): Promise<Bytes> {
  const all = new Uint8Array(await new Blob([...parts]).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest(algorithm(list), all));
}

function numberBytes(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** Cut, or filled as section 2.3.4.11 says; no key of AES is longer. */
function sized(bytes: Bytes, length: number): Bytes {
  const result = new Uint8Array(Math.min(length, 32)).fill(0x36);
  result.set(bytes.subarray(0, result.length));
  return result;
}

/** AES-CBC without padding, which browsers expect: a block that decrypts to one is put behind it. */
async function decrypt(secret: Bytes, iv: Bytes, encrypted: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', secret, 'AES-CBC', false, [
    'encrypt',
    'decrypt',
  ]);
  const last = encrypted.slice(-16);
  const padding = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: last }, key, new Uint8Array());
  const all = await new Blob([encrypted, padding]).arrayBuffer();
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, all));
}
