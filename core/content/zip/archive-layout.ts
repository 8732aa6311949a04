import type { CodedError } from '../../errors.ts';
import { archiveFault, entryFault } from './archive-fault.ts';
import type { CentralDirectory, CentralRecord } from './central-directory.ts';
import { hasDescriptor, headerBytes, maxDescriptorBytes } from './local-header.ts';

const maxExtraBytes = 0xffff;

/** An entry and the end of its room: where the next begins, or the central directory. */
export interface LaidEntry extends CentralRecord {
  endsAt: number;
}

/**
 * Gives each entry its room in the file, so that the rooms fill it from its first byte to the
 * central directory. Refuses what cannot fit its room, and what cannot fill it, from the directory
 * alone; the rest only local headers tell.
 *
 * Overlaps are how 42 kB become petabytes without nesting (D. Fifield, "A better zip bomb", 2019).
 * Throws ARCHIVE_INVALID.
 */
export function layOut({ records, at: directoryAt }: CentralDirectory): LaidEntry[] {
  const inFile = records.toSorted((a, b) => a.localHeaderAt - b.localHeaderAt);
  if ((inFile[0]?.localHeaderAt ?? directoryAt) !== 0) {
    throw archiveFault('has other bytes before its first entry');
  }
  const rooms = new Map<CentralRecord, number>();
  for (const [index, record] of inFile.entries()) {
    const endsAt = inFile[index + 1]?.localHeaderAt ?? directoryAt;
    checkRoom(record, endsAt, directoryAt);
    rooms.set(record, endsAt);
  }
  return records.map((record) => ({ ...record, endsAt: rooms.get(record) ?? directoryAt }));
}

function checkRoom(record: CentralRecord, endsAt: number, directoryAt: number): void {
  const least = record.localHeaderAt + headerBytes + record.rawName.length + record.compressedBytes;
  if (least > endsAt) throw overlapFault(record);
  if (endsAt > directoryAt || endsAt - least > maxExtraBytes + maxDescriptorBytes) {
    throw tailFault(record);
  }
}

/** The refusal of an entry that is longer than its room. */
export function overlapFault({ name }: CentralRecord): CodedError {
  return entryFault(name, 'overlaps another entry or the central directory');
}

/** The refusal of an entry that does not fill its room, or fills it with anything but a true descriptor. */
export function tailFault(record: CentralRecord): CodedError {
  return entryFault(
    record.name,
    hasDescriptor(record)
      ? 'has no data descriptor that agrees with the central directory'
      : 'is followed by bytes of no entry',
  );
}
