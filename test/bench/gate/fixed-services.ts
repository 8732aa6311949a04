import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { StoredSite } from './stored-site.ts';

/** DynamoDB, S3, SQS and Secrets Manager with fixed answers, for one site; prints its address. */
const { item, objects }: StoredSite = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const bodies = new Map(
  Object.entries(objects).map(([key, text]) => [key, Buffer.from(text, 'base64')]),
);

const itemTarget = 'DynamoDB_20120810.GetItem';

const answers: Record<string, unknown> = {
  [itemTarget]: { Item: item },
  'AmazonSQS.SendMessage': { MessageId: '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11' },
  'secretsmanager.GetSecretValue': { SecretString: 'a secret with as many characters as one has' },
};

const server = createServer((request, response) => {
  void buffer(request).then(() => answer(request, response));
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const target = String(request.headers['x-amz-target'] ?? '');
  const { status, body, headers } =
    target === '' ? stored(request) : { status: 200, body: jsonOf(target), headers: {} };
  response.writeHead(status, { 'content-length': body.length, ...headers });
  response.end(body);
}

/** Each answer has its item's attributes in another order: DynamoDB promises none. */
let orders = 0;

function jsonOf(target: string): Buffer {
  const answer = answers[target];
  if (answer === undefined) throw new Error(`no answer to ${target}`);
  if (target !== itemTarget) return Buffer.from(JSON.stringify(answer));
  const attributes = Object.entries(item);
  orders = (orders + 1) % attributes.length;
  const reordered = [...attributes.slice(orders), ...attributes.slice(0, orders)];
  return Buffer.from(JSON.stringify({ Item: Object.fromEntries(reordered) }));
}

function stored({ url = '', headers: { range } }: IncomingMessage) {
  const key = decodeURIComponent(url.split('?')[0]?.split('/').slice(2).join('/') ?? '');
  const body = bodies.get(key);
  if (body === undefined)
    return { status: 404, body: Buffer.from('<Code>NoSuchKey</Code>'), headers: {} };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined) return { status: 200, body, headers: {} };
  const part = body.subarray(Number(first), Number(last) + 1);
  const headers = { 'content-range': `bytes ${first}-${last}/${body.length}` };
  return { status: 206, body: part, headers };
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
