import type { UploadedFile } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { mediaType } from './media-type.ts';
import { checkPath, quoted } from './safe-path.ts';

/** A file inside a JSON request: as plain text, or as base64 (RFC 4648 §4). */
export interface InlineFile {
  path: string;
  content: string;
  encoding: 'utf8' | 'base64';
}

interface FieldError {
  path: string;
  message: string;
}

/** Keeps a response short; further errors are usually of the same kind. */
const maxReportedErrors = 10;

/**
 * Decodes the inline files of a request. Refuses any content that would be stored differently from
 * what the caller wrote.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED
 */
export function decodeInlineFiles(files: readonly InlineFile[]): UploadedFile[] {
  const errors: FieldError[] = [];
  const decoded = files.map(({ path, content, encoding }, index) => {
    const pathMessage = pathError(path);
    if (pathMessage !== undefined)
      errors.push({ path: `files[${index}].path`, message: pathMessage });
    const bytes = encoding === 'utf8' ? textBytes(content) : base64Bytes(content);
    if (typeof bytes !== 'string') return { name: path, contentType: mediaType(path), bytes };
    errors.push({ path: `files[${index}].content`, message: `${quoted(path)} ${bytes}` });
    return { name: path, contentType: mediaType(path), bytes: new Uint8Array() };
  });
  throwIfAny(errors);
  return decoded;
}

/**
 * Decodes the ZIP that a request contains as base64.
 * @throws CodedError INVALID_REQUEST
 */
export function decodeInlineZip(zipBase64: string): UploadedFile {
  const bytes = base64Bytes(zipBase64);
  if (typeof bytes !== 'string') return { name: 'site.zip', contentType: 'application/zip', bytes };
  throw inlineFilesError([{ path: 'zipBase64', message: `The ZIP ${bytes}` }]);
}

function throwIfAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw inlineFilesError(errors);
}

function inlineFilesError(errors: readonly FieldError[]): CodedError {
  const [first] = errors;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : '';
  return new CodedError('INVALID_REQUEST', {
    error: `${first?.message ?? 'The files are wrong'}.${more}`,
    details: errors.slice(0, maxReportedErrors),
  });
}

function pathError(path: string): string | undefined {
  const checked = checkPath(path);
  if (checked.ok) return undefined;
  const message = `${quoted(path)} ${checked.rule}`;
  if (checked.reserved === true) {
    throw new CodedError('FILE_TYPE_REFUSED', { error: `${message}.` });
  }
  return message;
}

/**
 * The content as UTF-8, or the error message. Encoding half of a surrogate pair would silently
 * replace it with another character.
 */
function textBytes(content: string): Uint8Array | string {
  const at = content.search(/\p{Cs}/u);
  if (at === -1) return Buffer.from(content);
  return `has half of a surrogate pair at character ${at}, which no text file can hold; send the whole character, or the bytes with the encoding "base64"`;
}

/**
 * The decoded bytes, or the error message. White space is ignored, because language models wrap
 * lines.
 */
function base64Bytes(content: string): Uint8Array | string {
  if (/^\s*data:/i.test(content)) {
    return 'is a data: URL; send only what follows its "base64,"';
  }
  const text = content.replace(/[\t\n\f\r ]+/g, '');
  const digits = text.replace(/={1,2}$/, '');
  const at = digits.search(/[^A-Za-z0-9+/]/);
  if (at !== -1) return invalidDigit(digits.slice(at, at + 1), at);
  const isPadded = digits !== text;
  if (digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    return `has ${text.length} base64 characters, which no encoder writes: it was cut short or mistyped`;
  }
  const bytes = Buffer.from(digits, 'base64');
  return bytes.toString('base64').startsWith(digits)
    ? bytes
    : 'ends in bits that no encoder writes: its base64 was cut short or mistyped';
}

function invalidDigit(character: string, at: number): string {
  return character === '-' || character === '_'
    ? 'is base64url; write "+" in place of "-" and "/" in place of "_"'
    : `has ${quoted(character)} at base64 character ${at}, which is not base64; text goes with the encoding "utf8"`;
}
