import { describe, expect, test } from '@jest/globals';
import {
  bool,
  dateDay,
  decimal,
  duration,
  float32,
  int64,
  list,
  map,
  struct,
  timeMicrosecond,
  timestamp,
  TimeUnit,
  utf8,
} from '@uwdata/flechette';
import { arrowCell } from '../../../../../web/viewers/tables/arrow-values.ts';
import { readArrow } from '../../../../../web/viewers/tables/read-arrow.ts';
import { textOf } from '../../../../../web/viewers/tables/sheet.ts';
import { anArrow, lyingArrow } from '../../../../fixtures/visits/sample-data.ts';

const sheetOf = (bytes: Uint8Array) =>
  readArrow({ name: 'a.arrow', bytes: new Uint8Array(bytes), isCut: false }).sheets[0];

/** Streams of pyarrow 25: 20,000 numbers of 32 bits, `n % 7`, in two blocks that refer to each other. */
const packed = {
  lz4: '/////3gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAEAAAAUAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAAECEAAAABwAAAAEAAAAAAAAAAEAAABuAAAACAAMAAgABwAIAAAAAAAAASAAAAD/////mAAAABQAAAAAAAAADAAYAAYABQAIAAwADAAAAAADBAAcAAAAiAEAAAAAAAAAAAAADAAcABAABAAIAAwADAAAAEgAAAAcAAAAFAAAACBOAAAAAAAAAAAAAAQABAAEAAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIQBAAAAAAAAAAAAAAEAAAAgTgAAAAAAAAAAAAAAAAAAgDgBAAAAAAAEIk0YQEDAJwEAAPAKAAAAAAEAAAACAAAAAwAAAAQAAAAFAAAABhkADxwA/////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////8tQAAMAAABCAAAAD/D///////////////////////////////////////////////////////////////////////////+gUAAAAAAAAAAAAAAAAAD/////AAAAAA==',
  zstd: '/////3gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAEAAAAUAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAAECEAAAABwAAAAEAAAAAAAAAAEAAABuAAAACAAMAAgABwAIAAAAAAAAASAAAAD/////oAAAABQAAAAAAAAADAAYAAYABQAIAAwADAAAAAADBAAcAAAAOAAAAAAAAAAAAAAADAAeABAABAAIAAwADAAAAFAAAAAkAAAAGAAAACBOAAAAAAAAAAAAAAAABgAIAAcABgAAAAAAAAECAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAOAAAAAAAAAAAAAAAAQAAACBOAAAAAAAAAAAAAAAAAACAOAEAAAAAACi1L/2ggDgBACUBANAAAAAAAQAAAAIAAAADAAAABAAAAAUAAAAGAAIAXTg/MxADY/////8AAAAA',
};

/** Another: `[['x'], ['x']]` by a dictionary. */
const repeatedLists =
  '/////8gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAEAAAAuP///wQAAAABAAAAFAAAABAAGAAIAAYABwAMABAAFAAQAAAAAAABDBgAAABAAAAAIAAAAAQAAAABAAAARAAAAAEAAABhAAAACAAIAAAABAAIAAAADAAAAAgADAAIAAcACAAAAAAAAAFAAAAAyP///xAAFAAIAAYABwAMAAAAEAAQAAAAAAABBRAAAAAcAAAABAAAAAAAAAAEAAAAaXRlbQAAAAAEAAQABAAAAP/////YAAAAFAAAAAAAAAAMABQABgAFAAgADAAMAAAAAAIEABQAAAAYAAAAAAAAAAgACgAAAAQACAAAABAAAAAAAAoAGAAMAAQACAAKAAAAbAAAABAAAAABAAAAAAAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAACAAAAAAAAAAIAAAAAAAAABAAAAAAAAAAAQAAAAAAAAAAAAAAAgAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAHgAAAAAAAAA/////4gAAAAUAAAAAAAAAAwAFgAGAAUACAAMAAwAAAAAAwQAGAAAABAAAAAAAAAAAAAKABgADAAEAAgACgAAADwAAAAQAAAAAgAAAAAAAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAEAAAACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP////8AAAAA';

const moment = Date.UTC(2026, 10, 29, 17, 4, 57);
const columns = {
  quay: ['north', 'süd', null],
  depth: [Math.fround(0.1), 3, null],
  id: [9_007_199_254_740_993n, 2n, 3n],
  at: [moment, null, 0],
  day: [moment, null, 0],
  time: [34_800_000_000n, null, 0n],
  took: [90n, null, 5n],
  price: [1_234_567_890_123_456_789n, -5n, null],
  isOpen: [true, false, null],
  more: [{ a: [1n, 2n] }, null, { a: null }],
  tags: [[['k', 150n]], [], null],
};
const types = {
  quay: utf8(),
  depth: float32(),
  id: int64(),
  at: timestamp(TimeUnit.MILLISECOND),
  day: dateDay(),
  time: timeMicrosecond(),
  took: duration(TimeUnit.SECOND),
  price: decimal(20, 2),
  isOpen: bool(),
  more: struct({ a: list(int64()) }),
  tags: map(utf8(), decimal(5, 2)),
};

