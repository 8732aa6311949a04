import type { ErrorCode } from '../../../contract/errors.ts';
import { CodedError } from '../../errors.ts';
import { crc32 } from 'node:zlib';
import { strictUtf8 } from './name-encoding.ts';

/** Ids of the extra fields that change the meaning of an entry; all others are ignored. */
export const extraId = { zip64: 0x0001, unicodePath: 0x7075 } as const;

const maxUint32 = 0xffff_ffff;

/** A number of a header that a ZIP64 extra field may replace. */
interface Zip64Field {
  plain: number;
  sentinel: number;
  bytes: 4 | 8;
}

/**
 * The extra fields of a header by id; undefined if they do not parse, or if one of {@link extraId}
 * occurs twice.
 */
export function readExtra(extra: Uint8Array): Map<number, Uint8Array> | undefined {
  const fields = new Map<number, Uint8Array>();
  let at = 0;
  while (at < extra.length) {
    if (at + 4 > extra.length) return undefined;
    const header = fieldsAt(extra, at, 4);
    const id = header.u16(0);
    const end = at + 4 + header.u16(2);
    const twice = fields.has(id) && (id === extraId.zip64 || id === extraId.unicodePath);
    if (end > extra.length || twice) return undefined;
    fields.set(id, extra.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

/** A 32-bit size or offset, which ZIP64 widens to 64 bits. */
export function zip64Field(plain: number): Zip64Field {
  return { plain, sentinel: maxUint32, bytes: 8 };
}

/** The number of the disk, which ZIP64 widens from 16 to 32 bits. */
export function zip64DiskField(plain: number): Zip64Field {
  return { plain, sentinel: 0xffff, bytes: 4 };
}

/**
 * Header numbers with their ZIP64 values filled in (APPNOTE 4.5.3); undefined if the two contradict
 * each other.
 *
 * By the standard, the field has only numbers whose plain form is all ones. Some writers (Go)
 * always write the first few numbers. Then each must equal its plain form, or two readers could
 * read two different archives.
 */
export function resolveZip64(
  fields: Zip64Field[],
  extra: Uint8Array | undefined,
): number[] | undefined {
  const required = fields.filter(({ plain, sentinel }) => plain === sentinel);
  if (extra === undefined)
    return required.length > 0 ? undefined : fields.map(({ plain }) => plain);
  const present =
    lengthOfFields(required) === extra.length ? required : leadingFields(fields, extra.length);
  if (required.some((field) => !present.includes(field))) return undefined;
  const values = readZip64Values(present, extra);
  const agrees = (field: Zip64Field) =>
    field.plain === field.sentinel || (values.get(field) ?? field.plain) === field.plain;
  return fields.every(agrees) ? fields.map((field) => values.get(field) ?? field.plain) : undefined;
}

function leadingFields(fields: Zip64Field[], length: number): Zip64Field[] {
  const count = fields.findIndex(
    (_, index) => lengthOfFields(fields.slice(0, index + 1)) === length,
  );
  return fields.slice(0, count + 1);
}

function readZip64Values(fields: Zip64Field[], extra: Uint8Array): Map<Zip64Field, number> {
  const data = fieldsAt(extra, 0, lengthOfFields(fields));
  const values = new Map<Zip64Field, number>();
  let at = 0;
  for (const field of fields) {
    values.set(field, field.bytes === 8 ? data.u64(at) : data.u32(at));
    at += field.bytes;
  }
  return values;
}

function lengthOfFields(fields: Zip64Field[]): number {
  return fields.reduce((sum, { bytes }) => sum + bytes, 0);
}

const maxNameLength = 120;

const ellipsis = '…';

type RefusalCode = Extract<ErrorCode, 'ARCHIVE_INVALID' | 'FILE_TYPE_REFUSED'>;

/** A refusal of the whole archive: `The ZIP ${rule}.` */
export function archiveError(rule: string): CodedError {
  return new CodedError('ARCHIVE_INVALID', { error: `The ZIP ${rule}.` });
}

/** A refusal of the whole archive for one entry: `The ZIP entry "name" ${rule}.` */
export function entryError(
  name: string,
  rule: string,
  code: RefusalCode = 'ARCHIVE_INVALID',
): CodedError {
  return new CodedError(code, { error: `The ZIP entry "${quotableName(name)}" ${rule}.` });
}

/** A refusal of an archive that only somebody with its password can read. */
export class EncryptedArchiveError extends CodedError<'ARCHIVE_INVALID'> {
  constructor(name: string) {
    super('ARCHIVE_INVALID', {
      isEncrypted: true,
      error: `The ZIP entry "${quotableName(name)}" is encrypted.`,
      nextStep:
        'Send it with `asFileBundle: true` to share the ZIP itself as one file, which visitors open with its password. To publish its content, create it without a password. Nothing was kept.',
    });
  }
}

/**
 * An entry name for an error message: at most 120 characters, no invisible ones.
 *
 * Untrusted names appear in terminals, logs and dashboards.
 */
function quotableName(name: string): string {
  const visible = name.slice(0, 4096).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '');
  if (visible.length <= maxNameLength) return visible;
  const cut = visible.slice(0, maxNameLength - ellipsis.length);
  return cut.replace(/\p{Cs}$/u, '') + ellipsis;
}

/**
 * Little-endian numbers of one record. Reading outside the record is a bug of the caller, not an
 * error of the archive.
 */
export interface Fields {
  u16(at: number): number;
  u32(at: number): number;
  /** Rounded above 2^53, which is larger than any archive. */
  u64(at: number): number;
}

/** The fields of `length` bytes at `at`; throws ARCHIVE_INVALID if the archive is too short. */
export function fieldsAt(zip: Uint8Array, at: number, length: number): Fields {
  const bytes = bytesAt(zip, at, length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    u16: (offset) => view.getUint16(offset, true),
    u32: (offset) => view.getUint32(offset, true),
    u64: (offset) => Number(view.getBigUint64(offset, true)),
  };
}

/** `length` bytes at `at`, not copied; throws ARCHIVE_INVALID if the archive is too short. */
export function bytesAt(zip: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > zip.length) throw archiveError('is cut short or points past its own end');
  return zip.subarray(at, at + length);
}

const utf8Flag = 0x0800;

/** Whether flag bit 11 declares that the name is UTF-8 (APPNOTE 4.4.4). */
export function declaresUtf8(flags: number): boolean {
  return (flags & utf8Flag) !== 0;
}

/**
 * The name of an entry: its Info-ZIP Unicode Path field if it has one (APPNOTE 4.6.9), otherwise
 * `headerName`. Writers that use an old code page in the header add this field.
 *
 * Undefined if the field is damaged or belongs to another header name, because readers then
 * disagree about which name applies.
 */
export function readUnicodePath(
  headerName: string,
  rawName: Uint8Array,
  extra: ReadonlyMap<number, Uint8Array>,
): string | undefined {
  const field = extra.get(extraId.unicodePath);
  if (field === undefined) return headerName;
  if (field.length < 5 || field[0] !== 1) return undefined;
  const isOfHeader = fieldsAt(field, 1, 4).u32(0) === crc32(rawName);
  return isOfHeader ? strictUtf8(field.subarray(5)) : undefined;
}
