import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server, type Socket as TcpSocket } from 'node:net';
import { hasErrorCode } from '../errors.ts';
import { answerMessage, type DnsSource } from './dns-message.ts';

/** A DNS server on UDP and TCP. */
export interface DnsServer {
  /** `127.0.0.1:<port>` */
  address: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const TRIES = 10;

/** Listens on one free port of 127.0.0.1, with both transports. */
export async function startDnsServer(source: DnsSource): Promise<DnsServer> {
  for (let tries = 1; ; tries++) {
    const udp = await listenUdp(source);
    const { port } = udp.address();
    try {
      const tcp = await listenTcp(source, port);
      return { address: `${HOST}:${port}`, close: async () => closeBoth(udp, tcp) };
    } catch (error) {
      await closeUdp(udp);
      // Another program uses this port, on TCP only.
      if (!hasErrorCode(error, 'EADDRINUSE') || tries === TRIES) throw error;
    }
  }
}

async function listenUdp(source: DnsSource): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { port, address }) => {
    const answer = answerMessage(source, bytes, 'udp');
    if (answer !== undefined) socket.send(answer, port, address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, HOST, resolve);
  });
  // A client that has gone away is no failure of the server.
  socket.removeAllListeners('error').on('error', () => undefined);
  return socket;
}

interface TcpServer {
  server: Server;
  connections: Set<TcpSocket>;
}

async function listenTcp(source: DnsSource, port: number): Promise<TcpServer> {
  const connections = new Set<TcpSocket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    answerStream(source, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  return { server, connections };
}

/** Each message follows its length in two bytes (RFC 1035, section 4.2.2). */
function answerStream(source: DnsSource, socket: TcpSocket): void {
  let waiting = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    while (waiting.length >= 2) {
      const end = 2 + waiting.readUInt16BE(0);
      if (waiting.length < end) return;
      const answer = answerMessage(source, waiting.subarray(2, end), 'tcp');
      waiting = waiting.subarray(end);
      if (answer === undefined) continue;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
  });
}

async function closeUdp(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.close(() => resolve());
  });
}

async function closeBoth(udp: Socket, { server, connections }: TcpServer): Promise<void> {
  for (const socket of connections) socket.destroy();
  await closeUdp(udp);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
