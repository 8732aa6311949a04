import { fieldsAt } from './archive-fields.ts';

/** Ids of the extra fields that change what an entry means; all others are ignored. */
export const extraId = { zip64: 0x0001, unicodePath: 0x7075 } as const;

const wide = 0xffff_ffff;

/** One number of a header that a ZIP64 extra field may hold instead. */
interface WideField {
  plain: number;
  sentinel: number;
  bytes: 4 | 8;
}

/** The extra fields of a header by id; undefined when they do not parse, or one that matters is there twice. */
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
export function wideField(plain: number): WideField {
  return { plain, sentinel: wide, bytes: 8 };
}

/** The number of the disk, which ZIP64 widens from 16 to 32 bits. */
export function wideDisk(plain: number): WideField {
  return { plain, sentinel: 0xffff, bytes: 4 };
}

/**
 * Header numbers with their ZIP64 values filled in (APPNOTE 4.5.3); undefined when the two disagree.
 *
 * Strictly, the field holds only numbers whose plain form is all ones. Some writers (Go) write the
 * first few always: then each must equal its plain form, or two readers could see two archives.
 */
export function widen(fields: WideField[], extra: Uint8Array | undefined): number[] | undefined {
  const wanted = fields.filter(({ plain, sentinel }) => plain === sentinel);
  if (extra === undefined) return wanted.length > 0 ? undefined : fields.map(({ plain }) => plain);
  const present = bytesOf(wanted) === extra.length ? wanted : leading(fields, extra.length);
  if (wanted.some((field) => !present.includes(field))) return undefined;
  const values = readWide(present, extra);
  const agrees = (field: WideField) =>
    field.plain === field.sentinel || (values.get(field) ?? field.plain) === field.plain;
  return fields.every(agrees) ? fields.map((field) => values.get(field) ?? field.plain) : undefined;
}

function leading(fields: WideField[], length: number): WideField[] {
  const count = fields.findIndex((_, index) => bytesOf(fields.slice(0, index + 1)) === length);
  return fields.slice(0, count + 1);
}

function readWide(fields: WideField[], extra: Uint8Array): Map<WideField, number> {
  const data = fieldsAt(extra, 0, bytesOf(fields));
  const values = new Map<WideField, number>();
  let at = 0;
  for (const field of fields) {
    values.set(field, field.bytes === 8 ? data.u64(at) : data.u32(at));
    at += field.bytes;
  }
  return values;
}

function bytesOf(fields: WideField[]): number {
  return fields.reduce((sum, { bytes }) => sum + bytes, 0);
}
