import { dataWorkbook } from './data-cells.ts';
import type { Cell, Workbook } from './sheet.ts';

/** A file in an archive. */
export interface ArchiveEntry {
  path: string;
  bytes: number;
  /** In milliseconds; an archive need not say it. */
  changed?: number | undefined;
}

export interface ArchiveContents {
  entries: ArchiveEntry[];
  isCut: boolean;
}

/** What is in an archive, as a table: names, sizes and times. */
export function contentsTable(name: string, { entries, isCut }: ArchiveContents): Workbook {
  const total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const rows = entries.map(({ path, bytes: size, changed }): Cell[] => [
    path,
    { text: size.toLocaleString('en-US'), value: size },
    changed === undefined ? '' : new Date(changed).toISOString().slice(0, 16).replace('T', ' '),
  ]);
  const workbook = dataWorkbook([
    { name, columns: ['Name', 'Bytes', 'Changed (UTC)'], rows, isCut },
  ]);
  const count = `${entries.length.toLocaleString('en-US')} ${entries.length === 1 ? 'file' : 'files'}`;
  return {
    ...workbook,
    preamble: [`${count}, ${total.toLocaleString('en-US')} bytes when unpacked`],
  };
}