describe('an Arrow file', () => {
  test.each(['file', 'stream'] as const)('in the form of a %s is a table', (form) => {
    const sheet = sheetOf(anArrow(columns, { form, types }));
    expect(sheet).toMatchObject({ headRows: 1, isCut: false });
    const [names, ...rows] = sheet?.rows ?? [];
    expect(names).toEqual(Object.keys(columns));
    const price = { text: '12345678901234567.89', value: 12_345_678_901_234_568 };
    const [more, tags] = ['{"a":[1,2]}', '[["k","1.50"]]'];
    const [took, day] = [{ text: '90 s', value: 90 }, '2026-11-29'];
    expect(rows).toEqual([
      [
        'north',
        0.1,
        '9007199254740993',
        `${day} 17:04:57`,
        day,
        '09:40:00',
        took,
        price,
        'true',
        more,
        tags,
      ],
      ['süd', 3, 2, '', '', '', '', { text: '-0.05', value: -0.05 }, 'false', '', '[]'],
      [
        '',
        '',
        3,
        '1970-01-01 00:00:00',
        '1970-01-01',
        '00:00:00',
        { text: '5 s', value: 5 },
        '',
        '',
        '{"a":null}',
        '',
      ],
    ]);
  });

  test.each(Object.entries(packed))('is unpacked from %s', (_, base64) => {
    const { rows = [], isCut } = sheetOf(Buffer.from(base64, 'base64')) ?? {};
    expect(isCut).toBe(false);
    expect(rows.slice(1).flat()).toEqual(Array.from({ length: 20_000 }, (__, at) => at % 7));
  });

  test('of more columns than a page shows says that it is cut', () => {
    const names = Array.from({ length: 300 }, (_, at) => [`c${at}`, [at]]);
    const wide = sheetOf(anArrow(Object.fromEntries(names)));
    expect(wide?.rows[1]).toHaveLength(256);
    expect(wide?.isCut).toBe(true);
  });

  test('of more rows than a page shows is read up to there', () => {
    const n = Array.from({ length: 400_001 }, (_, at) => at);
    const long = anArrow({ n }, { maxBatchRows: 100_000 });
    // Batches behind the rows that are shown are not even looked at.
    for (const bytes of [long, long.subarray(0, -300_000)]) {
      expect(sheetOf(bytes)?.rows).toHaveLength(200_001);
      expect(sheetOf(bytes)?.isCut).toBe(true);
    }
  });

  test('that ends too early is shown up to there', () => {
    const n = Array.from({ length: 30 }, (_, at) => at);
    const bytes = anArrow({ n }, { form: 'stream', maxBatchRows: 10 });
    const sheet = sheetOf(bytes.subarray(0, -30));
    expect(sheet?.rows).toHaveLength(21);
    expect(sheet?.isCut).toBe(true);
  });

  test.each([
    ['is none', Buffer.from('no table at all, but some words'), /does not match its name/],
    [
      'ends before its first rows',
      anArrow({ n: [1] }, { form: 'stream' }).subarray(0, -12),
      /does not match its name/,
    ],
    ['is empty', Buffer.alloc(0), /does not match its name/],
    ['has the format of Feather before 2020', Buffer.from('FEA1\0\0\0\0'), /old format/],
    ['has texts that are longer than it', lyingArrow(), /too large/],
    ['says that a list has a billion values', longList(), /too large/],
    ['says that a packed part is long', longPart(), /too large/],
    ['repeats lists', Buffer.from(repeatedLists, 'base64'), /repeats lists/],
  ])('that %s is refused', (_, bytes, reason) => {
    expect(() => sheetOf(bytes)).toThrow(reason);
  });
});

function longList(): Buffer {
  const bytes = anArrow({ a: [[1, 2, 3, 4, 5, 6, 7]] });
  const at = bytes.indexOf(Buffer.from(BigInt64Array.of(7n, 0n).buffer));
  bytes.writeBigInt64LE(1_000_000_000n, at);
  return bytes;
}

function longPart(): Buffer {
  const bytes = Buffer.from(packed.zstd, 'base64');
  bytes.writeBigInt64LE(2n ** 40n, bytes.indexOf(Buffer.from(BigInt64Array.of(80_000n).buffer)));
  return bytes;
}

test.each([2, -2, 76, 77, -77, 2_000_000_000, -2_000_000_000])(
  'a decimal of scale %i is not written with more zeros than a decimal may have',
  (scale) => {
    const text = textOf(arrowCell({ ...decimal(38, 2), scale }, -5n));
    expect(text.length).toBeLessThan(85);
    expect(Number(text)).toBe(Number(`-5e${-scale}`));
  },
);
