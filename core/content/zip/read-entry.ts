import { type ByteSource, collect, readWindow } from './byte-source.ts';
import { fieldsAt } from './header-fields.ts';
import { unpackEntry } from './unpack-entry.ts';
import { localHeaderBytes, type PositionedEntry } from './walk-entries.ts';

/**
 * The content of one entry, read on its own. {@link walkEntries} makes the checks of the whole
 * archive; use this only to look into a file before.
 * @throws CodedError ARCHIVE_INVALID
 */
export async function readEntry(source: ByteSource, entry: PositionedEntry): Promise<Uint8Array> {
  const { localHeaderAt, endsAt, compressedBytes } = entry;
  const { bytes } = await readWindow(source, localHeaderAt, endsAt - localHeaderAt);
  const header = fieldsAt(bytes, 0, localHeaderBytes);
  const dataAt = localHeaderBytes + header.u16(26) + header.u16(28);
  return collect(unpackEntry(entry, [bytes.subarray(dataAt, dataAt + compressedBytes)]));
}
