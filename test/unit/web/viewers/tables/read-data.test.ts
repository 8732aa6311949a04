import { describe, expect, test } from '@jest/globals';
import { createRequire } from 'node:module';
import { readDatabase } from '../../../../../web/viewers/tables/read-database.ts';
import { readParquet } from '../../../../../web/viewers/tables/read-parquet.ts';
import { aDatabase, aParquet } from '../../../../fixtures/visits/sample-data.ts';

const sqlite = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
const fileOf = (name: string, bytes: Uint8Array) => ({
  name,
  bytes: new Uint8Array(bytes),
  isCut: false,
  sqlite,
});
const readSql = async (sql: string) => readDatabase(fileOf('a.sqlite', await aDatabase(sql)));

describe('a Parquet file', () => {
  test('is a table with the names of its columns, and values as people read them', async () => {
    const bytes = aParquet([
      { name: 'quay', data: ['north', 'süd', null], type: 'STRING' },
      { name: 'depth', data: [4.5, 3, 2], type: 'DOUBLE' },
      { name: 'id', data: [9007199254740993n, 2n, 3n], type: 'INT64' },
      { name: 'at', data: [0, 1, 2].map((day) => new Date(day * 86_400_000)), type: 'TIMESTAMP' },
      { name: 'isOpen', data: [true, false, true], type: 'BOOLEAN' },
      { name: 'more', data: [{ a: 1 }, null, { a: [2] }], type: 'JSON' },
    ]);
    const { sheets, isLettered } = await readParquet(fileOf('a.parquet', bytes));
    expect(isLettered).toBe(false);
    expect(sheets[0]).toMatchObject({ headRows: 1, isCut: false });
    expect(sheets[0]?.rows).toEqual([
      ['quay', 'depth', 'id', 'at', 'isOpen', 'more'],
      ['north', 4.5, '9007199254740993', '1970-01-01 00:00:00', 'true', '{"a":1}'],
      ['süd', 3, 2, '1970-01-02 00:00:00', 'false', ''],
      ['', 2, 3, '1970-01-03 00:00:00', 'true', '{"a":[2]}'],
    ]);
  });

  test('has times of a day as clocks show them', async () => {
    const bytes = aParquet(
      [
        { name: 'ms', data: [34_200_000], type: 'INT32' },
        { name: 'us', data: [34_200_500_000n], type: 'INT64' },
      ],
      [
        { name: 'ms', type: 'INT32', converted_type: 'TIME_MILLIS' },
        {
          name: 'us',
          type: 'INT64',
          logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' },
        },
      ],
    );
    const { sheets } = await readParquet(fileOf('a.parquet', bytes));
    expect(sheets[0]?.rows[1]).toEqual(['09:30:00', '09:30:00.500']);
  });

  test('of more rows or columns than a page shows says that it is cut', async () => {
    const wide = Array.from({ length: 300 }, (_, at) => ({ name: `c${at}`, data: [at] }));
    const { sheets } = await readParquet(fileOf('a.parquet', aParquet(wide)));
    expect(sheets[0]?.rows[1]).toHaveLength(256);
    expect(sheets[0]?.isCut).toBe(true);
    const long = aParquet([{ name: 'n', data: new Int32Array(200_001), type: 'INT32' }]);
    const cut = await readParquet(fileOf('a.parquet', long));
    expect(cut.sheets[0]?.rows).toHaveLength(200_001);
    expect(cut.sheets[0]?.isCut).toBe(true);
  });

  test('that is none is named so', async () => {
    await expect(readParquet(fileOf('a.parquet', Buffer.from('PAR1 no')))).rejects.toThrow(
      'its content does not match its name',
    );
  });
});

describe('a database of SQLite', () => {
  test('has a sheet for each table, and none for views', async () => {
    const { sheets } = await readSql(`
      CREATE TABLE "Ships of ""Kiel""" (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, mass REAL, flag BLOB);
      INSERT INTO "Ships of ""Kiel""" VALUES (9007199254740993, 'Tern', 2.5, x'0102'), (9007199254740994, NULL, 3, NULL);
      CREATE TABLE empty (a, b);
      CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n;`);
    expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([
      [
        'Ships of "Kiel"',
        [
          ['id', 'name', 'mass', 'flag'],
          ['9007199254740993', 'Tern', 2.5, '2 bytes'],
          ['9007199254740994', '', 3, ''],
        ],
      ],
      ['empty', [['a', 'b']]],
    ]);
  });

  test('of places has the tables that programs keep about them last', async () => {
    const { sheets } = await readSql(
      'CREATE TABLE gpkg_contents (a); CREATE TABLE spatial_ref_sys (a); CREATE TABLE quays (a); CREATE TABLE rtree_quays_geom (a); CREATE TABLE berths (a);',
    );
    const names = sheets.map(({ name }) => name);
    expect(new Set(names.slice(0, 2))).toEqual(new Set(['quays', 'berths']));
    expect(names).toHaveLength(5);
  });

  test('with virtual tables has the tables that these keep last', async () => {
    const { sheets } = await readSql(
      "CREATE VIRTUAL TABLE words USING fts4(a); INSERT INTO words VALUES ('tide'); CREATE TABLE words2 (a); CREATE TABLE quays (a);",
    );
    const names = sheets.map(({ name }) => name);
    expect(new Set(names.slice(0, 3))).toEqual(new Set(['words', 'words2', 'quays']));
    expect(names.slice(3)).toContain('words_content');
  });

  test('in WAL mode is read without the files beside it', async () => {
    const bytes = await aDatabase('CREATE TABLE a (b); INSERT INTO a VALUES (1)');
    bytes[18] = 2;
    bytes[19] = 2;
    const { sheets } = await readDatabase(fileOf('a.db', bytes));
    expect(sheets[0]?.rows).toEqual([['b'], [1]]);
  });

  test('of more rows than a page shows is cut', async () => {
    const { sheets } = await readSql(
      'CREATE TABLE a (b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200001) INSERT INTO a SELECT i FROM n',
    );
    expect(sheets[0]?.rows).toHaveLength(200_001);
    expect(sheets[0]?.isCut).toBe(true);
  });

  test('whose columns compute more text than memory has stays bounded', async () => {
    const { sheets } = await readSql(`
      CREATE TABLE a (b, c AS (printf('%.*c', 20000000, 'x')));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) INSERT INTO a SELECT i FROM n`);
    expect(sheets[0]?.isCut).toBe(true);
    expect(sheets[0]?.rows.length).toBeLessThan(10);
  });

  test.each([
    ['another file', Buffer.from('Thumbs')],
    ['an encrypted one', Buffer.alloc(4096, 7)],
  ])('that is %s is named so', async (_, bytes) => {
    await expect(readDatabase(fileOf('a.db', bytes))).rejects.toThrow('or it is encrypted');
  });
});

test('bytes of Parquet are counted, and those that are words are read', async () => {
  const data = [Buffer.from('Tern'), Buffer.from([1, 0, 255, 254])];
  const bytes = aParquet([
    { name: 'raw', data, type: 'BYTE_ARRAY' },
    { name: 'text', data: ['a', 'ü'] },
  ]);
  const { sheets } = await readParquet(fileOf('a.parquet', bytes));
  expect(sheets[0]?.rows.slice(1)).toEqual([
    ['Tern', 'a'],
    ['4 bytes', 'ü'],
  ]);
});

test('a database whose rows are in another file says so', async () => {
  const bytes = await aDatabase('PRAGMA user_version = 1');
  bytes[18] = 2;
  await expect(readDatabase(fileOf('a.db', bytes))).rejects.toThrow(
    /a second file, which ends in -wal/,
  );
});
