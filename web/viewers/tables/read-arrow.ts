import {
  type Batch,
  Column,
  CompressionType,
  setCompressionCodec,
  type Table,
  tableFromIPC,
} from '@uwdata/flechette';
import { decompress as unpackZstd } from 'fzstd';
import { ViewerError } from '../parts/fetch-file.ts';
import { firstMessages } from './arrow-messages.ts';
import { arrowCell } from './arrow-values.ts';
import { checkLengths, checkRepeated, mostArrowBytes } from './check-arrow.ts';
import { dataWorkbook, mostCharacters } from './data-cells.ts';
import { unpackLz4Frame } from './lz4-frame.ts';
import { type Cell, tableLimits, type TableRequest, textOf, type Workbook } from './sheet.ts';

/** The library reads all values of a dictionary before the first row, without this check. */
const dictionaries = new WeakMap<Column<unknown>, ReturnType<Column<unknown>['toArray']>>();
Column.prototype.cache = function readChecked(this: Column<unknown>) {
  const known = dictionaries.get(this);
  if (known !== undefined) return known;
  checkRepeated(this.type);
  for (const batch of this.data) checkLengths(batch);
  const values = this.toArray();
  dictionaries.set(this, values);
  return values;
};

const tooLarge = 'The file is too large to show here.';
const damaged = 'The file is damaged, or its content does not match its name.';

/**
 * Reads the first rows of an Arrow file or stream, which Feather is too: one table, whose first row has
 * the names of its columns.
 * @throws ViewerError if it cannot be read
 */
export function readArrow({ name, bytes }: TableRequest): Workbook {
  const { messages, isCut } = firstMessages(bytes, tableLimits.rows + 1);
  if (messages.length === 0) throw new ViewerError(damaged);
  unpackWithin(mostArrowBytes);
  const table = tableFromIPC(messages, { useBigInt: true, useDate: true, useDecimalInt: true });
  // The library takes numbers as this machine writes them.
  if (table.schema.endianness !== 0) throw new ViewerError(damaged);
  const columns = table.names.slice(0, tableLimits.columns).map(String);
  const { rows, isWhole } = firstRows(table, columns.length);
  if (isCut && rows.length === 0) throw new ViewerError(damaged);
  const isShort = isCut || !isWhole || columns.length < table.names.length;
  return dataWorkbook([{ name, columns, rows, isCut: isShort }]);
}

/** Each packed part says how long it will be. */
function unpackWithin(bytes: number): void {
  let room = bytes;
  const within = (unpack: (packed: Uint8Array, length: number) => Uint8Array) => ({
    encode: (plain: Uint8Array) => plain,
    decode: (packed: Uint8Array, length: number) => {
      room -= length;
      if (!(length >= 0 && room >= 0)) throw new ViewerError(tooLarge);
      return unpack(packed, length);
    },
  });
  setCompressionCodec(CompressionType.LZ4_FRAME, within(unpackLz4Frame));
  setCompressionCodec(
    CompressionType.ZSTD,
    within((packed, length) => unpackZstd(packed, new Uint8Array(length))),
  );
}

function firstRows(table: Table, width: number): { rows: Cell[][]; isWhole: boolean } {
  const columns = table.children.slice(0, width);
  const rows: Cell[][] = [];
  let cells = tableLimits.cells;
  let characters = mostCharacters;
  for (const batch of columns[0]?.data.keys() ?? []) {
    const parts = columns.map(({ data }): Batch<unknown> | undefined => data[batch]);
    for (const part of parts) if (part !== undefined) checkLengths(part);
    for (let at = 0; at < (parts[0]?.length ?? 0); at += 1) {
      const row = parts.map((part) => arrowCell(part?.type, part?.at(at)));
      cells -= row.length;
      characters -= row.reduce<number>((sum, cell) => sum + textOf(cell).length, 0);
      if (rows.length === tableLimits.rows || cells < 0 || characters < 0) {
        return { rows, isWhole: false };
      }
      rows.push(row);
    }
  }
  return { rows, isWhole: true };
}
