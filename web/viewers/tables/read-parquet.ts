import {
  type Compressors,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ViewerError } from '../parts/fetch-file.ts';
import { isText } from '../../../core/content/is-text.ts';
import { dataCell, dataWorkbook, timeText } from './data-cells.ts';
import { type Cell, tableLimits, type TableRequest, type Workbook } from './sheet.ts';

/** The page header says how long its content is before it is unpacked (Parquet format, `PageHeader`). */
const mostPageBytes = 128 * 1024 * 1024;

const boundedCompressors = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]): [string, typeof unpack] => [
    codec,
    (packed, length) => {
      if (!(length <= mostPageBytes)) throw tooLarge();
      return unpack(packed, length);
    },
  ]),
) satisfies Compressors;

function tooLarge(): ViewerError {
  return new ViewerError('The file is too large to show here.');
}

const parsers = {
  dateFromDays: (days: number) => timeText(days * 86_400_000).slice(0, 10),
  timestampFromMilliseconds: (count: bigint) => timeText(Number(count)),
  timestampFromMicroseconds: (count: bigint) => timeText(Number(count / 1000n)),
  timestampFromNanoseconds: (count: bigint) => timeText(Number(count / 1_000_000n)),
};

/**
 * Reads the first rows of a Parquet file: one table, whose first row has the names of its columns.
 * @throws ViewerError if it cannot be read
 */
export async function readParquet({ name, bytes }: TableRequest): Promise<Workbook> {
  const file = bytes.buffer;
  const metadata = await parquetMetadataAsync(file, { parsers }).catch(() => {
    throw new ViewerError('The file is damaged, or its content does not match its name.');
  });
  const fields = parquetSchema(metadata).children.map(({ element }) => element);
  const all = fields.map(({ name: column }) => column);
  const columns = all.slice(0, tableLimits.columns);
  const count = Number(metadata.num_rows);
  const room = Math.floor(tableLimits.cells / Math.max(1, columns.length));
  const rowEnd = Math.min(count, tableLimits.rows, room);
  const rows: unknown[][] = [];
  if (rowEnd > 0 && columns.length > 0) {
    await parquetRead({
      file,
      metadata,
      columns,
      rowStart: 0,
      rowEnd,
      compressors: boundedCompressors,
      parsers,
      // By default the library decodes every array of bytes as text.
      utf8: false,
      onComplete: (read) => {
        for (const row of read) rows.push(row);
      },
    });
  }
  const isCut = rows.length < count || columns.length < all.length;
  const shown = rows.map((row) =>
    row.map((value, at) => parquetCell(timeOfDay(value, fields[at]) ?? value)),
  );
  return dataWorkbook([{ name, columns, rows: shown, isCut }]);
}

/** The library gives the number of units since midnight (Parquet format, `TIME`). */
function timeOfDay(value: unknown, field: SchemaElement | undefined): string | undefined {
  const type = field?.logical_type;
  const unit =
    type?.type === 'TIME' ? type.unit : /^TIME_(\w+)$/.exec(field?.converted_type ?? '')?.[1];
  if (unit === undefined || (typeof value !== 'number' && typeof value !== 'bigint'))
    return undefined;
  const perSecond = { MILLIS: 1000, MICROS: 1e6, NANOS: 1e9 }[unit] ?? 1;
  return timeText((Number(value) / perSecond) * 1000).slice(11);
}

/** Some writers do not mark columns as text: bytes that can be decoded as text are shown as text. */
function parquetCell(value: unknown): Cell {
  if (!(value instanceof Uint8Array) || !isText(value)) return dataCell(value);
  return new TextDecoder().decode(value);
}
