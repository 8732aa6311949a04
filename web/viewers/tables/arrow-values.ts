import { type DataType, DateUnit, Precision, TimeUnit, Type } from '@uwdata/flechette';
import { dataCell, timeText } from './data-cells.ts';
import { type Cell, textOf } from './sheet.ts';

/** Units of time in a second, by Arrow's number for them. */
const unitsPerSecond = {
  [TimeUnit.SECOND]: 1,
  [TimeUnit.MILLISECOND]: 1e3,
  [TimeUnit.MICROSECOND]: 1e6,
  [TimeUnit.NANOSECOND]: 1e9,
} as const;

const unitNames = {
  [TimeUnit.SECOND]: 's',
  [TimeUnit.MILLISECOND]: 'ms',
  [TimeUnit.MICROSECOND]: 'µs',
  [TimeUnit.NANOSECOND]: 'ns',
} as const;

/** A value of this type as a cell. */
export function arrowCell(type: DataType | undefined, value: unknown): Cell {
  if (type === undefined) return '';
  const cell = dataCell(plainValue(type, value));
  const isMeasured = type.typeId === Type.Decimal || type.typeId === Type.Duration;
  if (!isMeasured || cell === '') return cell;
  return { text: textOf(cell), value: Number.parseFloat(textOf(cell)) };
}

/** A value as people write it, by its type; lists and structures have such values too. */
function plainValue(type: DataType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type.typeId === Type.Dictionary) return plainValue(type.dictionary, value);
  if (type.typeId === Type.RunEndEncoded) return plainValue(type.children[1].type, value);
  return timeValue(type, value) ?? numberValue(type, value) ?? nestedValue(type, value);
}

function timeValue(type: DataType, value: unknown): string | undefined {
  if (type.typeId === Type.Timestamp) return timeText(value);
  if (type.typeId === Type.Time) return clockText(Number(value) / unitsPerSecond[type.unit]);
  if (type.typeId === Type.Duration) return `${Number(value)} ${unitNames[type.unit]}`;
  if (type.typeId !== Type.Date) return undefined;
  const text = timeText(value);
  return type.unit === DateUnit.DAY ? text.slice(0, 'yyyy-mm-dd'.length) : text;
}

function numberValue(type: DataType, value: unknown): number | string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber) return undefined;
  if (type.typeId === Type.Decimal) return decimalText(BigInt(value), type.scale);
  const isShort = type.typeId === Type.Float && type.precision === Precision.SINGLE;
  return isShort ? shortest(Number(value)) : undefined;
}

function nestedValue(type: DataType, value: unknown): unknown {
  if (type.typeId === Type.Struct) {
    const values = new Map(Object.entries(Object(value)));
    return Object.fromEntries(
      type.children.map(({ name, type: child }) => [name, plainValue(child, values.get(name))]),
    );
  }
  if (value instanceof Uint8Array) return value;
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return value;
  const [field] = 'children' in type ? type.children : [];
  const items: unknown[] = Array.from(Object(value));
  if (field === undefined) return items;
  if (type.typeId !== Type.Map) return items.map((item) => plainValue(field.type, item));
  return items.map((pair) => entryOf(field.type, pair));
}

/** A key of a map and its value. */
function entryOf(type: DataType, pair: unknown): unknown[] {
  const fields = type.typeId === Type.Struct ? type.children : [];
  const values: unknown[] = Array.isArray(pair) ? pair : [];
  return fields.map((field, at) => plainValue(field.type, values[at]));
}

/** The fewest digits that mean the same number of 32 bits. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Digits of the largest decimal (Arrow format, `Decimal`). */
const mostDigits = 76;

function decimalText(unscaled: bigint, scale: number): string {
  // A file may say any scale; so many zeros would fill the memory.
  if (Math.abs(scale) > mostDigits) return `${unscaled}e${-scale}`;
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function clockText(seconds: number): string {
  return timeText(seconds * 1000).slice('yyyy-mm-dd '.length);
}
