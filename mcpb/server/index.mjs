/**
 * Passes messages between a client that starts local programs and the MCP server of a Slipway installation.
 * Both sides speak JSON-RPC: one message a line here, one message a request there. It has no packages, so
 * that the bundle needs nothing to be installed.
 */
import { createInterface } from 'node:readline';

// oxlint-disable-next-line node/no-process-env -- a program of its own, which its client starts with these
const { SLIPWAY_URL = '', SLIPWAY_KEY = '' } = process.env;
const endpoint = `${SLIPWAY_URL.trim()
  .replace(/\/+$/, '')
  .replace(/\/mcp$/, '')}/mcp`;

/** What the client chose when it connected; the server is stateless and reads it from each request. */
let protocolVersion;

async function pass(line) {
  const message = JSON.parse(line);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${SLIPWAY_KEY.trim()}`,
      'content-type': 'application/json',
      ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    },
    body: line,
  });
  const text = await response.text();
  if (message.id === undefined || text === '') return undefined;
  const answer = JSON.parse(text);
  if (answer.jsonrpc === undefined) throw new Error(`${answer.error} ${answer.nextStep}`);
  protocolVersion = answer.result?.protocolVersion ?? protocolVersion;
  // A refusal of the whole request names no message.
  return { ...answer, id: answer.id ?? message.id };
}

async function answer(line) {
  try {
    const reply = await pass(line);
    if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
  } catch (error) {
    const id = idOf(line);
    if (id === undefined) return;
    const message = `${endpoint} did not answer as expected: ${error.message}. Check the address and the key in the settings of this extension.`;
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } })}\n`,
    );
  }
}

function idOf(line) {
  try {
    return JSON.parse(line).id;
  } catch {
    return null;
  }
}

if (!/^https?:\/\/[^/]/.test(endpoint) || SLIPWAY_KEY.trim() === '') {
  process.stderr.write(
    'Set the address and the key of Slipway in the settings of this extension.\n',
  );
  process.exit(1);
}
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() !== '') void answer(line);
});
