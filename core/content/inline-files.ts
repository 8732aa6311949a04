import type { UploadedFile } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { mediaType } from './media-type.ts';
import { checkPath, quoted } from './safe-path.ts';

/** A file as text inside of a request: as it is, or as base64 (RFC 4648 §4). */
export interface InlineFile {
  path: string;
  content: string;
  encoding: 'utf8' | 'base64';
}

interface Fault {
  path: string;
  message: string;
}

/** The rest is of the same kind, and an answer has to stay short. */
const maxFaults = 10;

/**
 * The files that a request carries as text, exactly as they were meant: what would come out
 * otherwise than it was written is refused.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED
 */
export function decodeInlineFiles(files: readonly InlineFile[]): UploadedFile[] {
  const faults: Fault[] = [];
  const decoded = files.map(({ path, content, encoding }, index) => {
    const pathFault = faultOfPath(path);
    if (pathFault !== undefined) faults.push({ path: `files[${index}].path`, message: pathFault });
    const bytes = encoding === 'utf8' ? textBytes(content) : base64Bytes(content);
    if (typeof bytes !== 'string') return { name: path, contentType: mediaType(path), bytes };
    faults.push({ path: `files[${index}].content`, message: `${quoted(path)} ${bytes}` });
    return { name: path, contentType: mediaType(path), bytes: new Uint8Array() };
  });
  refuse(faults);
  return decoded;
}

/**
 * The ZIP that a request carries as base64.
 * @throws CodedError INVALID_REQUEST
 */
export function decodeInlineZip(zipBase64: string): UploadedFile {
  const bytes = base64Bytes(zipBase64);
  if (typeof bytes !== 'string') return { name: 'site.zip', contentType: 'application/zip', bytes };
  throw refusal([{ path: 'zipBase64', message: `The ZIP ${bytes}` }]);
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw refusal(faults);
}

function refusal(faults: readonly Fault[]): CodedError {
  const [first] = faults;
  const more = faults.length > 1 ? ` And ${faults.length - 1} more.` : '';
  return new CodedError('INVALID_REQUEST', {
    error: `${first?.message ?? 'The files are wrong'}.${more}`,
    details: faults.slice(0, maxFaults),
  });
}

function faultOfPath(path: string): string | undefined {
  const checked = checkPath(path);
  if (checked.ok) return undefined;
  const message = `${quoted(path)} ${checked.rule}`;
  if (checked.reserved === true) {
    throw new CodedError('FILE_TYPE_REFUSED', { error: `${message}.` });
  }
  return message;
}

/** UTF-8, or what is wrong: half of a surrogate pair would silently become another character. */
function textBytes(content: string): Uint8Array | string {
  const at = content.search(/\p{Cs}/u);
  if (at === -1) return Buffer.from(content);
  return `has half of a surrogate pair at character ${at}, which no text file can hold; send the whole character, or the bytes with the encoding "base64"`;
}

/** The bytes, or what is wrong. Models wrap lines: white space counts for nothing. */
function base64Bytes(content: string): Uint8Array | string {
  if (/^\s*data:/i.test(content)) {
    return 'is a data: URL; send only what follows its "base64,"';
  }
  const text = content.replace(/[\t\n\f\r ]+/g, '');
  const digits = text.replace(/={1,2}$/, '');
  const at = digits.search(/[^A-Za-z0-9+/]/);
  if (at !== -1) return badDigit(digits.slice(at, at + 1), at);
  const isPadded = digits !== text;
  if (digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    return `has ${text.length} base64 characters, which no encoder writes: it was cut short or mistyped`;
  }
  const bytes = Buffer.from(digits, 'base64');
  return bytes.toString('base64').startsWith(digits)
    ? bytes
    : 'ends in bits that no encoder writes: its base64 was cut short or mistyped';
}

function badDigit(character: string, at: number): string {
  return character === '-' || character === '_'
    ? 'is base64url; write "+" in place of "-" and "/" in place of "_"'
    : `has ${quoted(character)} at base64 character ${at}, which is not base64; text goes with the encoding "utf8"`;
}
