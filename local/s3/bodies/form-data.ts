import { type ByteReader, byteReader } from './byte-reader.ts';
import { S3Error } from '../protocol/s3-error.ts';

const CRLF = Buffer.from('\r\n');
/** S3's limit for all fields before the file. */
const MAX_FIELD_BYTES = 20_480;
const MAX_LINE_BYTES = 4096;
const MAX_FIELDS = 100;

/** A browser's upload form: its fields by lowercase name, and the file, not yet read. */
export interface PostForm {
  fields: Map<string, string>;
  fileName: string;
  file: AsyncGenerator<Buffer>;
}

/** Reads a `multipart/form-data` body up to its file; what follows the file is ignored, as in S3. */
export async function readForm(
  body: AsyncIterable<Buffer>,
  contentType: string,
): Promise<PostForm> {
  const boundary =
    /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  const delimiter = Buffer.from(`\r\n--${boundary?.[1] ?? boundary?.[2] ?? ''}`, 'latin1');
  if (boundary === null) throw new S3Error('MalformedPOSTRequest');
  const reader = byteReader(withLeadingLineBreak(body));
  await reader.readShort(delimiter, MAX_LINE_BYTES, malformed);
  const fields = new Map<string, string>();
  let left = MAX_FIELD_BYTES;
  while (fields.size < MAX_FIELDS) {
    const part = await readPartHead(reader);
    if (part.name === 'file') {
      return { fields, fileName: part.fileName, file: readFile(reader, delimiter) };
    }
    const value = await reader.readShort(delimiter, left, tooLong);
    left -= value.length;
    if (fields.has(part.name)) throw malformed();
    fields.set(part.name, value.toString());
  }
  throw tooLong();
}

const malformed = () => new S3Error('MalformedPOSTRequest');
const tooLong = () => new S3Error('MaxPostPreDataLengthExceeded');

/** The first boundary has no line break before it; with one, all boundaries look alike. */
async function* withLeadingLineBreak(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield CRLF;
  yield* body;
}

async function readPartHead(reader: ByteReader): Promise<{ name: string; fileName: string }> {
  const rest = await readLine(reader);
  if (rest.startsWith('--')) {
    throw new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.');
  }
  let disposition = '';
  for (let line = await readLine(reader); line !== ''; line = await readLine(reader)) {
    if (/^content-disposition\s*:/i.test(line)) disposition = line;
  }
  const name = parameter(disposition, 'name');
  if (rest !== '' || name === undefined) throw malformed();
  return { name: name.toLowerCase(), fileName: parameter(disposition, 'filename') ?? '' };
}

/** Browsers escape only quotes and line breaks in names (HTML, multipart/form-data encoding). */
function parameter(disposition: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(disposition);
  const value = match?.[1] ?? match?.[2];
  return value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

async function* readFile(reader: ByteReader, delimiter: Buffer): AsyncGenerator<Buffer> {
  yield* reader.readUntil(delimiter);
  while ((await reader.read(65_536)).length > 0);
}

async function readLine(reader: ByteReader): Promise<string> {
  return (await reader.readShort(CRLF, MAX_LINE_BYTES, malformed)).toString();
}
