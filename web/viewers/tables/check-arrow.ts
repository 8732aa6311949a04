import { type Batch, type DataType, Type } from '@uwdata/flechette';
import { ViewerError } from '../parts/fetch-file.ts';

/** Of all texts of a batch together, and of all columns that are unpacked for the rows that are shown. */
export const mostArrowBytes = 512 * 1024 * 1024;

const viewBytes = 16;

/**
 * Texts and lists say where they begin and end. They may do so again and again for the same bytes, so a
 * small file would become a large one: their lengths are added up before the first one is read.
 * @throws ViewerError if they are too long together
 */
export function checkLengths(batch: Batch<unknown>): void {
  const { type } = batch;
  const children: readonly Batch<unknown>[] = batch.children ?? [];
  if (type.typeId === Type.RunEndEncoded) checkRepeated(type.children[1].type);
  const most = isList(type) ? (children[0]?.length ?? 0) : mostArrowBytes;
  let total = 0;
  for (let at = 0; at < batch.length && total <= most; at += 1) {
    const length = lengthAt(batch, at);
    if (length === undefined) break;
    total += length < 0 ? Number.POSITIVE_INFINITY : length;
  }
  if (total > most) throw new ViewerError('The file is damaged, or it is too large to show here.');
  for (const child of children) checkLengths(child);
}

/** Each row may repeat what is in a dictionary or a run: that may be a text, but no list. */
export function checkRepeated(type: DataType | undefined): void {
  if (type !== undefined && ('children' in type || type.typeId === Type.Dictionary)) {
    throw new ViewerError('The file repeats lists, which this page does not support.');
  }
}

const isList = (type: DataType) =>
  'children' in type && ('offsets' in type || 'stride' in type) && type.typeId !== Type.Union;

/** In bytes of a text, or values of a list; `undefined` for a batch of other values. */
function lengthAt(
  { type, offsets, sizes, values }: Batch<unknown>,
  at: number,
): number | undefined {
  if (type.typeId === Type.Utf8View || type.typeId === Type.BinaryView) {
    const from = values.byteOffset + at * viewBytes;
    return new DataView(values.buffer).getInt32(from, true);
  }
  if (type.typeId === Type.FixedSizeList) return type.stride;
  if (sizes !== undefined) return Number(sizes[at]);
  if (offsets === undefined || type.typeId === Type.Union) return undefined;
  return Number(offsets[at + 1] ?? -1) - Number(offsets[at] ?? 0);
}
