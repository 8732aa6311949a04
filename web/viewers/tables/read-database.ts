import initSqlJs, { type Database } from 'sql.js';
import { ViewerError } from '../parts/fetch-file.ts';
import { dataCell, type DataTable, dataWorkbook, mostCharacters } from './data-cells.ts';
import { type Cell, tableLimits, type TableRequest, textOf, type Workbook } from './sheet.ts';

const most = {
  tables: 100,
  heapBytes: 512 * 1024 * 1024,
} as const;

/**
 * Reads the tables of a SQLite database. Views are left out: one can compute for ever.
 * @throws ViewerError if it is none, an encrypted one, or one whose rows are in another file
 */
export async function readDatabase({ bytes, sqlite = '' }: TableRequest): Promise<Workbook> {
  if (!new TextDecoder('latin1').decode(bytes.subarray(0, 16)).startsWith('SQLite format 3\0')) {
    throw new ViewerError('The file is not a database of SQLite, or it is encrypted.');
  }
  const hasLog = bytes[18] === 2;
  const { Database } = await initSqlJs({ locateFile: () => sqlite });
  const database = new Database(withoutLog(bytes));
  database.run(`PRAGMA hard_heap_limit = ${most.heapBytes}`);
  const tables = tablesOf(database);
  if (tables.length === 0 && hasLog) {
    throw new ViewerError(
      'What this database holds is in a second file, which ends in -wal. Close the program that uses it, then publish it again.',
    );
  }
  return dataWorkbook(tables);
}

/** A database in WAL mode needs files beside it (SQLite file format, section 1.3.3). */
function withoutLog(bytes: Uint8Array): Uint8Array {
  for (const at of [18, 19]) if (bytes[at] === 2) bytes[at] = 1;
  return bytes;
}

function tablesOf(database: Database): DataTable[] {
  const room = { cells: tableLimits.cells, characters: mostCharacters };
  const names = textsOf(
    database,
    `SELECT name FROM sqlite_master AS own WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY ${registers} LIMIT ${most.tables}`,
  );
  return names.flatMap((name) => tableOf(database, name, room) ?? []);
}

/**
 * Tables that programs keep for themselves come last: those of places (GeoPackage, SpatiaLite), and those of virtual
 * tables, which have the name of one before theirs.
 */
const registers = `EXISTS (SELECT 1 FROM sqlite_master AS virtual WHERE virtual.sql LIKE 'CREATE VIRTUAL %'
    AND substr(own.name, 1, length(virtual.name) + 1) = virtual.name || '_')
  OR name GLOB 'gpkg_*' OR name GLOB 'rtree_*' OR name GLOB 'idx_*' OR name GLOB 'spatial*'
  OR name GLOB 'geometry_columns*' OR name GLOB 'views_geometry_*' OR name GLOB 'virts_geometry_*'`;

function textsOf(database: Database, query: string): string[] {
  return (database.exec(query)[0]?.values ?? []).map(([text]) => String(text));
}

/** `undefined` for a virtual table whose module this SQLite does not have. */
function tableOf(
  database: Database,
  name: string,
  room: { cells: number; characters: number },
): DataTable | undefined {
  const rows: Cell[][] = [];
  try {
    const query = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
    const all = query.getColumnNames();
    const columns = all.slice(0, tableLimits.columns);
    let isCut = columns.length < all.length;
    while (query.step()) {
      const row = query.get(null, { useBigInt: true }).slice(0, columns.length).map(dataCell);
      room.cells -= row.length;
      room.characters -= row.reduce<number>((sum, cell) => sum + textOf(cell).length, 0);
      if (rows.length === tableLimits.rows || room.cells < 0 || room.characters < 0) {
        isCut = true;
        break;
      }
      rows.push(row);
    }
    query.free();
    return { name, columns, rows, isCut };
  } catch {
    return undefined;
  }
}
