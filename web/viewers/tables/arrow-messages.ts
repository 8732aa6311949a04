import { ViewerError } from '../parts/fetch-file.ts';

/** The start of an Arrow file or stream. */
export interface ArrowMessages {
  /** The schema, dictionaries and batches of rows, each as a message of the stream format. */
  messages: Uint8Array<ArrayBuffer>[];
  /** Whether there are more, or the last one is not whole. */
  isCut: boolean;
}

/** A file begins with this, and with two bytes that fill up to eight; a stream follows. */
const fileMark = 'ARROW1';
const fileMarkBytes = 8;
/** Feather had a format of its own until 2020. */
const oldFeatherMark = 'FEA1';

/** Field numbers of the tables in `Message.fbs`. */
const message = { kind: 1, header: 2, bodyBytes: 3 } as const;
const recordBatch = { rows: 0, nodes: 1 } as const;
const dictionaryData = 1;
const kinds = { dictionary: 2, rows: 3 } as const;

/** Values of a column and of the lists in it. What a file says of them costs it no bytes. */
const mostValues = 20_000_000;

/**
 * The messages that the first `mostRows` rows need. What is behind them stays packed.
 * @throws ViewerError if it is no Arrow file
 */
export function firstMessages(bytes: Uint8Array<ArrayBuffer>, mostRows: number): ArrowMessages {
  const mark = String.fromCodePoint(...bytes.subarray(0, fileMark.length));
  if (mark.startsWith(oldFeatherMark)) {
    throw new ViewerError('The file has the old format of Feather, which this page cannot read.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: Uint8Array<ArrayBuffer>[] = [];
  let rows = 0;
  let at = mark === fileMark ? fileMarkBytes : 0;
  while (rows < mostRows) {
    const next = messageAt(view, at);
    if (next === 'end') return { messages, isCut: false };
    if (next === 'cut') break;
    messages.push(bytes.subarray(at, next.end));
    rows += next.rows;
    at = next.end;
  }
  return { messages, isCut: true };
}

/** Where a message ends and how many rows it adds (Arrow columnar format, "Encapsulated message format"). */
function messageAt(view: DataView, start: number): { end: number; rows: number } | 'end' | 'cut' {
  if (start === view.byteLength) return 'end';
  if (start + 8 > view.byteLength) return 'cut';
  const isMarked = view.getInt32(start, true) === -1;
  const at = start + (isMarked ? 8 : 4);
  const length = view.getInt32(at - 4, true);
  if (length <= 0) return 'end';
  if (at + length > view.byteLength) return 'cut';
  const root = tableAt(view, at);
  const end = at + length + longOf(root, message.bodyBytes);
  if (end > view.byteLength) return 'cut';
  const kindAt = fieldAt(root, message.kind);
  const kind = kindAt === undefined ? 0 : view.getUint8(kindAt);
  const header = childOf(root, message.header);
  if (kind === kinds.rows) return { end, rows: rowsOf(header) };
  if (kind === kinds.dictionary) rowsOf(header && childOf(header, dictionaryData));
  return { end, rows: 0 };
}

/** A table of a FlatBuffer. */
interface FlatTable {
  view: DataView;
  at: number;
}

/** The rows of a batch whose columns and lists are not too long. */
function rowsOf(batch: FlatTable | undefined): number {
  if (batch === undefined) return 0;
  const { view } = batch;
  const nodes = childOf(batch, recordBatch.nodes);
  const count = nodes === undefined ? 0 : view.getUint32(nodes.at, true);
  for (let node = 0; node < count; node += 1) {
    const length = view.getBigInt64((nodes?.at ?? 0) + 4 + node * 16, true);
    if (length < 0n || length > mostValues) {
      throw new ViewerError('The file is too large to show here.');
    }
  }
  return longOf(batch, recordBatch.rows);
}

const tableAt = (view: DataView, at: number): FlatTable => ({
  view,
  at: at + view.getUint32(at, true),
});

/** Where a field is, if the table has it (FlatBuffers, "Internals"). */
function fieldAt({ view, at }: FlatTable, field: number): number | undefined {
  const fields = at - view.getInt32(at, true);
  const slot = 4 + field * 2;
  const offset = slot < view.getUint16(fields, true) ? view.getUint16(fields + slot, true) : 0;
  return offset === 0 ? undefined : at + offset;
}

function childOf(table: FlatTable, field: number): FlatTable | undefined {
  const at = fieldAt(table, field);
  return at === undefined ? undefined : tableAt(table.view, at);
}

function longOf(table: FlatTable, field: number): number {
  const at = fieldAt(table, field);
  return at === undefined ? 0 : Math.max(0, Number(table.view.getBigInt64(at, true)));
}
