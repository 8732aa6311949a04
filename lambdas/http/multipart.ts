import busboy from 'busboy';
import type { UploadedFile } from '../../contract/fields.ts';
import { CodedError } from '../../core/errors.ts';

/** Files that a form may have. */
export const maxFormFiles = 200;

/** Parts of a form that any operation might take; each operation has its own limits besides. */
const limits = {
  files: maxFormFiles,
  fields: 50,
  parts: 250,
  fieldSize: 8 * 1024,
  headerPairs: 20,
};

/** busboy limits a field's name only in url-encoded bodies. */
const maxNameLength = 100;

/** The names under which files may be sent (docs/contract.md, "Temporary projects"). */
const fileFields = new Set(['files', 'files[]', 'file']);

/** A form's fields by name, and its files in order in `files`. */
export type Form = Record<string, unknown> & { files: UploadedFile[] };

/**
 * Reads a whole `multipart/form-data` body (RFC 7578). File names keep their folders; names are
 * UTF-8, `filename*` (RFC 8187) included.
 * @throws CodedError UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST, TOO_MANY_FILES
 */
export function readForm(body: Buffer, contentType: string | undefined): Promise<Form> {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new CodedError('UNSUPPORTED_MEDIA_TYPE', {
      error: 'The body must be multipart/form-data.',
    });
  }
  return new Promise((resolve, reject) => {
    const form: Form = Object.assign(Object.create(null), { files: [] });
    const fail = (error: unknown) => reject(asRefusal(error));
    try {
      const parser = open(contentType);
      listen(parser, form, fail);
      parser.on('close', () => resolve(form));
      parser.end(body);
    } catch (error) {
      fail(error);
    }
  });
}

function open(contentType: string | undefined) {
  return busboy({
    headers: { 'content-type': contentType },
    preservePath: true,
    defParamCharset: 'utf8',
    limits,
  });
}

function listen(parser: busboy.Busboy, form: Form, fail: (error: unknown) => void): void {
  parser.on('file', (field, stream, { filename, mimeType }) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', fail);
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks);
      // A browser sends an empty, nameless part for a file field left empty.
      if (!filename && bytes.length === 0) return;
      if (!fileFields.has(field)) fail(invalid(field, 'is not a field for files; use `files`'));
      else if (!filename) fail(invalid(field, 'a file has no name'));
      else form.files.push({ name: filename, contentType: mimeType, bytes });
    });
  });
  parser.on('field', (name, value, info) => {
    if (name.length > maxNameLength || info.valueTruncated) fail(invalid(name, 'is too long'));
    else if (fileFields.has(name)) fail(invalid(name, 'must be a file: give the part a filename'));
    else if (name in form) fail(invalid(name, 'is sent twice'));
    else form[name] = value;
  });
  parser.on('filesLimit', () => fail(tooMany()));
  parser.on('partsLimit', () => fail(tooMany()));
  parser.on('fieldsLimit', () => fail(invalid('body', 'has too many fields')));
  parser.on('error', fail);
}

/** Whatever the parser says of a body is the sender's to mend. */
function asRefusal(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return invalid('body', 'is not a complete multipart/form-data form');
}

function tooMany(): CodedError {
  return new CodedError('TOO_MANY_FILES', {
    error: `The form has too many files; at most ${limits.files} are read.`,
  });
}

function invalid(field: string, problem: string): CodedError {
  const path = field.slice(0, maxNameLength);
  const message = `${path}: ${problem}.`;
  return new CodedError('INVALID_REQUEST', {
    error: message,
    details: [{ path, message: problem }],
  });
}
